import { readStored, writeStored } from './storage.ts'
import type { StoredName } from './storage.ts'

/** A whole session in the order of writing: the token stands last, so that a tab that wakes up on it finds the rest. */
export type StoredSession = readonly (readonly [name: StoredName, value: string])[]

/** Stores a session. */
export function writeSession(values: StoredSession): void {
  for (const [name, value] of values) writeStored(name, value)
}

/** The account signed in here when it is another one than `user_id`, else null. */
export function otherAccount(user_id: string): string | null {
  const signed_in = readStored('token') !== null && readStored('user_id') !== user_id
  return signed_in ? readStored('account') ?? '' : null
}

/** Version of the dictionary kept from an earlier session, if it is this school's. */
export function heldDictionary(school_id: number): string | undefined {
  if (readStored('school_id') !== String(school_id)) return undefined
  const held = readJson('dictionary')
  return typeof held === 'object' && held !== null && 'version' in held ? String(held.version) : undefined
}

/** The role_no used last in this browser, null after a sign-out: signing out forgets it. */
export function lastUsed(): string | null {
  const role_nos = readJson('role_nos')
  const first: unknown = Array.isArray(role_nos) ? role_nos[0] : null
  return typeof first === 'string' ? first : null
}

function readJson(name: StoredName): unknown {
  try {
    return JSON.parse(readStored(name) ?? 'null')
  } catch {
    return null
  }
}
