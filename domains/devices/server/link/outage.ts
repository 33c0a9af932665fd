import { brokerPort } from '@kit/server/mqtt'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { tellOutage } from '../tell/tell-outage.ts'
import { takeOffline, tellStates } from './link.write.ts'
import type { Sessions } from './sessions.ts'

/** So long a device keeps its last state when the broker is gone (确认中, chapter 30 §2.2). */
const confirming_ms = 90_000
/** A session of our own protocol that says nothing for three heartbeats and a bit is over, whatever its line says. */
const silent_ms = 100_000
/** Breaks that follow each other are told of once. */
const told_together_ms = 10 * 60_000
/** Devices that come back together are filled one after the other within so long (chapter 30 rule 5). */
const drain_ms = 30_000

/** Who has devices. */
export function schoolsOf(sessions: Sessions): Promise<{ school_id: number }[]> {
  return sessions.tenant(0, db => db.selectFrom('device_client').select('school_id').distinct().where('revoked_at', 'is', null).execute())
}

/** The broker is gone: whoever was there is being confirmed, and whoever looks after a school is told, once. */
export function beginOutage(sessions: Sessions): void {
  const now = sessions.app.clock.now()
  const before = sessions.outage
  if (before && before.until === null) return
  const is_told = before !== null && before.until !== null && now.getTime() - before.until.getTime() < told_together_ms
  sessions.outage = { since: now, until: null }
  void sessions.queue('outage', async () => {
    for (const { school_id } of await schoolsOf(sessions)) await confirmSchool(sessions, school_id, { since: now, before: now, told: is_told })
  })
}

/** The broker is there again. What waits for the devices goes out within half a minute, not at once. */
export function endOutage(sessions: Sessions): void {
  if (sessions.outage?.until === null) sessions.outage = { since: sessions.outage.since, until: sessions.app.clock.now() }
}

/**
 * The devices of a school that were online and last heard of before a moment are being confirmed. `told`: nobody is to be told. A short
 * break that nobody was there to see (the server itself was away) is told of only where it was longer than a silence.
 */
export async function confirmSchool(sessions: Sessions, school_id: number, { since, before, told }: { since: Date; before: Date; told: boolean }): Promise<void> {
  const { app } = sessions
  const now = app.clock.now()
  await sessions.tenant(school_id, async db => {
    const { rows } = await sql<{ device_id: string }>`update device set confirming_since = ${now} where school_id = ${school_id} and online and confirming_since is null and last_seen_at <= ${before} returning device_id::text`.execute(db)
    await tellStates({ db, school_id }, rows.map(row => row.device_id))
    // Sessions that have ended with the broker have marked theirs already.
    const { count } = await db.selectFrom('device').select(sql<number>`count(*)::int`.as('count')).where('school_id', '=', school_id).where('confirming_since', 'is not', null).executeTakeFirstOrThrow()
    if (!told && count > 0) await tellOutage({ app, db, school_id, now }, since, count)
  })
}

/** When the devices of a school were last heard of, of those that are said to be online; null: none is. */
export async function lastHeard(db: Db, school_id: number): Promise<Date | null> {
  const row = await db.selectFrom('device').select(eb => eb.fn.max('last_seen_at').as('at')).where('school_id', '=', school_id).where('online', '=', true).executeTakeFirst()
  return row?.at ?? null
}

/** Whoever has not come back in time is offline after all. */
export async function endConfirming(sessions: Sessions): Promise<void> {
  const { app } = sessions
  const before = new Date(app.clock.now().getTime() - confirming_ms)
  for (const { school_id } of await schoolsOf(sessions)) {
    const gone = await sessions.tenant(school_id, db => db.selectFrom('device').select('device_id').where('school_id', '=', school_id).where('confirming_since', '<=', before).where('parent_device_id', 'is', null).execute())
    for (const { device_id } of gone) await sessions.tenant(school_id, db => takeOffline({ app, db, school_id, device_id, now: app.clock.now() }, 'broker'))
  }
}

/** Ends sessions that have said nothing for too long; `at` is a moment of the machine's own clock, in milliseconds. Hardware that need not say anything is left to its line. */
export async function endSilent(sessions: Sessions, at = performance.now()): Promise<void> {
  const silent = sessions.all().filter(({ device, epoch, heard_ms }) => device?.driver === 'jdev' && epoch !== null && at - heard_ms > silent_ms)
  for (const session of silent) {
    await sessions.queue(session.client_id, async () => {
      if (sessions.of(session.client_id) === session) await sessions.inLine(session, line => takeOffline(line, 'keepalive'))
    })
    brokerPort.one(sessions.app).kick(session.client_id)
  }
}

/** Until when rows wait for a device that has just come back: nothing, but after the broker was away. */
export function drainFrom(sessions: Sessions, now: Date, random = Math.random()): Date | null {
  const back = sessions.outage?.until
  if (!back || now.getTime() - back.getTime() > drain_ms) return null
  return new Date(back.getTime() + random * drain_ms)
}
