import { attend_flags, attend_states as states, attendanceEvents } from '@campus/attendance/contract'
import { schoolDay } from '@campus/school/server'
import { insertReturning } from '@kit/server/db'
import { publish } from '@kit/server/event'
import type { Step } from '../db.ts'
import { minute_ms } from '../judge/window.ts'
import type { Judged } from '../recompute/rows.ts'

const kind = 'missing_in_school'

/**
 * 在校缺课 (chapter 55 §3.12): a lesson of today runs for `alert_missing_min`, nobody saw the pupil, the gate let him in and no leave explains
 * it. One open
 * alert a pupil and day; whatever is seen of him later closes it.
 */
export async function raiseMissing(step: Step, date: string, judged: readonly Judged[]): Promise<void> {
  const { db, school_id, now } = step
  if (date !== schoolDay(now)) return
  const pupils = judged.filter(one => one.row.person_kind === 1)
  const missing = pupils.filter(one => isMissing(one, now.getTime()))
  const rows = missing.map(({ row, of }) => (
    {
      school_id, kind, alert_date: date, user_id: row.user_id, dept_id: row.dept_id, expect_kind: row.expect_kind,
      occurrence_id: row.occurrence_id, text: `${of.title}未到，门禁显示在校`, raised_at: now,
    }
  ))
  const raised = await insertReturning(db, 'attend_alert', [...new Map(rows.map(row => [row.user_id, row])).values()], 'user_id', {})
  if (raised.length > 0) await publish(step, attendanceEvents.missingInSchool, { date, user_ids: raised })
  await closeFound(step, date, pupils)
}

function isMissing({ row, verdict, of, alert_min }: Judged, now: number): boolean {
  if (row.state !== states.absent || (row.flags & attend_flags.in_school) === 0 || verdict.rule_ref === null) return false
  return now >= of.begin + alert_min * minute_ms && now < of.end
}

/** An alert whose lesson is explained now is closed by what explains it. */
async function closeFound({ db, school_id, now }: Step, date: string, pupils: readonly Judged[]): Promise<void> {
  const open = await db.selectFrom('attend_alert').select(['alert_id', 'user_id', 'expect_kind', 'occurrence_id'])
    .where('school_id', '=', school_id).where('kind', '=', kind)
    .where('alert_date', '=', date).where('closed_at', 'is', null).execute()
  for (const alert of open) {
    const own = pupils.filter(one => one.row.user_id === alert.user_id)
    const seen = own.find(one => one.row.expect_kind === alert.expect_kind && one.row.occurrence_id === alert.occurrence_id &&
      one.row.state !== states.absent)
    const later = own.find(one => one.row.in_at !== null &&
      one.row.in_at > new Date(own.find(each => each.row.occurrence_id === alert.occurrence_id)?.of.begin ?? now))
    const by = seen ?? later
    if (!by) continue
    const closed_by_event = by.row.event_ref ?? (by.row.state === states.leave ? '请假' : null)
    await db.updateTable('attend_alert').set({ closed_at: now, closed_by_event }).where('school_id', '=', school_id)
      .where('alert_id', '=', alert.alert_id).execute()
  }
}
