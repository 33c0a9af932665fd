import { batches } from './db.ts'
import type { IdentityHandle } from './db.ts'

/** Who is to get a role; `user_dep` '1' = under his own department. */
export type Wish = { user_id: string; user_dep: string }
type Grant = { school_id: number; role_id: string; valid_from: Date; valid_to: Date | null; reason?: string; by: string; now: Date; acted_for?: string; scope_ids?: string[] | null }

/** Gives the role to all who do not hold it in that time already; role_no by `user_id/user_dep` of those who got it. */
export async function insertMembers(db: IdentityHandle, { by, now, ...grant }: Grant, users: readonly Wish[]): Promise<ReadonlyMap<string, string>> {
  const given = new Map<string, string>()
  for (const batch of batches(users)) {
    const rows = batch.map(user => ({ ...grant, ...user, source: 'manual', created_at: now, created_by: by, updated_at: now, updated_by: by }))
    const inserted = await db.insertInto('role_member').values(rows).onConflict(oc => oc.doNothing()).returning(['user_id', 'user_dep', 'role_no']).execute()
    for (const row of inserted) given.set(`${row.user_id}/${row.user_dep}`, row.role_no)
  }
  return given
}
