import { Day, event, id } from '@kit/contract'
import { z } from 'zod'

const ids = z.array(z.string())

/** What teaching publishes (chapter 50 §7): ids only. */
export const teachingEvents = {
  timetablePublished: event('teaching.timetable_published', z.object({ version: id('teaching.version'), from: Day, class_ids: ids, place_ids: ids, teacher_ids: ids })),
  dayChanged: event('teaching.day_changed', z.object({ dates: z.array(Day), class_ids: ids, place_ids: ids, teacher_ids: ids, rev: z.number().int() })),
  rosterChanged: event('teaching.roster_changed', z.object({ class_id: id('teaching.class'), student_ids: ids, from: Day })),
  assignmentChanged: event('teaching.assignment_changed', z.object({ semester_id: z.number().int(), class_ids: ids, teacher_ids: ids })),
}
