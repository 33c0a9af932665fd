import { channel } from '@kit/contract'
import { z } from 'zod'

/** A draft was changed: ask for its grid again. */
export const timetableChannel = channel('timetable:{version_id}', z.object({ version_id: z.string(), rev: z.number().int() }), { need: 'teaching.timetable.view' })
