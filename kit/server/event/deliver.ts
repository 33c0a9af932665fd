import { sql } from 'kysely'
import type { Consumer, EventDesk } from '../http/context.ts'
import { readRef } from './due.ts'

type Row = { name: string; payload: unknown }

/** Takes lines behind this one off the due list, for a consumer that hears of several events at once. @returns their refs, in their order */
type TakeMore = (consumer: string, most: number) => Promise<readonly string[]>

/** Lets one consumer hear of one event, or of those that wait behind it too, in the transaction that takes the line off the due list. */
export async function deliverEvent(desk: EventDesk, ref: string, takeMore: TakeMore): Promise<void> {
  const found = await find(desk, ref)
  if (!found) return
  const { row, consumer } = found
  if (consumer.at_once === undefined) return consumer.handle(desk, [row.payload])
  const more = await takeMore(consumer.name, consumer.at_once - 1)
  const numbers = more.map(one => readRef(one).event_no)
  const { rows } = await sql<{ payload: unknown }>`
    select payload from outbox where school_id = ${desk.school_id} and event_no = any(${numbers}::bigint[]) order by event_no`.execute(desk.db)
  await consumer.handle(desk, [row.payload, ...rows.map(one => one.payload)])
}

/** Puts an event aside that a consumer could not take, so that the ones behind it go on. */
export async function parkEvent(desk: EventDesk, ref: string, error: unknown): Promise<void> {
  const found = await find(desk, ref)
  if (!found) return
  const { event_no } = readRef(ref)
  const { row, consumer } = found
  const words = String(error).slice(0, 300)
  await sql`
    insert into outbox_parked (school_id, consumer, event_no, name, payload, error, parked_at)
    values (${desk.school_id}, ${consumer.name}, ${event_no}, ${row.name}, ${JSON.stringify(row.payload)}::jsonb, ${words}, ${desk.now})
    on conflict do nothing`.execute(desk.db)
  desk.app.log.error({ consumer: consumer.name, event_no, event: row.name }, 'event parked')
}

/** Nothing when the event is forgotten or its consumer is no part of the product any more. */
async function find({ app, db, school_id }: EventDesk, ref: string): Promise<{ row: Row; consumer: Consumer } | undefined> {
  const { event_no, consumer: name } = readRef(ref)
  const { rows } = await sql<Row>`select name, payload from outbox where school_id = ${school_id} and event_no = ${event_no}`.execute(db)
  const [row] = rows
  const consumer = row && app.consumers.get(row.name)?.find(one => one.name === name)
  return consumer && { row, consumer }
}
