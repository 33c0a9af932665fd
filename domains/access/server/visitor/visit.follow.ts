import { accessEvents } from '@campus/access/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { PassDb, Work } from '../pass/db.ts'
import { readVisitorSetting } from './setting.ts'
import { arriveVisit, declareWayOut, endVisit, leaveVisit, lockVisit, planEnd, states, tellHost, visit_timer } from './visit.core.ts'

const [minute_ms, hour_ms, most_told] = [60_000, 3_600_000, 3] as const
const [way_in, by_gate] = [1, 1] as const

type VisitPass = { apply_id: string; direction: number; pass_key: string }

/** A pass through a door of the route is an arrival; one out through a gate is the end of the visit, without anybody pressing a key (chapter 35 §2, R50). */
async function followPasses(work: Work, { from_seq, to_seq }: { from_seq: string; to_seq: string }): Promise<void> {
  const { db, school_id } = work
  const { rows } = await sql<VisitPass>`
    select a.apply_id::text, p.direction::int, p.event_date::text || '/' || p.device_id || '/' || p.device_seq as pass_key
    from access_pass p join visitor_apply a on a.school_id = ${school_id} and a.subject_id = p.subject_id
    where p.school_id = ${school_id} and p.ingest_seq >= ${from_seq} and p.ingest_seq <= ${to_seq} and p.subject_kind = 4 and p.result = 1 and not p.is_repeat and (p.direction = ${way_in} or p.is_perimeter)
    order by p.event_time, p.device_id, p.device_seq`.execute(db)
  for (const { apply_id, direction, pass_key } of rows) {
    const visit = await lockVisit(work, apply_id)
    if (visit.state === states.approved && direction === way_in) await arriveVisit(work, visit, pass_key)
    else if (visit.state === states.arrived && direction !== way_in) await leaveVisit(work, visit, by_gate)
  }
}

export const visitConsumers = [
  consume('access.follow_visits', accessEvents.passRecorded.name, accessEvents.passRecorded.payload, (step, span) => followPasses({ ...step, db: asTables<PassDb>(step.db) }, span)),
]

/** What the end of a visit's time makes of it: nobody came, or somebody is still inside (chapter 35 §2). The host is told every hour, three times at most. */
export const visitTimer: TimerKind = {
  kind: visit_timer,
  async run(db, due) {
    const work: Work = { ...due, db: asTables<PassDb>(db) }
    const [apply_id = ''] = due.ref.split(' ')
    const visit = await lockVisit(work, apply_id)
    const { after_min } = await readVisitorSetting(work.db, work.school_id)
    const end = visit.end_at.getTime() + after_min * minute_ms
    const is_live = visit.state === states.waits || visit.state === states.approved || visit.state === states.arrived
    if (!is_live) return
    if (work.now.getTime() < end) return planEnd(work, apply_id, new Date(end))
    if (visit.state !== states.arrived) return endVisit(work, visit, 'expired')
    if (visit.overdue_times >= most_told) return
    await work.db.updateTable('visitor_apply').set({ overdue_at: visit.overdue_at ?? work.now, overdue_times: visit.overdue_times + 1, version: visit.version + 1 }).where('school_id', '=', work.school_id).where('apply_id', '=', apply_id).execute()
    if (visit.overdue_at === null) await declareWayOut(work, { ...visit, version: visit.version + 1 })
    if (visit.overdue_at === null) await publish(work, accessEvents.visitOverdue, { apply_no: visit.apply_no, subject_id: visit.subject_id, receiver_user_id: visit.receiver_user_id })
    await tellHost(work, visit, 'overdue')
    await planEnd(work, apply_id, new Date(work.now.getTime() + hour_ms))
  },
}
