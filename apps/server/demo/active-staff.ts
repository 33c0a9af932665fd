import { sql } from 'kysely'
import type { Work } from './school-work.ts'

/** Somebody of the staff with an identity of the web; `is_account`: one of the demo accounts. */
export type Active = { user_id: string; user_no: string; user_name: string; role_no: string; is_account: boolean }

/** The staff of the school, each with one identity that stays. */
export async function activeStaff({ db, school_id }: Work): Promise<Active[]> {
  const { rows } = await sql<Active>`
    select distinct on (u.user_no) u.user_id, u.user_no, u.user_name, m.role_no, a.username is not null as is_account from school_user u
    join account a on a.user_id = u.user_id
    join role_member m on m.school_id = u.school_id and m.user_id = u.user_id join role r on r.school_id = m.school_id and r.role_id = m.role_id
    where u.school_id = ${school_id} and u.user_kind = 2 and u.left_at is null and m.valid_to is null and r.allow_login_web = 0 and not r.is_app
    order by u.user_no, m.role_no`.execute(db)
  return rows
}

/** One of a list by any number. */
export function oneOf<T>(list: readonly T[], at: number): T {
  const one = list[at % list.length]
  if (one === undefined) throw new Error('the demo school has nobody to be active')
  return one
}
