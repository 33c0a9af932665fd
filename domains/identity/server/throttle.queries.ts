import { sql } from 'kysely'
import type { IdentityHandle } from './db.ts'

const day_ms = 86_400_000
const window_ms = 15 * 60_000
const ip_window_ms = 60_000
const reset_window_ms = 3_600_000
const resets_per_hour = 5

/** What the throttle says to one attempt. `locked_until` is set when this attempt was the one that used up the last try. */
export type Attempt = { subject: string; admitted: boolean; locked_until: Date | null }

/**
 * Counts an attempt and decides about it by one statement, before anything is hashed: of any number of parallel guesses only
 * `lock_times` within 15 minutes are let through, then the subject is locked for 10, within a day 30, then 60 minutes.
 */
export async function countAttempt(db: IdentityHandle, subject: string, lock_times: number, now: Date): Promise<Attempt> {
  const row = { subject_kind: 'account', subject, fails: 1, window_at: now }
  const is_locked = sql<boolean>`coalesce(login_throttle.locked_until > ${now}, false)`
  const is_fresh = sql`(login_throttle.window_at <= ${ago(now, window_ms)} or coalesce(login_throttle.locked_until <= ${now} and login_throttle.locked_until > login_throttle.window_at, false))`
  const fails = sql<number>`case when ${is_fresh} then 1 else login_throttle.fails + 1 end`
  const level = sql<number>`case when login_throttle.locked_until > ${ago(now, day_ms)} then least(login_throttle.lock_level + 1, 3) else 1 end`
  const is_last = sql`not ${is_locked} and ${fails} >= ${lock_times}`
  const in_minutes = (count: number) => sql`${new Date(now.getTime() + count * 60_000)}::timestamptz`
  const end = sql`case ${level} when 1 then ${in_minutes(10)} when 2 then ${in_minutes(30)} else ${in_minutes(60)} end`
  const { admitted, locked_until } = await db
    .insertInto('login_throttle')
    .values(row)
    .onConflict(oc =>
      oc.columns(['subject_kind', 'subject']).doUpdateSet({
        admitted: sql<boolean>`not ${is_locked}`,
        fails: sql<number>`case when ${is_locked} then login_throttle.fails else ${fails} end`,
        window_at: sql<Date>`case when not ${is_locked} and ${is_fresh} then ${now} else login_throttle.window_at end`,
        locked_until: sql<Date | null>`case when ${is_last} then ${end} else login_throttle.locked_until end`,
        lock_level: sql<number>`case when ${is_last} then ${level} else login_throttle.lock_level end`,
      }),
    )
    .returning(['admitted', 'locked_until'])
    .executeTakeFirstOrThrow()
  return { subject, admitted, locked_until: admitted && locked_until && locked_until > now ? locked_until : null }
}

/** An attempt was right: the count begins anew, and a lock that this very attempt had set is taken back. */
export async function forgiveAttempt(db: IdentityHandle, { subject, locked_until }: Attempt): Promise<void> {
  const own_lock = sql<boolean>`coalesce(locked_until = ${locked_until}::timestamptz, false)`
  await db
    .updateTable('login_throttle')
    .set({
      fails: 0,
      lock_level: sql<number>`case when ${own_lock} then greatest(lock_level - 1, 0) else lock_level end`,
      locked_until: sql<Date | null>`case when ${own_lock} then null else locked_until end`,
    })
    .where('subject_kind', '=', 'account')
    .where('subject', '=', subject)
    .execute()
}

/** Seconds an address has to wait because it failed too often in this minute; 0 when it may go on. */
export async function waitOfAddress(db: IdentityHandle, ip: string, limit: number, now: Date): Promise<number> {
  const row = await db.selectFrom('login_throttle').select(['fails', 'window_at']).where('subject_kind', '=', 'ip').where('subject', '=', ip).executeTakeFirst()
  if (!row || row.fails < limit) return 0
  return Math.max(0, Math.ceil((row.window_at.getTime() + ip_window_ms - now.getTime()) / 1000))
}

/** Counts a failed login of an address. */
export async function countFailOfAddress(db: IdentityHandle, ip: string, now: Date): Promise<void> {
  const is_fresh = sql`login_throttle.window_at <= ${ago(now, ip_window_ms)}`
  await db
    .insertInto('login_throttle')
    .values({ subject_kind: 'ip', subject: ip, fails: 1, window_at: now })
    .onConflict(oc =>
      oc.columns(['subject_kind', 'subject']).doUpdateSet({
        fails: sql<number>`case when ${is_fresh} then 1 else login_throttle.fails + 1 end`,
        window_at: sql<Date>`case when ${is_fresh} then ${now} else login_throttle.window_at end`,
      }),
    )
    .execute()
}

/** Counts a reset of a password; answers the seconds to wait when this account had its five of the hour, 0 when it may go on (chapter 10 S9). */
export async function countReset(db: IdentityHandle, user_id: string, now: Date): Promise<number> {
  const is_fresh = sql`login_throttle.window_at <= ${ago(now, reset_window_ms)}`
  const { fails, window_at } = await db
    .insertInto('login_throttle')
    .values({ subject_kind: 'reset', subject: user_id, fails: 1, window_at: now })
    .onConflict(oc =>
      oc.columns(['subject_kind', 'subject']).doUpdateSet({
        fails: sql<number>`case when ${is_fresh} then 1 else login_throttle.fails + 1 end`,
        window_at: sql<Date>`case when ${is_fresh} then ${now} else login_throttle.window_at end`,
      }),
    )
    .returning(['fails', 'window_at'])
    .executeTakeFirstOrThrow()
  return fails <= resets_per_hour ? 0 : Math.max(1, Math.ceil((window_at.getTime() + reset_window_ms - now.getTime()) / 1000))
}

/** Forgets what was guessed at a login name, and at the name on each device: nothing is locked any more. */
export async function forgetGuesses(db: IdentityHandle, name: string): Promise<void> {
  await db
    .deleteFrom('login_throttle')
    .where('subject_kind', '=', 'account')
    .where(sql<boolean>`split_part(subject, '@', 1) = ${name}`)
    .execute()
}

function ago(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}
