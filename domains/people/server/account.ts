import { ensureUsers } from '@campus/identity/server'
import type { Db } from './db.ts'

/** A person of the school as identity keeps it for display; a parent's number is made from the user id. */
export type Account = { user_no: string | null; user_name: string; user_kind: number }

/** Makes the accounts of new people through identity, the only writer of them. @returns user ids in the order of the rows */
export async function ensureAccounts(db: Db, school_id: number, people: readonly Account[]): Promise<string[]> {
  return people.length === 0 ? [] : ensureUsers(db, school_id, people)
}
