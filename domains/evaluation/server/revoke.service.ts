import { evaluationErrors, evaluationEvents, record_state, revoke_hours } from '@campus/evaluation/contract'
import type { recordApi } from '@campus/evaluation/contract'
import { deptScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { EvaluationCtx, Work } from './db.ts'
import { manage_code } from './db.ts'
import { announce, giveBack, refreshWalls } from './give.service.ts'
import { followLevels, settleLevels } from './levels.service.ts'
import { reissue } from './settle.service.ts'

const hour_ms = 3_600_000
const { waiting, counts, refused, appealed, revoked } = record_state

/** A record under lock. */
export type Locked = {
  record_id: string
  day: string
  subject_kind: number
  subject_id: string
  dept_id: string
  star_type_id: string
  milli: number
  times: number
  given_by: string | null
  state: number
  happened_at: Date
  visible_at: Date | null
  star_name: string
  reason: string
  batch_no: string
}

export async function lockRecords({ db, school_id }: Pick<Work, 'db' | 'school_id'>, which: RawBuilder<unknown>): Promise<Locked[]> {
  const { rows } = await sql<Locked>`
    select r.record_id::text as record_id, r.record_date::text as day, r.subject_kind::int as subject_kind,
      r.subject_id::text as subject_id, r.dept_id::text as dept_id, r.star_type_id::text as star_type_id, r.milli, r.times::int as times,
      r.given_by::text as given_by, r.state::int as state, r.happened_at, r.visible_at, t.star_name, r.reason, r.batch_no
    from star_record r join star_type t on t.school_id = ${school_id} and t.star_type_id = r.star_type_id
    where r.school_id = ${school_id} and ${which} order by r.record_id for update of r`.execute(db)
  return rows
}

async function requireRecord(ctx: EvaluationCtx, record_id: string): Promise<Locked> {
  const scope = await deptScope(ctx, 'student')
  const [record] = await lockRecords(ctx, sql`r.record_id = ${record_id}`)
  if (!record || (scope !== 'all' && !scope.includes(record.dept_id))) throw fail(commonErrors.notFound)
  return record
}

/** The state of records, what their quotas get back, and rankings that were settled with them (55-A32). */
export async function endRecords(
  work: Work,
  records: readonly Locked[],
  end: { state: number; decided_by: string | null; decide_reason: string },
): Promise<void> {
  const { db, school_id, now } = work
  for (const { record_id, day } of records) {
    await db
      .updateTable('star_record')
      .set({ ...end, decided_at: now })
      .where('school_id', '=', school_id)
      .where('record_date', '=', day)
      .where('record_id', '=', record_id)
      .execute()
  }
  await giveBack(work, records)
  const counted = records.filter(one => one.state === counts || one.state === appealed)
  if (counted.length === 0) return
  const star_type_ids = [...new Set(counted.map(one => one.star_type_id))]
  await settleLevels(work, { star_type_ids, subject_ids: [...new Set(counted.map(one => one.subject_id))] })
  await publish(work, evaluationEvents.revoked, {
    record_ids: counted.map(one => one.record_id),
    dept_ids: [...new Set(counted.map(one => one.dept_id))],
  })
  await reissue(
    work,
    counted.filter(one => one.milli > 0).map(one => one.day),
  )
  await refreshWalls(
    work,
    counted.map(one => one.dept_id),
  )
}

/** @throws Refusal recordState; revokeLate for the giver after a day */
export async function revokeRecord(
  ctx: EvaluationCtx,
  { record_id, reason }: Input<typeof recordApi.revoke>,
): Promise<Record<string, never>> {
  const { me, now } = ctx
  const record = await requireRecord(ctx, record_id)
  const is_office = me.codes.has(manage_code)
  if (!is_office && record.given_by !== me.user_id) throw fail(commonErrors.forbidden)
  if (record.state !== counts && record.state !== waiting) throw fail(evaluationErrors.recordState)
  if (!is_office && now.getTime() - record.happened_at.getTime() > revoke_hours * hour_ms) throw fail(evaluationErrors.revokeLate)
  await endRecords(ctx, [record], { state: revoked, decided_by: me.user_id, decide_reason: reason })
  ctx.note({ target_kind: 'evaluation.star', target_id: record_id, target_name: record.star_name, reason, before: { state: record.state } })
  return {}
}

/** One command is taken back whole by the one who gave it; what has been decided meanwhile stays. @throws Refusal 404, revokeLate */
export async function undoBatch(ctx: EvaluationCtx, { batch_no }: Input<typeof recordApi.undo>): Promise<{ revoked: number }> {
  const { me, now } = ctx
  await deptScope(ctx, 'student')
  const records = await lockRecords(ctx, sql`r.batch_no = ${batch_no} and r.given_by = ${me.user_id}`)
  if (records.length === 0) throw fail(commonErrors.notFound)
  const open = records.filter(one => one.state === counts || one.state === waiting)
  if (open.some(one => now.getTime() - one.happened_at.getTime() > revoke_hours * hour_ms)) throw fail(evaluationErrors.revokeLate)
  await endRecords(ctx, open, { state: revoked, decided_by: me.user_id, decide_reason: '撤销本次评定' })
  ctx.note({ target_kind: 'evaluation.star', target_id: batch_no, target_name: `撤销${open.length}条` })
  return { revoked: open.length }
}

/** @throws Refusal recordState; 403 for one's own record */
export async function approveRecord(
  ctx: EvaluationCtx,
  { record_id, agree, reason }: Input<typeof recordApi.approve>,
): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  const record = await requireRecord(ctx, record_id)
  if (record.state !== waiting) throw fail(evaluationErrors.recordState)
  if (record.given_by === me.user_id && !me.codes.has(manage_code)) throw fail(commonErrors.forbidden)
  ctx.note({ target_kind: 'evaluation.star', target_id: record_id, target_name: record.star_name, after: { agree } })
  if (!agree) {
    await endRecords(ctx, [record], { state: refused, decided_by: me.user_id, decide_reason: reason })
    return {}
  }
  await db
    .updateTable('star_record')
    .set({ state: counts, visible_at: now, decided_by: me.user_id, decided_at: now, decide_reason: reason === '' ? null : reason })
    .where('school_id', '=', school_id)
    .where('record_date', '=', record.day)
    .where('record_id', '=', record_id)
    .execute()
  await announce(ctx, [record.dept_id], [record_id])
  if (record.milli > 0) await reissue(ctx, [record.day])
  await followLevels(ctx, record.star_type_id, [record.subject_id], record_id)
  return {}
}
