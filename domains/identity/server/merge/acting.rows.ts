import { sql } from 'kysely'
import { z } from 'zod'
import { asIdentity } from '../db.ts'
import type { UserStateDesk } from '../user-state.ts'
import { insertGone, readRows, Row } from './role.rows.ts'

type Pair = { kept_user_id: string; merged_user_id: string }

/** Substitutions as they stood, and the version in which the merge left those that are still there. */
export const actingImage = z.object({ before: z.array(Row), written: z.array(z.object({ role_no: z.string(), row_version: z.number().int() })) })
type ActingImage = z.output<typeof actingImage>

/**
 * Whoever holds a role on behalf of the merged person holds it on behalf of the kept one from now on. What the two would hold for themselves, or what would
 * stand there twice, goes: at once what has not begun, the rest with the departure of the merged one.
 */
export async function moveActing(desk: UserStateDesk, { kept_user_id, merged_user_id }: Pair): Promise<ActingImage> {
  const { db, school_id, now } = desk
  const which = sql`s.school_id = ${school_id} and s.valid_to > ${now} and (s.acted_for = ${merged_user_id} or (s.acted_for = ${kept_user_id} and s.user_id = ${merged_user_id}))`
  await sql`select 1 from role_member s where ${which} order by s.role_no for update`.execute(db)
  const { rows } = await sql<{ role_no: string; is_ahead: boolean; is_moved: boolean }>`
    select s.role_no::text, s.valid_from >= ${now} as is_ahead, s.user_id not in (${kept_user_id}, ${merged_user_id}) and s.acted_for = ${merged_user_id} and not exists (
      select from role_member o where o.school_id = ${school_id} and o.role_id = s.role_id and o.user_id = s.user_id and o.user_dep = s.user_dep and o.acted_for = ${kept_user_id} and o.valid && s.valid) as is_moved
    from role_member s where ${which} order by s.role_no`.execute(db)
  const moved = rows.filter(row => row.is_moved).map(row => row.role_no)
  const gone = rows.filter(row => !row.is_moved && row.is_ahead).map(row => row.role_no)
  const before = await readRows(db, school_id, [...moved, ...gone])
  await sql`delete from role_member where school_id = ${school_id} and role_no = any(${gone}::bigint[])`.execute(db)
  const { rows: written } = await sql<{ role_no: string; row_version: number }>`
    update role_member set acted_for = ${kept_user_id}, updated_at = ${now}, row_version = row_version + 1
    where school_id = ${school_id} and role_no = any(${moved}::bigint[]) returning role_no::text, row_version`.execute(db)
  return { before, written }
}

/** Substitutions are for whom they were before; one that was changed since stays as it is. */
export async function restoreActing({ db, school_id }: UserStateDesk, { before, written }: ActingImage): Promise<void> {
  const versions = new Map(written.map(row => [row.role_no, row.row_version]))
  for (const { role_no, acted_for } of before.filter(row => versions.has(row.role_no))) {
    await asIdentity(db)
      .updateTable('role_member')
      .set(eb => ({ acted_for, row_version: eb('row_version', '+', 1) }))
      .where('school_id', '=', school_id)
      .where('role_no', '=', role_no)
      .where('row_version', '=', versions.get(role_no) ?? 0)
      .execute()
  }
  await insertGone(db, school_id, before.filter(row => !versions.has(row.role_no)))
}
