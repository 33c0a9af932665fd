import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { asIdentity } from '../db.ts'
import type { UserStateDesk } from '../user-state.ts'
import type { Held, MergePlan, Span } from './plan.ts'

type Pair = { kept_user_id: string; merged_user_id: string }

/** A membership as it stood, with times as texts that keep their microseconds. */
export const Row = z.object({
  role_no: z.string(), role_id: z.string(), user_id: z.string(), user_dep: z.string(), acted_for: z.string().nullable().default(null), valid_from: z.string(), valid_to: z.string().nullable(),
  scope_ids: z.array(z.string()).nullable(), source: z.string(), reason: z.string().nullable(),
})
export type Row = z.output<typeof Row>
/** `written`: the version of each row that the merge has left behind. */
export const RoleImage = z.object({ before: z.array(Row), added: z.array(z.string()), written: z.array(z.object({ role_no: z.string(), row_version: z.number().int() })) })
type RoleImage = z.output<typeof RoleImage>

/** What these people hold today or will, locked. */
export async function lockHeld(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[], now: Date): Promise<(Held & { user_id: string })[]> {
  const rows = await asIdentity(db)
    .selectFrom('role_member')
    .select(['role_no', 'role_id', 'user_id', 'user_dep', 'acted_for', 'valid_from', 'valid_to', sql<string[] | null>`scope_ids::text[]`.as('scope_ids')])
    .where('school_id', '=', school_id)
    .where('user_id', 'in', [...user_ids])
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', now)]))
    .orderBy('role_no')
    .forUpdate()
    .execute()
  return rows.map(({ valid_from, valid_to, ...row }) => ({ ...row, from: valid_from.getTime(), to: valid_to?.getTime() ?? null }))
}

/** Carries a plan out, in the order in which no two rows ever overlap; answers what takes it back. */
export async function writePlan({ db, school_id, now }: UserStateDesk, { kept_user_id }: Pair, plan: MergePlan): Promise<RoleImage> {
  const own = asIdentity(db)
  const touched = [...plan.ended, ...plan.moved, ...plan.removed, ...plan.extended.map(span => span.origin)]
  const before = await readRows(db, school_id, touched)
  const at = (role_nos: readonly string[]) => sql<boolean>`role_no = any(${[...role_nos]}::bigint[])`
  await own.deleteFrom('role_member').where('school_id', '=', school_id).where(at(plan.removed)).execute()
  const changed = { updated_at: now, row_version: sql<number>`row_version + 1` }
  await own.updateTable('role_member').set({ valid_to: now, ...changed }).where('school_id', '=', school_id).where(at(plan.ended)).execute()
  for (const { origin, from, to, scope_ids } of plan.extended) {
    const lasts = { valid_from: sql<Date>`case when valid_from > ${new Date(from)} then ${new Date(from)}::timestamptz else valid_from end`, valid_to: to === null ? null : new Date(to) }
    await own.updateTable('role_member').set({ ...lasts, scope_ids: scope_ids === null ? null : [...scope_ids], ...changed }).where('school_id', '=', school_id).where('role_no', '=', origin).execute()
  }
  await own.updateTable('role_member').set({ user_id: kept_user_id, ...changed }).where('school_id', '=', school_id).where(at(plan.moved)).execute()
  const added = await addSpans({ db, school_id }, kept_user_id, plan.added, before)
  const { rows: written } = await sql<{ role_no: string; row_version: number }>`
    select role_no, row_version from role_member where school_id = ${school_id} and role_no = any(${[...touched, ...added]}::bigint[]) order by role_no`.execute(db)
  return { before, added, written }
}

async function addSpans({ db, school_id }: Pick<UserStateDesk, 'db' | 'school_id'>, user_id: string, spans: readonly Span[], before: readonly Row[]): Promise<string[]> {
  const made: string[] = []
  for (const { origin, role_id, user_dep, acted_for, from, to, scope_ids } of spans) {
    const { source = 'manual', reason = null } = before.find(row => row.role_no === origin) ?? {}
    const row = { school_id, role_id, user_id, user_dep, acted_for, valid_from: new Date(from), valid_to: to === null ? null : new Date(to), scope_ids: scope_ids === null ? null : [...scope_ids], source, reason }
    const { role_no } = await asIdentity(db).insertInto('role_member').values(row).returning('role_no').executeTakeFirstOrThrow()
    made.push(role_no)
  }
  return made
}

/** Puts back what nobody has changed since: first what the merge made goes, then both people's rows are as they were. */
export async function restoreRoles({ db, school_id }: UserStateDesk, { kept_user_id, merged_user_id }: Pair, { before, added, written }: RoleImage): Promise<void> {
  const own = asIdentity(db)
  const versions = new Map(written.map(row => [row.role_no, row.row_version]))
  for (const role_no of added) await own.deleteFrom('role_member').where('school_id', '=', school_id).where('role_no', '=', role_no).where('row_version', '=', versions.get(role_no) ?? 0).execute()
  for (const user_id of [kept_user_id, merged_user_id]) {
    for (const { role_no, valid_from, valid_to, scope_ids } of before.filter(row => row.user_id === user_id)) {
      await sql`update role_member set user_id = ${user_id}, valid_from = ${valid_from}::timestamptz, valid_to = ${valid_to}::timestamptz, scope_ids = ${scope_ids}::bigint[], row_version = row_version + 1
        where school_id = ${school_id} and role_no = ${role_no} and row_version = ${versions.get(role_no) ?? 0}`.execute(db)
    }
  }
  await insertGone(db, school_id, before.filter(row => !versions.has(row.role_no)))
}

/** Memberships that were taken away are there again. */
export async function insertGone(db: QueryExecutorProvider, school_id: number, rows: readonly Row[]): Promise<void> {
  const gone = JSON.stringify(rows)
  await sql`
    insert into role_member (school_id, role_no, role_id, user_id, user_dep, acted_for, valid_from, valid_to, scope_ids, source, reason)
    select ${school_id}::int, e.role_no, e.role_id, e.user_id, e.user_dep, e.acted_for, e.valid_from, e.valid_to, e.scope_ids, e.source, e.reason
    from jsonb_to_recordset(${gone}::jsonb) as e(role_no bigint, role_id bigint, user_id bigint, user_dep bigint, acted_for bigint, valid_from timestamptz, valid_to timestamptz, scope_ids bigint[], source text, reason text)
    on conflict do nothing`.execute(db)
}

/** These memberships as they stand. */
export async function readRows(db: QueryExecutorProvider, school_id: number, role_nos: readonly string[]): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select role_no, role_id, user_id, user_dep, acted_for, valid_from::text, valid_to::text, scope_ids::text[], source, reason from role_member
    where school_id = ${school_id} and role_no = any(${[...role_nos]}::bigint[]) order by role_no`.execute(db)
  return rows
}
