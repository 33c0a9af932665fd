import { leave_states, leaveErrors, leaveEvents } from '@campus/leave/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import { asTables, insertMany } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Act, LeaveDb } from '../db.ts'
import { wantEffects } from '../effect/converge.ts'
import { designOf } from '../form/version.ts'
import { requireSubjects } from '../people.ts'
import { settleQuota } from '../quota/settle.ts'
import { planEnding } from './plan.ts'
import { lockPeople, resolveSpans } from './prepare.ts'
import { addVersion, bumpFact, draft_no, keptSpans, numberLeave, replaceSpans, setState } from './store.ts'
import { refuseOverlap } from './submit.ts'

/** A leave that needs no decision: `by` has decided already, e.g. the school doctor for an open case (90 §2 leave.open). */
export type NewLeave = { user_id: string; leave_type: string; reason_code: string; reason: string; begin: Date; end: Date; by: { user_id: string; user_name: string } | null; apply_as: 4 | 5 | 6 }
type Place = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/**
 * Makes a leave that is in force at once, under the first form of the person's kind that knows the type.
 * @returns its leave_id
 * @throws Refusal 404 for somebody who is not here, formClosed when no form fits, overlap
 */
export async function open({ app, db: handle, school_id, now }: Place, asked: NewLeave): Promise<string> {
  const db = asTables<LeaveDb>(handle)
  const act: Act = { app, db, school_id, now, by: asked.by }
  const subjects = await requireSubjects(db, school_id, [asked.user_id], null)
  const [subject] = subjects
  const { rows } = await sql<{ form_id: string; version: number }>`
    select f.form_id::text as form_id, v.version from leave_form f join leave_form_version v on v.school_id = ${school_id} and v.form_id = f.form_id and v.version = f.current_version
    where f.school_id = ${school_id} and f.status = 1 and f.person_kind = ${subject?.person_kind ?? 0} and v.design->'leave_types' ? ${asked.leave_type} order by f.form_id limit 1`.execute(db)
  const [form] = rows
  if (!form || !subject) throw fail(leaveErrors.formClosed)
  const spans = await resolveSpans(act, subjects, [{ begin: asked.begin.toISOString(), end: asked.end.toISOString() }])
  await lockPeople(db, school_id, [asked.user_id])
  await refuseOverlap(db, school_id, spans)
  const { exit_mode, meal, bus, auto_return, late_grace_min } = await designOf(db, school_id, form.form_id, form.version)
  const { leave_type, reason_code, reason, apply_as } = asked
  const made = await db
    .insertInto('leave_apply')
    .values({ school_id, leave_no: draft_no, person_kind: subject.person_kind, form_id: form.form_id, form_version: form.version, leave_type, reason_code, reason, exit_mode, meal, bus, auto_return, late_grace_min, group_leave: false, members: 1, state: leave_states.asked, apply_by: asked.by?.user_id ?? asked.user_id, apply_as, submitted_at: now })
    .returning('leave_id')
    .executeTakeFirstOrThrow()
  const { leave_id } = made
  await numberLeave(act, leave_id)
  await insertMany(db, 'leave_member', [{ school_id, leave_id, user_id: asked.user_id, dept_id: subject.dept_id, state: leave_states.agreed }])
  const kept = keptSpans(spans)
  await replaceSpans(act, leave_id, kept)
  await addVersion(act, leave_id, { kind: 1, spans: kept, reason: null, state: 1 })
  await setState(act, leave_id, leave_states.agreed, { decided_at: now })
  await settleQuota(act, leave_id)
  const fact_version = await bumpFact(act, leave_id)
  await wantEffects(act, leave_id)
  await planEnding(act, leave_id)
  await publish(act, leaveEvents.approved, { leave_id, fact_version })
  return leave_id
}
