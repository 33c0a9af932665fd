import { ensureUsers, grantSuper, issueAccount } from '@campus/identity/server'
import type { NewAccount } from '@campus/identity/server'
import { constraintOf } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { knownSchools } from '../known-schools.ts'

const slots = [1, 2, 3, 4, 5] as const
const staff_kind = 2

/** A super account to be made; the hash is ready, since hashing never happens inside a transaction. */
export type NewSuper = Omit<NewAccount, 'user_id'> & { user_name: string }

/**
 * Makes a super account in the first free of the five places, for every school there is; schools made later take it in by themselves.
 * @throws Error in one line when the name or all places are taken
 */
export async function makeSuperAccount(database: Database, account: NewSuper): Promise<void> {
  const schools = await knownSchools(database)
  for (const slot of slots) if (await occupies(() => insertSuper(database, account, slot, schools))) return
  throw new Error('there are five super accounts already, which is the most')
}

/** False when somebody else has the place. */
async function occupies(insert: () => Promise<void>): Promise<boolean> {
  return insert().then(
    () => true,
    (error: unknown) => {
      const constraint = constraintOf(error)?.constraint
      if (constraint === 'account_super_slot_key') return false
      if (constraint === 'account_username_key' || constraint === 'school_user_no_key') throw new Error('this account name is taken', { cause: error })
      throw error
    },
  )
}

/** The platform (tenant 0) keeps the name; a school knows only people of its own. */
function insertSuper(database: Database, { user_name, ...account }: NewSuper, slot: (typeof slots)[number], schools: readonly number[]): Promise<void> {
  return database.tenant<unknown, void>(0, async db => {
    const [user_id = ''] = await ensureUsers(db, 0, [{ user_no: account.username, user_name, user_kind: staff_kind }])
    await issueAccount(db, { ...account, user_id })
    await grantSuper(db, user_id, slot, schools)
  })
}
