import { leaveTemplates, leaveTypeName, spanText } from '@campus/leave/contract'
import { send } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { Act } from '../db.ts'
import { liveOnes } from '../flow/approvers.ts'
import { namesOf } from '../people.ts'
import { membersOf, spansOf } from './store.ts'
import type { Leave } from './store.ts'

type Words = { name: string; type: string; span: string }

/** Who, what and when of a leave, for messages. */
export async function wordsOf({ db, school_id }: Act, leave: Pick<Leave, 'leave_id' | 'person_kind' | 'leave_type'>): Promise<Words> {
  const members = await membersOf(db, school_id, leave.leave_id)
  const [first] = members
  const names = await namesOf(db, school_id, [first?.user_id ?? null])
  const [span] = await spansOf(db, school_id, leave.leave_id)
  const name = names.get(first?.user_id ?? '') ?? ''
  return {
    name: members.length > 1 ? `${name}等${members.length}人` : name,
    type: leaveTypeName(leave.person_kind, leave.leave_type),
    span: span ? spanText({ begin_at: span.begin_at.toISOString(), end_at: span.end_at.toISOString() }) : '',
  }
}

/** Asks those who decide a step. */
export async function askApprovers(act: Act, leave: Leave, source_ref: string, user_ids: readonly string[]): Promise<void> {
  const to = await liveOnes(act.db, act.school_id, user_ids)
  if (to.length === 0) return
  await send(act, { template: leaveTemplates.asked, source_ref, to: to.map(user_id => ({ user_id })), values: await wordsOf(act, leave), level: 1 })
}

/** Says to who asked, and to the person on leave himself, how it was decided. */
export async function sayDecision(act: Act, leave: Leave, source_ref: string, verdict: string, opinion: string): Promise<void> {
  const to = await liveOnes(act.db, act.school_id, [...new Set([leave.apply_by, ...(leave.group_leave ? [] : (await membersOf(act.db, act.school_id, leave.leave_id)).map(one => one.user_id))])])
  if (to.length === 0) return
  const values = { ...(await wordsOf(act, leave)), verdict, opinion: opinion === '' ? '' : `意见：${opinion}` }
  await send(act, { template: leaveTemplates.decided, source_ref, to: to.map(user_id => ({ user_id })), values, level: 1 })
}

/** Guardians and class teachers of the members who are here. */
export async function keepersOf({ db, school_id, now }: Act, leave_id: string): Promise<string[]> {
  const on = schoolDay(now)
  const { rows } = await sql<{ user_id: string }>`
    select g.parent_user_id::text as user_id from leave_member m
    join guardian_span g on g.school_id = ${school_id} and g.student_user_id = m.user_id and g.is_guardian and g.valid_from <= ${on}::date and (g.valid_to is null or g.valid_to > ${on}::date)
    where m.school_id = ${school_id} and m.leave_id = ${leave_id}
    union
    select y.user_id::text from leave_member m
    join duty_span y on y.school_id = ${school_id} and y.dept_id = m.dept_id and y.duty = 'head' and y.valid_from <= ${on}::date and (y.valid_to is null or y.valid_to > ${on}::date)
    where m.school_id = ${school_id} and m.leave_id = ${leave_id}`.execute(db)
  return liveOnes(db, school_id, rows.map(row => row.user_id))
}
