import { sql } from 'kysely'
import type { Receipt } from '../carrier/carrier.ts'
import type { MessagesHandle } from '../db.ts'
import { endSubmitted } from './settle.ts'
import type { Desk, Submitted } from './settle.ts'
import { isOutside } from '../template.queries.ts'

/** How long a receipt waits for its delivery. */
const kept_ms = 86_400_000

/** What became of a receipt: it was news, it had been told before, or nothing here has its number. */
export type ReceiptOutcome = 'settled' | 'repeated' | 'unknown'

/** Writes down what a provider tells of one of its messages. One whose delivery is not written down yet waits for it. */
export async function applyReceipt(desk: Desk, channel: number, { provider_id, reason }: Receipt): Promise<ReceiptOutcome> {
  const { db, school_id, now } = desk
  await holdReceipt(desk, channel, provider_id)
  const found = await submittedAs(db, school_id, channel, provider_id)
  if (found.length === 0) {
    const added = await db.insertInto('message_receipt').values({ school_id, channel, provider_id, reason, at: now }).onConflict(on => on.doNothing()).executeTakeFirst()
    return added.numInsertedOrUpdatedRows === 1n ? 'unknown' : 'repeated'
  }
  let is_news = false
  for (const delivery of found) if (await endSubmitted(desk, delivery, reason)) is_news = true
  return is_news ? 'settled' : 'repeated'
}

/** Settles a delivery just written down as submitted by the receipt that came before it. */
export async function applyWaiting(desk: Desk, delivery: Submitted, provider_id: string): Promise<void> {
  const { db, school_id } = desk
  const { channel } = delivery
  await holdReceipt(desk, channel, provider_id)
  const early = await db.deleteFrom('message_receipt').where('school_id', '=', school_id).where('channel', '=', channel).where('provider_id', '=', provider_id).returning('reason').executeTakeFirst()
  if (early) await endSubmitted(desk, delivery, early.reason)
}

/** Drops what has waited for a day. */
export async function dropReceipts({ db, school_id, now }: Desk): Promise<void> {
  await db.deleteFrom('message_receipt').where('school_id', '=', school_id).where('at', '<', new Date(now.getTime() - kept_ms)).execute()
}

/** The receipt and the writing down of its delivery look for each other one after the other, so that they cannot miss. */
async function holdReceipt({ db, school_id }: Desk, channel: number, provider_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${1101}, hashtext(${`${school_id}/${channel}/${provider_id}`}))`.execute(db)
}

async function submittedAs(db: MessagesHandle, school_id: number, channel: number, provider_id: string): Promise<Submitted[]> {
  const rows = await db
    .selectFrom('message_delivery as d')
    .innerJoin('message as m', join => join.onRef('m.school_id', '=', 'd.school_id').onRef('m.message_id', '=', 'd.message_id').onRef('m.month', '=', 'd.month'))
    .where('d.school_id', '=', school_id)
    .where('d.provider_id', '=', provider_id)
    .where('d.channel', '=', channel)
    .select(['d.message_id', 'd.month', 'd.channel', 'd.to_key', 'd.attempts', 'm.source', 'm.source_ref', 'm.template_code'])
    .execute()
  return rows.flatMap(row => (isOutside(row.channel) ? [{ ...row, channel: row.channel, school_id }] : []))
}
