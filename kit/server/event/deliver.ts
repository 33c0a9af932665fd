import { sql } from 'kysely'
import type { Consumer, EventDesk } from '../http/context.ts'
import { readRef } from './due.ts'

type Row = { name: string; payload: unknown }

/** Lets one consumer hear of one event, in the transaction that takes the line off the due list. */
export async function deliverEvent(desk: EventDesk, ref: string): Promise<void> {
  const found = await find(desk, ref)
  await found?.consumer.handle(desk, found.row.payload)
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
