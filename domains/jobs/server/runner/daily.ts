import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { addWork } from '../due-work.ts'
import type { WorkKind } from '../job-kind.ts'
import { forgetEvents } from './event-work.ts'

const day_ms = 86_400_000
const kept_keys_days = 2
const kept_events_days = 7

/** Puts the next day's housekeeping of a school on the due list; every school always has one line there. */
export async function planDaily(db: QueryExecutorProvider, school_id: number, now: Date): Promise<void> {
  const due_at = new Date(now.getTime() + day_ms)
  await addWork(db, { school_id, kind: 'school_daily', ref: due_at.toISOString().slice(0, 10), due_at })
}

/** Once a day and school: answers kept for repeated requests are forgotten after two days, events that everybody has heard after a week. */
export const daily: WorkKind = {
  kind: 'school_daily',
  gaveUp: (db, { school_id, now }) => planDaily(db, school_id, now),
  async run(db, { school_id, now }) {
    await planDaily(db, school_id, now)
    await forgetEvents(db, school_id, new Date(now.getTime() - kept_events_days * day_ms))
    const before = new Date(now.getTime() - kept_keys_days * day_ms)
    await sql`delete from idempotency_key where school_id = ${school_id} and created_at < ${before}`.execute(db)
  },
}
