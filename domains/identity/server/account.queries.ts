import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { markHere } from './account.departure.ts'
import { asIdentity, batches } from './db.ts'
import type { IdentityHandle } from './db.ts'

/** A person of a school as identity keeps him: display copies, no login yet. `user_id` only for somebody who already has one; `user_no` may be made from it. */
export type NewPerson = { user_id?: string; user_no: string | ((user_id: string) => string); user_name: string; user_kind: number; user_photo?: string | null }

/** `pwd_state` 1 own, 2 default, 3 reset. */
export type NewAccount = { user_id: string; username: string; password_hash: string; pwd_state: 1 | 2 | 3; pwd_set_at: Date }

/** Ids of the one global sequence of persons, for visitors too; in ascending order. */
export async function nextSubjectIds(db: QueryExecutorProvider, count: number): Promise<string[]> {
  if (count === 0) return []
  const { rows } = await sql<{ id: string }>`select nextval('subject_id_seq') as id from generate_series(1, ${count}::int)`.execute(db)
  return rows.map(row => row.id)
}

/**
 * Makes or updates people of a school: account without login, its school, its display copy. The only writer of school_user.
 * @returns the user ids in the order of `people`
 * @throws unique violation `school_user_no_key` when a number is taken by somebody else
 */
export async function ensureUsers(db: QueryExecutorProvider, school_id: number, people: readonly NewPerson[]): Promise<string[]> {
  const fresh = await nextSubjectIds(db, people.filter(person => person.user_id === undefined).length)
  const unused = fresh.values()
  const known = people.map(person => ({ ...person, user_id: person.user_id ?? unused.next().value ?? '' }))
  await insertMany(db, 'account', fresh.map(user_id => ({ user_id })))
  const is_fresh = new Set(fresh)
  await insertMany(db, 'account_school', fresh.map(user_id => ({ user_id, school_id })))
  await insertMany(db, 'school_user', known.filter(({ user_id }) => is_fresh.has(user_id)).map(person => displayed(school_id, person)))
  await writeKnown(db, school_id, known.filter(({ user_id }) => !is_fresh.has(user_id)))
  return known.map(person => person.user_id)
}

/** Somebody who has an account: perhaps not at this school yet, perhaps one who comes back. */
async function writeKnown(db: QueryExecutorProvider, school_id: number, people: readonly (NewPerson & { user_id: string })[]): Promise<void> {
  await insertMany(db, 'account_school', people.map(({ user_id }) => ({ user_id, school_id })), { set: [] })
  await markHere(db, school_id, people.map(person => person.user_id))
  // Somebody who comes back has not left: the column is not given, so the new row's is null.
  await insertMany(db, 'school_user', people.map(person => displayed(school_id, person)), { columns: ['school_id', 'user_id'], set: ['user_no', 'user_name', 'user_kind', 'user_photo', 'updated_at', 'left_at'] })
}

function displayed(school_id: number, { user_id, user_no, user_name, user_kind, user_photo = null }: NewPerson & { user_id: string }) {
  return { school_id, user_id, user_no: typeof user_no === 'string' ? user_no : user_no(user_id), user_name, user_kind, user_photo }
}

/**
 * Gives an account its login; the account is made when there is none. The hash is made before the transaction (`hashPassword`).
 * @throws unique violation `account_username_key` when the name is taken, case-blind
 */
export async function issueAccount(db: QueryExecutorProvider, account: NewAccount): Promise<void> {
  const { user_id, ...login } = account
  const issued = { ...login, pwd_grade: 0, enabled: true, departed_at: null, updated_at: account.pwd_set_at }
  await asIdentity(db)
    .insertInto('account')
    .values({ user_id, ...issued })
    .onConflict(oc => oc.column('user_id').doUpdateSet(issued))
    .execute()
}

/** Makes an account a super account of the given schools; schools made later add it by themselves. At most five slots. */
export async function grantSuper(db: QueryExecutorProvider, user_id: string, slot: 1 | 2 | 3 | 4 | 5, school_ids: readonly number[]): Promise<void> {
  const own = asIdentity(db)
  await own.updateTable('account').set({ super_slot: slot }).where('user_id', '=', user_id).execute()
  for (const batch of batches(school_ids)) {
    const rows = batch.map(school_id => ({ user_id, school_id }))
    await own.insertInto('account_school').values(rows).onConflict(oc => oc.doNothing()).execute()
  }
}

/** The account of a login name, case-blind. */
export function findAccount(db: IdentityHandle, username: string) {
  return db.selectFrom('account').selectAll().where('username_key', '=', username.toLowerCase()).executeTakeFirst()
}

/** The schools an account must be looked up in, lowest id first. */
export async function schoolsOf(db: IdentityHandle, user_id: string): Promise<number[]> {
  const rows = await db.selectFrom('account_school').select('school_id').where('user_id', '=', user_id).orderBy('school_id').execute()
  return rows.map(row => row.school_id)
}
