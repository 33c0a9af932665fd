import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { IdentityHandle } from './db.ts'

/** A group of console roles. @throws Refusal 404 */
export async function requireGroup(db: IdentityHandle, school_id: number, role_group_id: string) {
  const group = await db
    .selectFrom('role_group')
    .select(['role_group_id', 'code', 'name', 'client_kind', 'is_system', 'row_version'])
    .where('school_id', '=', school_id)
    .where('role_group_id', '=', role_group_id)
    .where('is_app', '=', false)
    .executeTakeFirst()
  if (!group) throw fail(commonErrors.notFound)
  return group
}

/** Every group of the school, locked until the transaction ends; `n` is the number in a code GRP_n. */
export function lockGroups(db: IdentityHandle, school_id: number) {
  return db
    .selectFrom('role_group')
    .select(['role_group_id', 'is_app', 'client_kind', 'order', sql<number>`coalesce(substring(code from '^GRP_([0-9]{1,9})$')::int, 0)`.as('n')])
    .where('school_id', '=', school_id)
    .orderBy('role_group_id')
    .forNoKeyUpdate()
    .execute()
}

/** Code and place of a new group: the next number, last in the order. Two at once get two. */
export async function nextGroup(db: IdentityHandle, school_id: number): Promise<{ code: string; order: number }> {
  const groups = await lockGroups(db, school_id)
  const next = (numbers: number[]) => Math.max(0, ...numbers) + 1
  return { code: `GRP_${next(groups.map(group => group.n))}`, order: next(groups.map(group => group.order)) }
}
