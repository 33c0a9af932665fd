import { channel, Day, event } from '@kit/contract'
import { z } from 'zod'

const unit = { date: Day, shard: z.string() }

/** What attendance publishes (chapter 55 §7): ids and counts only. */
export const attendanceEvents = {
  /** `counts` by state 1 to 10 */
  resultChanged: event('attendance.result.changed', z.object({ ...unit, counts: z.array(z.number().int()) })),
  unitSettled: event('attendance.unit.settled', z.object(unit)),
  missingInSchool: event('attendance.missing_in_school', z.object({ date: Day, user_ids: z.array(z.string()) })),
}

/** Results of a class have changed: ask for them again. */
export const attendChannel = channel('attend:live', z.object({ dept_id: z.string(), date: Day }), { need: 'attendance.clock.view' })
