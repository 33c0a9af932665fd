import { ensureUsers } from '@campus/identity/server'
import type { Db } from './db.ts'

/** A person of the school as identity keeps it for display; null: the number is made from the user id (`P1234`, parents). */
export type Account = { user_no: string | null; user_name: string; user_kind: number }

/** Makes the accounts of new people through identity, the only writer of them. @returns user ids in the order of the rows */
export async function ensureAccounts(db: Db, school_id: number, people: readonly Account[]): Promise<string[]> {
  if (people.length === 0) return []
  return ensureUsers(db, school_id, people.map(person => ({ ...person, user_no: person.user_no ?? parentNo })))
}

/** The number of a person who is neither pupil nor staff. */
export function parentNo(user_id: string): string {
  return `P${user_id}`
}
