import { deliverEvent, parkEvent } from '@kit/server/event'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { WorkKind } from '../job-kind.ts'

/** Kind of the lines that tell a consumer of an event. */
export const event_work = 'event'

/** A consumer hears of an event. One that fails is tried for about an hour, the later ones wait for it; then it is put aside. */
export const eventWork: WorkKind = {
  kind: event_work,
  waits: [1, 5, 30, 120, 600, 3000],
  run: (db, { ref, ...desk }) => deliverEvent({ ...desk, db }, ref),
  gaveUp: (db, { ref, ...desk }, error) => parkEvent({ ...desk, db }, ref, error),
}

/** Forgets events that everybody has heard. */
export async function forgetEvents(db: QueryExecutorProvider, school_id: number, before: Date): Promise<void> {
  await sql`
    delete from outbox o where o.school_id = ${school_id} and o.happened_at < ${before}
      and not exists (select from work w where w.school_id = ${school_id} and w.kind = ${event_work} and w.ref like o.event_no || '#%')`.execute(db)
}
