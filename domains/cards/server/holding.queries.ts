import type { HeldCard } from '@campus/cards/contract'
import { sql } from 'kysely'
import { allowedActs } from './allowed.ts'
import { blockStates } from './block.ts'
import type { Db } from './db.ts'

/** An open holding with its medium. */
export type Held = {
  holding_id: string; card_id: string; user_id: string; person_kind: number; slot: number; state: number; uid_hex: string; card_no: string; print_no: string | null
  card_type: string; media: string; valid_to: string | null; issued_at: Date; lost_at: Date | null; loss_op_id: string | null; credential_version: number; row_version: number
}

function openHoldings(db: Db, school_id: number) {
  return db
    .selectFrom('card_holding as h')
    .innerJoin('card as c', join => join.onRef('c.school_id', '=', 'h.school_id').onRef('c.card_id', '=', 'h.card_id').on('c.school_id', '=', school_id))
    .select(['h.holding_id', 'h.card_id', 'h.user_id', 'h.person_kind', 'h.slot', 'h.state', 'c.uid_hex', 'c.card_no', 'c.print_no', 'c.card_type', 'c.media', 'h.valid_to', 'h.issued_at', 'h.lost_at', 'h.loss_op_id', 'h.credential_version', 'h.row_version'])
    .where('h.school_id', '=', school_id)
    .where('h.ended_at', 'is', null)
}

/** The open holdings of people, main card first. */
export async function holdingsOf(db: Db, school_id: number, user_ids: readonly string[]): Promise<Held[]> {
  return openHoldings(db, school_id).where(sql<boolean>`h.user_id = any(${[...user_ids]}::bigint[])`).orderBy('h.slot').execute()
}

/** The open holdings of these cards, locked in the order of their ids so that two acts never wait for each other in a circle (chapter 40 rule 1). */
export async function lockHoldings(db: Db, school_id: number, card_ids: readonly string[]): Promise<Held[]> {
  return openHoldings(db, school_id).where(sql<boolean>`h.card_id = any(${[...card_ids]}::bigint[])`).orderBy('h.holding_id').forUpdate('h').execute()
}

/** The same, of one person in all slots. */
export async function lockHoldingsOf(db: Db, school_id: number, user_ids: readonly string[]): Promise<Held[]> {
  return openHoldings(db, school_id).where(sql<boolean>`h.user_id = any(${[...user_ids]}::bigint[])`).orderBy('h.holding_id').forUpdate('h').execute()
}

/** Holdings as the console shows them: with what may be done, and how far a loss has come. */
export async function shownCards(db: Db, school_id: number, held: readonly Held[]): Promise<Map<string, HeldCard[]>> {
  const blocks = await blockStates(db, school_id, held.flatMap(one => one.loss_op_id ?? []))
  const shown = held.map(one => [one.user_id, shownCard(one, blocks)] as const)
  return new Map([...Map.groupBy(shown, ([user_id]) => user_id)].map(([user_id, cards]) => [user_id, cards.map(([, card]) => card)]))
}

function shownCard(one: Held, blocks: Awaited<ReturnType<typeof blockStates>>): HeldCard {
  const { card_id, holding_id, slot, card_no, print_no, valid_to, row_version } = one
  return {
    card_id, holding_id, slot, card_no, print_no, valid_to, row_version,
    state: codeOf(states, one.state), card_type: codeOf(types, one.card_type), media: codeOf(medias, one.media),
    issued_at: one.issued_at.toISOString(),
    lost_at: one.lost_at?.toISOString() ?? null,
    block: one.loss_op_id === null ? null : (blocks.get(one.loss_op_id) ?? null),
    allowed_ops: allowedActs(one.state),
  }
}

const states = ['1', '0', '2', '3', '4', '5', '6', '7'] as const
const types = ['1', '2', '3', '4', '5', '6', '7', '8', '9'] as const
const medias = ['1', '2', '3', '4', '5', '6', '7'] as const

/** A code of a closed set as it is stored; the first one for what the set does not know. */
function codeOf<const T extends string>(codes: readonly [T, ...T[]], stored: string | number): T {
  return codes.find(code => code === String(stored)) ?? codes[0]
}

/** What each person's deposits come to, in fen. */
export async function depositsOf(db: Db, school_id: number, user_ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('card_deposit_entry')
    .select(['user_id', sql<number>`sum(amount)::int`.as('sum')])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`user_id = any(${[...user_ids]}::bigint[])`)
    .groupBy('user_id')
    .execute()
  return new Map(rows.map(row => [row.user_id, row.sum]))
}
