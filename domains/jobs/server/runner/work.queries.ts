import type { Database } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { JobsDb } from '../db.ts'
import { job_work } from '../enqueue.ts'

/**
 * A piece of due work this process has taken; `attempts` tells it from the same piece taken by another process later. `fruitless`: how
 * many attempts in a row, this one included, have committed nothing yet.
 */
export type Claim = { work_id: string; school_id: number; kind: string; ref: string; attempts: number; fruitless: number }

export const lease_seconds = 30
const active_school = 2
const installation = 0

/**
 * Takes the longest due piece nobody holds. Jobs of a school that is not at work wait; short pieces do not, for they tell others that it has
 * stopped. Of a lane only the oldest piece may be taken, and none while another one runs.
 * Leases count in the database's own time, since processes of several machines compare them; due_at in the product's.
 */
export function claimWork(database: Database, kinds: readonly string[], now: Date): Promise<Claim | undefined> {
  return database.tenant<JobsDb, Claim | undefined>(installation, async db => {
    const paused = await pausedSchools(db, kinds)
    const { rows } = await sql<Claim>`
      update work set lease_until = now() + make_interval(secs => ${lease_seconds}), attempts = attempts + 1, fruitless = fruitless + 1
      where work_id = (
        select w.work_id from work w
        where w.kind in (${sql.join(kinds)}) and w.due_at <= ${now} and (w.lease_until is null or w.lease_until <= now())
          and (w.kind <> ${job_work} or w.school_id <> all(${paused}::int[]))
          and (w.lane is null or not exists (
            select from work o where o.school_id = w.school_id and o.lane = w.lane and o.work_id <> w.work_id
              and (o.work_id < w.work_id or o.lease_until > now())))
        order by w.due_at, w.work_id limit 1 for update of w skip locked)
      returning work_id, school_id, kind, ref, attempts, fruitless`.execute(db)
    return rows[0]
  })
}

/** Schools that are not at work: asked for apart, since a Citus cluster locks no rows in a question to other tables as well. */
async function pausedSchools(db: QueryExecutorProvider, kinds: readonly string[]): Promise<number[]> {
  if (!kinds.includes(job_work)) return []
  const { rows } = await sql<{ school_id: number }>`select school_id from school_state_v where state <> ${active_school}`.execute(db)
  return rows.map(row => row.school_id)
}

/** Prolongs the lease; false when another process has taken over. */
export function prolong(database: Database, claim: Claim): Promise<boolean> {
  return database.tenant<JobsDb, boolean>(installation, async db => {
    const { numUpdatedRows } = await db
      .updateTable('work')
      .set({ lease_until: sql<Date>`now() + make_interval(secs => ${lease_seconds})` })
      .where('work_id', '=', claim.work_id)
      .where('attempts', '=', claim.attempts)
      .executeTakeFirst()
    return numUpdatedRows === 1n
  })
}

/** Puts a piece back for another attempt: uncounted when the piece is not to blame (a clean stop, a lost database), else counted, whatever it committed before it failed. */
export function putBack(database: Database, claim: Claim, after: { seconds: number; counted: boolean }): Promise<void> {
  return database.tenant<JobsDb, void>(installation, async db => {
    await db
      .updateTable('work')
      .set({
        lease_until: sql<Date>`now() + make_interval(secs => ${after.seconds})`,
        fruitless: after.counted ? claim.fruitless : claim.fruitless - 1,
      })
      .where('work_id', '=', claim.work_id)
      .where('attempts', '=', claim.attempts)
      .execute()
  })
}

/**
 * Removes a piece in the transaction of its own work, so that it is done once.
 * @throws Error when another process has taken over: its transaction counts, not this one
 */
export async function takeOff(db: QueryExecutorProvider, claim: Claim): Promise<void> {
  const { numAffectedRows } = await sql`delete from work where work_id = ${claim.work_id} and attempts = ${claim.attempts}`.execute(db)
  if (numAffectedRows !== 1n) throw new Error(`${claim.kind} ${claim.ref} is somebody else's now`)
}

/** Removes a piece that has ended. */
export function dropWork(database: Database, claim: Claim): Promise<void> {
  return database.tenant<JobsDb, void>(installation, async db => {
    await db.deleteFrom('work').where('work_id', '=', claim.work_id).where('attempts', '=', claim.attempts).execute()
  })
}

/** Frees every lease. Only for the embedded engine, where this process is the only one: what was held died with the last one. */
export function freeLeases(database: Database): Promise<void> {
  return database.tenant<JobsDb, void>(installation, async db => {
    await db.updateTable('work').set({ lease_until: null }).where('lease_until', 'is not', null).execute()
  })
}
