import { schoolDay } from '@campus/school/server'
import { managersAbove } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'

/** The role whose holders look after a school (seeded by identity). */
const school_admin = 'SYS001_SchoolAdmin'
type Asker = { db: QueryExecutorProvider; school_id: number; now: Date }

/** Who looks after a place; of a place that nobody looks after, and of none, those who look after the school. `urgent`: both. */
export async function receiversAt({ db, school_id, now }: Asker, node_path: string | null, urgent: boolean): Promise<{ user_id: string }[]> {
  const managers = node_path === null ? [] : await managersAbove(db, school_id, node_path, schoolDay(now))
  const admins = managers.length === 0 || urgent ? await schoolAdmins({ db, school_id, now }) : []
  return [...new Set([...managers, ...admins])].map(user_id => ({ user_id }))
}

function schoolAdmins(asker: Asker): Promise<string[]> {
  return holding(asker).where('r.code', '=', school_admin).execute().then(idsOf)
}

/** Who holds one of these roles today. */
export async function holdersOf(asker: Asker, role_ids: readonly string[]): Promise<string[]> {
  return role_ids.length === 0 ? [] : idsOf(await holding(asker).where('r.role_id', 'in', [...role_ids]).execute())
}

function idsOf(rows: readonly { user_id: string }[]): string[] {
  return rows.map(row => row.user_id)
}

function holding({ db, school_id, now }: Asker) {
  return asTables<DevicesDb>(db)
    .selectFrom('identity_now_v as i')
    .innerJoin('role_v as r', join => join.onRef('r.school_id', '=', 'i.school_id').onRef('r.role_id', '=', 'i.role_id'))
    .innerJoin('school_user_v as u', join => join.onRef('u.school_id', '=', 'i.school_id').onRef('u.user_id', '=', 'i.user_id'))
    .where('i.school_id', '=', school_id)
    .where('i.valid_from', '<=', now)
    .where(eb => eb.or([eb('i.valid_to', 'is', null), eb('i.valid_to', '>', now)]))
    .where('u.left_at', 'is', null)
    .select('i.user_id')
    .distinct()
}
