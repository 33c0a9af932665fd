import { channel, Day } from '@kit/contract'
import { z } from 'zod'

/** A draft was changed: ask for its grid again. */
export const timetableChannel = channel('timetable:{version_id}', z.object({ version_id: z.string(), rev: z.number().int() }), { need: 'teaching.timetable.view' })
/** Lessons of these dates are different: open timetables ask again (chapter 50 §7). */
export const lessonChannel = channel('lessons', z.object({ dates: z.array(Day) }), { need: 'teaching.lesson.view' })
