import { leaveErrors } from '@campus/leave/contract'
import type { LeaveReason, reasonApi } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { LeaveCtx } from '../db.ts'

/** Codes of a school's own reasons begin here (chapter 70 §1.1). */
const first_own = 1001

/** Reasons in their order, with how many leaves name them. */
export async function listReasons(ctx: LeaveCtx): Promise<Reply<typeof reasonApi.list>> {
  const { db, school_id } = ctx
  ctx.scoped()
  const { rows } = await sql<LeaveReason>`
    select r.reason_code, r.reason_name, r.person_kinds::int[] as person_kinds, r.leave_types, r.need_attach, r.need_pickup, r.need_health, r.default_minutes, r.status::int as status, r.row_version,
      (select count(*)::int from leave_apply a where a.school_id = ${school_id} and a.reason_code = r.reason_code) as used
    from leave_reason r where r.school_id = ${school_id} order by r.show_order, r.reason_code`.execute(db)
  return { list: rows }
}

/** @throws Refusal reasonTaken by its constraint */
export async function addReason(ctx: LeaveCtx, draft: Input<typeof reasonApi.add>): Promise<Reply<typeof reasonApi.add>> {
  const { db, school_id } = ctx
  ctx.scoped()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`leave reason ${school_id}`}, 33))`.execute(db)
  const { rows } = await sql<{ last: number; place: number }>`
    select coalesce(max(reason_code::int), 0)::int as last, coalesce(max(show_order), 0)::int as place from leave_reason where school_id = ${school_id}`.execute(db)
  const reason_code = String(Math.max(first_own, (rows[0]?.last ?? 0) + 1))
  await db.insertInto('leave_reason').values({ school_id, reason_code, ...draft, show_order: (rows[0]?.place ?? 0) + 1 }).execute()
  ctx.note({ target_kind: 'leave.reason', target_id: reason_code, target_name: draft.reason_name, after: draft })
  return { reason_code }
}

/** @throws Refusal 404, stale, reasonTaken */
export async function updateReason(ctx: LeaveCtx, { reason_code, row_version, ...draft }: Input<typeof reasonApi.update>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  ctx.scoped()
  const before = await db.selectFrom('leave_reason').selectAll().where('school_id', '=', school_id).where('reason_code', '=', reason_code).forUpdate().executeTakeFirst()
  if (!before) throw fail(commonErrors.notFound)
  if (before.row_version !== row_version) throw fail(commonErrors.stale)
  await db.updateTable('leave_reason').set({ ...draft, row_version: row_version + 1 }).where('school_id', '=', school_id).where('reason_code', '=', reason_code).execute()
  ctx.note({ target_kind: 'leave.reason', target_id: reason_code, target_name: draft.reason_name, before, after: draft })
  return {}
}

/** @throws Refusal 404 when one is not of this school */
export async function sortReasons(ctx: LeaveCtx, { reason_codes }: Input<typeof reasonApi.sort>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  ctx.scoped()
  const found = await db.selectFrom('leave_reason').select('reason_code').where('school_id', '=', school_id).where('reason_code', 'in', reason_codes).execute()
  if (found.length < new Set(reason_codes).size) throw fail(commonErrors.notFound)
  const places = JSON.stringify(reason_codes.map((reason_code, at) => ({ reason_code, place: at + 1 })))
  await sql`update leave_reason r set show_order = x.place from jsonb_to_recordset(${places}::jsonb) x(reason_code text, place int)
    where r.school_id = ${school_id} and r.reason_code = x.reason_code`.execute(db)
  return {}
}

/** @throws Refusal 404, reasonUsed for one that leaves name: they keep it, so it can only be disabled */
export async function deleteReason(ctx: LeaveCtx, { reason_code }: Input<typeof reasonApi.delete>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  ctx.scoped()
  const found = await db.selectFrom('leave_reason').select('reason_name').where('school_id', '=', school_id).where('reason_code', '=', reason_code).forUpdate().executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from leave_apply where school_id = ${school_id} and reason_code = ${reason_code}`.execute(db)
  const n = rows[0]?.n ?? 0
  if (n > 0) throw fail(leaveErrors.reasonUsed, { params: { n } })
  await db.deleteFrom('leave_reason').where('school_id', '=', school_id).where('reason_code', '=', reason_code).execute()
  ctx.note({ target_kind: 'leave.reason', target_id: reason_code, target_name: found.reason_name })
  return {}
}
