import type { Kysely } from 'kysely'
import { sql } from 'kysely'

/** States that only the product's own security work brings about; the demo sets them to show what follows. */

/** The account is refused with 6007 until a super administrator resets its password. */
export async function markVulnerable<T>(db: Kysely<T>, user_id: string, reason: string): Promise<void> {
  await sql`update account set vuln_reason = ${reason} where user_id = ${user_id}`.execute(db)
}

/** Passwords of the school must be changed after so many days. */
export async function limitPasswordAge<T>(db: Kysely<T>, school_id: number, days: number): Promise<void> {
  await sql`update password_set set valid_days = ${days} where school_id = ${school_id}`.execute(db)
}
