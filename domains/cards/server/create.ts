import type { App } from '@kit/server/http'
import { asTables, insertMany } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import { putCredentials, refOf } from './block.ts'
import type { CardsDb } from './db.ts'
import { op_codes } from './journal.ts'
import { numberOf, usual_format } from './number.ts'

/** A card as it is made in bulk, without an act of anybody's: for the demo and for tests. Without a `user_id` it lies in stock. */
export type PlannedCard = {
  uid_hex: string; card_type: string; stock_state?: number; print_no?: string | null; batch_no?: string | null
  user_id?: string; user_name?: string; user_no?: string; dept_name?: string | null; person_kind?: number; slot?: number; valid_to?: string | null; issued_at: Date
}
type Step = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
const per_statement = 1000

/**
 * Makes media, their holdings, the lines of the journal and what devices know of them.
 * @returns by user id, how devices call his card (`source_ref`)
 * @throws Error when two of them are one card or one slot
 */
export async function createCards(step: Step, cards: readonly PlannedCard[]): Promise<Map<string, string>> {
  const refs = new Map<string, string>()
  for (let at = 0; at < cards.length; at += per_statement) await createPart(step, cards.slice(at, at + per_statement), refs)
  return refs
}

async function createPart({ app, db: handle, school_id, now }: Step, cards: readonly PlannedCard[], refs: Map<string, string>): Promise<void> {
  const db = asTables<CardsDb>(handle)
  await insertMany(db, 'card', cards.map(({ uid_hex, card_type, stock_state, print_no = null, batch_no = null, user_id, issued_at }) => ({
    school_id, uid_hex, card_no: numberOf(uid_hex, usual_format), print_no, media: '1', card_type, stock_state: stock_state ?? (user_id === undefined ? 0 : 1), origin: 1, batch_no, created_at: issued_at,
  })))
  const made = await db.selectFrom('card').select(['card_id', 'uid_hex']).where('school_id', '=', school_id).where('uid_hex', 'in', cards.map(card => card.uid_hex)).execute()
  const ids = new Map(made.map(row => [row.uid_hex, row.card_id]))
  const held = cards.flatMap(card => (card.user_id === undefined ? [] : [{ ...card, user_id: card.user_id, card_id: ids.get(card.uid_hex) ?? '' }]))
  await insertMany(db, 'card_holding', held.map(({ card_id, user_id, person_kind = 1, slot = 0, valid_to = null, issued_at }) => ({ school_id, card_id, user_id, person_kind, slot, state: 1, issued_at, valid_to })))
  const holdings = await db.selectFrom('card_holding').select(['holding_id', 'card_id', 'user_id', 'valid_to']).where('school_id', '=', school_id).where('card_id', 'in', ['0', ...held.map(one => one.card_id)]).where('ended_at', 'is', null).execute()
  const holding_of = new Map(holdings.map(row => [row.card_id, row]))
  await insertMany(db, 'card_op', held.map(({ card_id, uid_hex, user_id, user_name = null, user_no = null, dept_name = null, issued_at, slot = 0 }) => ({
    school_id, at: issued_at, op: slot === 0 ? op_codes.issue : op_codes.issue_slave, card_id, uid_hex, via: 3, user_id, user_name, user_no, dept_name, holding_id: holding_of.get(card_id)?.holding_id ?? null, from_state: 0, to_state: 1,
  })))
  const uids = new Map(held.map(card => [card.card_id, card.uid_hex]))
  await putCredentials({ app, db, school_id, now, by: null, via: 3 }, holdings.map(row => ({ ...row, uid_hex: uids.get(row.card_id) ?? '', credential_version: 1 })))
  for (const { user_id, holding_id } of holdings) refs.set(user_id, refOf(holding_id))
}
