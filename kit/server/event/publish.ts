import type { EventFact } from '@kit/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import type { App } from '../http/context.ts'
import { dueEventPort, laneOf, refOf } from './due.ts'

/** Who publishes: a handler's ctx, or the same facts in background work. The handle may be typed to any tables. */
export type Publisher = {
  app: App
  db: QueryExecutorProvider
  school_id: number
  now: Date
  me?: { user_id: string } | null
  request?: { request_id: string }
}

/**
 * Tells everybody who listens that something has come true, in the transaction that makes it so: after its commit each consumer hears
 * of it, without the commit nobody does. An event to which nobody listens leaves no row.
 */
export async function publish<P extends z.ZodObject>(from: Publisher, fact: EventFact<P>, facts: z.input<P>): Promise<void> {
  await publishEach(from, fact, [facts])
}

/** Tells of several things of one kind that have come true, in their order, each as an event of its own: two statements, however many there are. */
export async function publishEach<P extends z.ZodObject>(from: Publisher, { name, payload: schema }: EventFact<P>, each: readonly z.input<P>[]): Promise<void> {
  const { app, db, school_id, now } = from
  const payloads = each.map(facts => schema.parse(facts))
  const consumers = app.consumers.get(name) ?? []
  if (consumers.length === 0 || payloads.length === 0) return
  const { rows } = await sql<{ event_no: string }>`
    insert into outbox (school_id, name, payload, happened_at, user_id, request_id)
    select ${school_id}::int, ${name}, e.payload, ${now}::timestamptz, ${from.me?.user_id ?? null}::bigint, ${from.request?.request_id ?? null}::uuid
    from jsonb_array_elements(${JSON.stringify(payloads)}::jsonb) with ordinality e(payload, nth) order by e.nth
    returning event_no`.execute(db)
  if (rows.length !== payloads.length) throw new Error(`event ${name} was not written`)
  const due = rows.flatMap(({ event_no }) => consumers.map(consumer => ({ school_id, ref: refOf(event_no, consumer.name), lane: laneOf(consumer.name), due_at: now })))
  await dueEventPort.one(app)(db, due)
}
