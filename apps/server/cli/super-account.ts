import { grantSuper, issueAccount, nextSubjectIds } from '@campus/identity/server'
import type { NewAccount } from '@campus/identity/server'
import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import { knownSchools } from '../backup/backup.ts'

const slots = [1, 2, 3, 4, 5] as const

/**
 * Makes a super account of every school there is; schools made later take it in by themselves.
 * @throws Error in one line when the five places are taken or the name is
 */
export async function makeSuperAccount(database: Database, account: Omit<NewAccount, 'user_id'>): Promise<void> {
  const schools = await knownSchools(database)
  await database.tenant<unknown, void>(0, async db => {
    const taken = await sql<{ username_key: string | null; super_slot: number | null }>`
      select username_key, super_slot from account where super_slot is not null or username_key = ${account.username.toLowerCase()}`.execute(db)
    if (taken.rows.some(row => row.username_key === account.username.toLowerCase())) throw new Error(`account ${account.username} exists already`)
    const slot = slots.find(free => taken.rows.every(row => row.super_slot !== free))
    if (!slot) throw new Error('there are five super accounts already; that is the most')
    const [user_id = ''] = await nextSubjectIds(db, 1)
    await sql`insert into account (user_id) values (${user_id})`.execute(db)
    await issueAccount(db, { ...account, user_id })
    await grantSuper(db, user_id, slot, schools)
  })
}

/** Whether the login name is taken, case-blind. */
export async function accountExists(database: Database, username: string): Promise<boolean> {
  const { rows } = await database.tenant<unknown, { rows: unknown[] }>(0, db => sql`select from account where username_key = ${username.toLowerCase()}`.execute(db))
  return rows.length > 0
}
