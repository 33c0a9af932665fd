import { Port } from '@kit/server/http'
import type { App, NewSchool } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'

/** Who is in a school: its people, those with a live session now, and when somebody last came in. */
export type SchoolUse = { people: number; online: number; last_login_at: Date | null }

/** The first administrator of a new school; the hash is ready, since hashing never happens inside a transaction. */
export type FirstAdmin = { admin_account: string; admin_name: string; password_hash: string }

/** The transaction of a school in which its keeper does something that others hear of. */
type KeeperDesk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** What only the keeper of accounts can say and do when a school begins, stops or goes on. Every handle is the transaction of that school. */
export type SchoolKeeper = {
  use(db: QueryExecutorProvider, school_id: number, now: Date): Promise<SchoolUse>
  /** spends the proof of a password typed again; false when it is not this person's, stale or used */
  spendRecheck(db: QueryExecutorProvider, user_id: string, recheck_token: string, now: Date): Promise<boolean>
  /** a password to be shown once, and its hash */
  newPassword(): Promise<{ password: string; password_hash: string }>
  addAdmin(desk: KeeperDesk, admin: FirstAdmin): Promise<void>
  /** ends every session of the school and what would begin another one; answers how many sessions */
  shut(desk: KeeperDesk): Promise<number>
  /** forgets what this process remembers of the school's sessions, after the commit */
  forget(app: App, school_id: number): void
}

/** Filled by identity. */
export const schoolKeeperPort = new Port<SchoolKeeper>('school.keeper')

/** Filled by the composition of the product: the seed steps of every domain, in the transaction that makes the school. */
export const schoolSeedPort = new Port<(db: QueryExecutorProvider, school: NewSchool) => Promise<void>>('school.seed')
