import type { DeliveryState, OutsideChannel } from '@campus/messages/contract'
import { sql } from 'kysely'
import type { Insertable } from 'kysely'
import type { MessagesDb, MessagesHandle } from '../db.ts'
import { isOutside } from '../template.queries.ts'

/** The key of one delivery. */
export type DeliveryKey = { school_id: number; message_id: string; month: string; channel: number; to_key: string }

/** A delivery whose turn has come, with its message. */
export type DueDelivery = Omit<Awaited<ReturnType<typeof selectDue>>[number], 'channel'> & { channel: OutsideChannel; school_id: number }

/** Lets one process of a school at a time look at its deliveries, so that limits are not overrun. */
export async function holdDeliveries(db: MessagesHandle, school_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${1100}, ${school_id})`.execute(db)
}

/** Deliveries that are due, oldest first. */
export async function dueDeliveries(db: MessagesHandle, school_id: number, now: Date, limit: number): Promise<DueDelivery[]> {
  const rows = await selectDue(db, school_id, now, limit)
  return rows.flatMap(row => (isOutside(row.channel) ? [{ ...row, channel: row.channel, school_id }] : []))
}

function selectDue(db: MessagesHandle, school_id: number, now: Date, limit: number) {
  return db
    .selectFrom('message_delivery as d')
    .innerJoin('message as m', join => join.onRef('m.school_id', '=', 'd.school_id').onRef('m.message_id', '=', 'd.message_id').onRef('m.month', '=', 'd.month'))
    .where('d.school_id', '=', school_id)
    .where('d.state', 'in', ['queued', 'deferred'])
    .where('d.not_before', '<=', now)
    .select(['d.message_id', 'd.month', 'd.channel', 'd.to_key', 'd.attempts', 'm.source', 'm.source_ref', 'm.template_code'])
    .select(['m.title', 'm.body', 'm.link', 'm.level', 'm.expire_at', 'm.withdrawn_at'])
    .orderBy('d.not_before')
    .orderBy('d.message_id')
    .limit(limit)
    .execute()
}

/** A delivery that nobody has yet. */
export const waiting: readonly DeliveryState[] = ['queued', 'deferred']

/** Changes one delivery; false when it is no longer as the caller found it: tried so often, and in one of these states. */
export async function changeDelivery(db: MessagesHandle, key: DeliveryKey, found: { attempts: number; states?: readonly DeliveryState[] }, set: { state: DeliveryState; at: Date; reason?: number | null; attempts?: number; not_before?: Date | null; sent_at?: Date | null; provider_id?: string | null }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('message_delivery')
    .set(set)
    .where('school_id', '=', key.school_id)
    .where('message_id', '=', key.message_id)
    .where('month', '=', key.month)
    .where('channel', '=', key.channel)
    .where('to_key', '=', key.to_key)
    .where('attempts', '=', found.attempts)
    .$if(found.states !== undefined, query => query.where('state', 'in', found.states ?? []))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Adds a delivery on a channel that was not tried yet. */
export async function addDelivery(db: MessagesHandle, row: Insertable<MessagesDb['message_delivery']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('message_delivery')
    .values(row)
    .onConflict(on => on.columns(['school_id', 'message_id', 'channel', 'to_key', 'month']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** What has gone out since a moment, level 3 left out: by channel, and to each of these people. */
export async function countSent(db: MessagesHandle, school_id: number, since: Date, to_keys: readonly string[]) {
  const sent = db
    .selectFrom('message_delivery as d')
    .innerJoin('message as m', join => join.onRef('m.school_id', '=', 'd.school_id').onRef('m.message_id', '=', 'd.message_id').onRef('m.month', '=', 'd.month'))
    .where('d.school_id', '=', school_id)
    .where('d.channel', '>', 1)
    .where('d.sent_at', '>=', since)
    .where('m.level', '<', 3)
  const channels = await sent.select(({ fn }) => ['d.channel', fn.countAll<string>().as('n')]).groupBy('d.channel').execute()
  const people = await sent.where('d.to_key', 'in', to_keys).select(({ fn }) => ['d.to_key', fn.countAll<string>().as('n')]).groupBy('d.to_key').execute()
  return { channels: new Map(channels.map(({ channel, n }) => [channel, Number(n)])), people: new Map(people.map(({ to_key, n }) => [to_key, Number(n)])) }
}

/** The sealed addresses of deliveries to people without an account. */
export function readAddresses(db: MessagesHandle, school_id: number, to_keys: readonly string[]) {
  return db.selectFrom('message_address').select(['message_id', 'to_key', 'kind', 'address_enc']).where('school_id', '=', school_id).where('to_key', 'in', to_keys).execute()
}
