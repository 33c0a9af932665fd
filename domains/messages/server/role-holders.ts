import { asMessages } from './db.ts'
import type { Sender } from './send.ts'

/** The role whose holders look after a school (seeded by identity). */
const school_admin = 'SYS001_SchoolAdmin'
type Asker = Pick<Sender, 'db' | 'school_id' | 'now'>

/** Who looks after the school now; nobody in school 0, the installation. */
export function schoolAdmins(asker: Asker): Promise<{ user_id: string }[]> {
  return holding(asker).where('r.code', '=', school_admin).execute()
}

/** Who holds one of these roles of the school now. */
export async function holdersOf(asker: Asker, role_ids: readonly string[]): Promise<{ user_id: string }[]> {
  return role_ids.length === 0 ? [] : holding(asker).where('r.role_id', 'in', [...role_ids]).execute()
}

function holding({ db, school_id, now }: Asker) {
  return asMessages(db)
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
