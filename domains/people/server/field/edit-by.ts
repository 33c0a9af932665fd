import type { IdentityViews } from '@campus/identity/server'
import { commonErrors, fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import type { Me } from '@kit/server/http'
import type { Db } from '../db.ts'

type Restricted = { edit_by: readonly string[] }

/** Tells of a field whether the acting identity is of a role group that fills it; the database is asked only where a field is kept to some. */
export async function groupOf({ db, school_id, me }: { db: Db; school_id: number; me: Me }, fields: readonly Restricted[]): Promise<(field: Restricted) => boolean> {
  if (me.is_super || fields.every(field => field.edit_by.length === 0)) return () => true
  const role = await asTables<IdentityViews>(db).selectFrom('role_v').select('role_group_id').where('school_id', '=', school_id).where('role_id', '=', me.role_id).executeTakeFirst()
  return ({ edit_by }) => edit_by.length === 0 || edit_by.includes(role?.role_group_id ?? '')
}

/** Fields are kept to role groups of the school; one that has gone since may go on standing. @throws Refusal 404 for another one */
export async function refuseGroups(db: Db, school_id: number, fields: readonly Restricted[], known: readonly Restricted[]): Promise<void> {
  const standing = new Set(known.flatMap(field => field.edit_by))
  const asked = new Set(fields.flatMap(field => field.edit_by).filter(id => !standing.has(id)))
  if (asked.size === 0) return
  const rows = await asTables<IdentityViews>(db).selectFrom('role_v').select('role_group_id').distinct().where('school_id', '=', school_id).where('role_group_id', 'in', [...asked]).execute()
  if (rows.length < asked.size) throw fail(commonErrors.notFound)
}
