import { startSession } from '@campus/identity/server'
import type { IdentityViews } from '@campus/identity/server'
import type { SchoolViews } from '@campus/school/server'
import type { Boot } from '@kit/server/http'
import { sql } from 'kysely'

type Views = SchoolViews & IdentityViews
type Holder = { user_id: string; is_super: boolean; schools: number[] }

const active = 2

/**
 * Begins a session as the first identity of an account (lowest school, lowest role_no) and answers its token. Development and tests only.
 * @throws Error in one line when the account or an identity is missing
 */
export async function issueToken({ app, database }: Boot, account: string): Promise<string> {
  const now = app.clock.now()
  const holder = await findHolder(database, account)
  if (!holder) throw new Error(`there is no account ${account}`)
  for (const school_id of holder.schools) {
    const role_no = await firstIdentity(database, school_id, holder)
    if (role_no === undefined) continue
    const session = { school_id, user_id: holder.user_id, role_no, device_label: '命令行', ip: '127.0.0.1' }
    const { token } = await startSession({ app, now, own: (id, fn) => database.tenant(id, fn) }, session)
    return token
  }
  throw new Error(`account ${account} has no identity in an active school`)
}

/** Accounts belong to no school: they are looked up in the installation (tenant 0). */
async function findHolder(database: Boot['database'], account: string): Promise<Holder | undefined> {
  const { rows } = await database.tenant<unknown, { rows: Holder[] }>(0, db =>
    sql<Holder>`
      select a.user_id, a.super_slot is not null as is_super,
        array(select s.school_id from account_school s where s.user_id = a.user_id and s.school_id > 0 order by 1) as schools
      from account a where a.username_key = ${account.toLowerCase()}`.execute(db),
  )
  return rows[0]
}

async function firstIdentity(database: Boot['database'], school_id: number, { user_id, is_super }: Holder): Promise<string | undefined> {
  return database.tenant<Views, string | undefined>(school_id, async db => {
    const school = await db.selectFrom('school_v').select('state').where('school_id', '=', school_id).executeTakeFirst()
    if (school?.state !== active) return undefined
    if (is_super) return `-${school_id}`
    const identity = await db.selectFrom('identity_now_v').select('role_no').where('school_id', '=', school_id).where('user_id', '=', user_id).orderBy('role_no').executeTakeFirst()
    return identity?.role_no
  })
}
