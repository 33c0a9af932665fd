import { deliverEvent, laneOf, parkEvent } from '@kit/server/event'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { WorkKind } from '../job-kind.ts'

/** Kind of the lines that tell a consumer of an event. */
export const event_work = 'event'

/** A consumer hears of an event. One that fails is tried for about an hour, the later ones wait for it; then it is put aside. */
export const eventWork: WorkKind = {
  kind: event_work,
  waits: [1, 5, 30, 120, 600, 3000],
  run: (db, { ref, ...desk }) => deliverEvent({ ...desk, db }, ref, (consumer, most) => takeMore(db, { school_id: desk.school_id, ref, consumer }, most)),
  gaveUp: (db, { ref, ...desk }, error) => parkEvent({ ...desk, db }, ref, error),
}

/** Takes the lines behind one off the lane of its consumer: the lane is this line's, so that no other process works in it. @returns their refs, in their order */
async function takeMore(db: QueryExecutorProvider, { school_id, ref, consumer }: { school_id: number; ref: string; consumer: string }, most: number): Promise<string[]> {
  const { rows } = await sql<{ ref: string }>`
    select ref from work where school_id = ${school_id} and kind = ${event_work} and lane = ${laneOf(consumer)} and ref <> ${ref} order by work_id limit ${most}`.execute(db)
  const refs = rows.map(row => row.ref)
  await sql`delete from work where school_id = ${school_id} and kind = ${event_work} and ref = any(${refs}::text[])`.execute(db)
  return refs
}

/** Forgets events that everybody has heard. */
export async function forgetEvents(db: QueryExecutorProvider, school_id: number, before: Date): Promise<void> {
  await sql`
    delete from outbox o where o.school_id = ${school_id} and o.happened_at < ${before}
      and not exists (select from work w where w.school_id = ${school_id} and w.kind = ${event_work} and w.ref like o.event_no || '#%')`.execute(db)
}
