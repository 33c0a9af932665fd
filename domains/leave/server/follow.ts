import { leave_states, task_states } from '@campus/leave/contract'
import { peopleEvents } from '@campus/people/contract'
import { Instant } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import { cancelLeave, endEarly, withdrawLeave } from './apply/acts.ts'
import { followPresence } from './apply/presence.ts'
import { lockLeave, spansOf } from './apply/store.ts'
import type { Act, LeaveDb } from './db.ts'
import { liveOnes } from './flow/approvers.ts'
import { addTask, openVersion } from './flow/progress.ts'
import { designOf } from './form/version.ts'

const [delegated, fallback] = [4, 6] as const
const departed = '离校'
const inside = 1
/** What the gates say of somebody (`access.presence.changed`, chapter 90 §3). */
const Presence = z.object({ subject_id: z.string(), state: z.number().int(), at: Instant })

/** Who goes out or comes in at a gate is out on his leave, or back from it (chapter 70 L8); who leaves the school has no leave any more and decides none (chapter 70 L4, §7 open_leave). */
export const peopleConsumers = [
  consume('leave.follow_presence', 'access.presence.changed', Presence, async ({ app, db, school_id, now }, { subject_id, state, at }) =>
    followPresence({ app, db, school_id, now }, { user_id: subject_id, is_inside: state === inside, at: new Date(Math.min(Date.parse(at), now.getTime())) })),
  consume('leave.person_departed', peopleEvents.personDeparted.name, peopleEvents.personDeparted.payload.pick({ user_ids: true }), async ({ app, db, school_id, now }, { user_ids }) => {
    const act: Act = { app, db: asTables<LeaveDb>(db), school_id, now, by: null }
    await endLeaves(act, user_ids)
    await handOnTasks(act, user_ids)
  }),
]

async function endLeaves(act: Act, user_ids: readonly string[]): Promise<void> {
  const { db, school_id, now } = act
  const { rows } = await sql<{ leave_id: string }>`
    select m.leave_id::text as leave_id from leave_member m join leave_apply a on a.school_id = ${school_id} and a.leave_id = m.leave_id
    where m.school_id = ${school_id} and m.user_id = any(${[...user_ids]}::bigint[]) and m.state in (0, 1, 2, 6, 7, 8) and not a.group_leave order by m.leave_id`.execute(db)
  for (const { leave_id } of rows) {
    const leave = await lockLeave(db, school_id, leave_id)
    const spans = await spansOf(db, school_id, leave_id)
    if (leave.state === leave_states.draft || leave.state === leave_states.asked) await withdrawLeave(act, leave, { reason: departed })
    else if (leave.state === leave_states.agreed && spans.every(one => one.begin_at > now)) await cancelLeave(act, leave, { reason: departed })
    else if (spans.some(one => one.end_at > now) && spans.some(one => one.begin_at < now)) await endEarly(act, leave, { end: now.toISOString(), reason: departed })
  }
}

/** Open tasks of people who left go to who acts for them, else to those who stand in for the form (70-A7: no task without a live assignee). */
async function handOnTasks(act: Act, user_ids: readonly string[]): Promise<void> {
  const { db, school_id, now } = act
  const tasks = await db.selectFrom('leave_task').select(['task_id', 'leave_id', 'seq', 'assignee']).where('school_id', '=', school_id).where('assignee', 'in', ['0', ...user_ids]).where('state', '=', task_states.open).orderBy('task_id').execute()
  for (const { task_id, leave_id, seq, assignee } of tasks) {
    const leave = await lockLeave(db, school_id, leave_id)
    const of = await openVersion(act, leave_id)
    const delegates = await db.selectFrom('delegation_live').select('to_user_id').where('school_id', '=', school_id).where('from_user_id', '=', assignee).where('valid_from', '<=', now).where('valid_to', '>', now).execute()
    const acting = await liveOnes(db, school_id, delegates.map(one => one.to_user_id))
    const stand_in = await liveOnes(db, school_id, (await designOf(db, school_id, leave.form_id, leave.form_version)).fallback_user_ids)
    const escalate_min = of.plan.find(one => one.seq === seq)?.escalate_min ?? 120
    await db.updateTable('leave_task').set({ state: task_states.settled, done_at: now }).where('school_id', '=', school_id).where('task_id', '=', task_id).execute()
    for (const next of acting.length > 0 ? acting.slice(0, 1) : stand_in) await addTask(act, leave, of, { seq, assignee: next, via: acting.length > 0 ? delegated : fallback, escalate_min, origin_task: task_id }, null)
  }
}
