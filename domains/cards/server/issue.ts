import { cardsErrors, cardsEvents } from '@campus/cards/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { CardFormat } from '@kit/terminal-protocol/card'
import { putCredentials } from './block.ts'
import type { Act } from './db.ts'
import { holdingsOf } from './holding.queries.ts'
import type { Held } from './holding.queries.ts'
import { planExpiry } from './plan.ts'
import { op_codes, publishOp, writeOp } from './journal.ts'
import { numberOf, parseCard } from './number.ts'
import type { Holder } from './people.ts'
import { readFormat, readSetting } from './setting.ts'

export type NewHolding = { uid_hex: string; slot: number; card_type?: string | undefined; media?: string | undefined; print_no?: string | undefined; valid_to?: string | null | undefined; deposit?: number | undefined; pay_way?: number | undefined; op?: number; replaces?: string }
export type Medium = { card_id: string; uid_hex: string; card_no: string; stock_state: number }

const [in_stock, in_use, lost, void_] = [0, 1, 2, 3] as const
/** 1 pupil, 2 teacher, 3 parent: the type of a main card where none is said; enterprise staff have the staff's. */
const main_types: Readonly<Record<number, string>> = { 1: '1', 3: '3' }
const [slave_type, social_type, staff_type] = ['7', '6', '2'] as const
const social_slot = 8

/**
 * Reads a number in the school's format.
 * @throws Refusal 400 wrongNumber at the field
 */
export async function requireUid(act: Pick<Act, 'db' | 'school_id'>, text: string): Promise<{ uid_hex: string; format: CardFormat }> {
  const format = await readFormat(act.db, act.school_id, await readSetting(act.db, act.school_id))
  const uid_hex = parseCard(text, format)
  if (uid_hex === null) throw fail(cardsErrors.wrongNumber, { errors: [{ field: 'card_no', msg: cardsErrors.wrongNumber.msg }] })
  return { uid_hex, format }
}

/** The medium with this UID, locked; a UID is one medium for ever, so one that is new is made. */
export async function requireMedium(act: Act, uid_hex: string, format: CardFormat, made: { card_type: string; media?: string | undefined; origin?: number }): Promise<Medium> {
  const { db, school_id, now, by, via, batch_no } = act
  const origin = made.origin ?? (via === 3 ? 3 : 2)
  await db
    .insertInto('card')
    .values({ school_id, uid_hex, card_no: numberOf(uid_hex, format), media: made.media ?? '1', card_type: made.card_type, stock_state: in_stock, origin, batch_no: batch_no ?? null, created_at: now, created_by: by?.user_id ?? null })
    .onConflict(clash => clash.columns(['school_id', 'uid_hex']).doNothing())
    .execute()
  return db.selectFrom('card').select(['card_id', 'uid_hex', 'card_no', 'stock_state']).where('school_id', '=', school_id).where('uid_hex', '=', uid_hex).forUpdate().executeTakeFirstOrThrow()
}

/**
 * Gives somebody a card. Two unique indexes decide races: one open holding a person and slot, one a medium (chapter 40 rule 1).
 * @throws Refusal cardVoid, cardLost, mainMissing, slaveFull; holderHasCard and cardInUse by the indexes
 */
export async function issueTo(act: Act, holder: Holder, asked: NewHolding, format: CardFormat): Promise<{ op_id: string; held: Held }> {
  const { db, school_id } = act
  const { slot } = asked
  if (slot >= 1 && slot < social_slot) await requireRoomForSlave(act, holder.user_id)
  const card_type = asked.card_type ?? typeOf(holder.person_kind, slot)
  const medium = await requireMedium(act, asked.uid_hex, format, { card_type, media: asked.media })
  if (medium.stock_state === void_) throw fail(cardsErrors.cardVoid)
  if (medium.stock_state === lost) throw fail(cardsErrors.cardLost)
  const held = await openHolding(act, holder, medium, asked)
  await db
    .updateTable('card')
    .set({ stock_state: in_use, card_type, ...(asked.print_no === undefined || asked.print_no === '' ? {} : { print_no: asked.print_no }) })
    .where('school_id', '=', school_id)
    .where('card_id', '=', medium.card_id)
    .execute()
  const usual_op = slot >= 1 && slot < social_slot ? op_codes.issue_slave : op_codes.issue
  const op_id = await writeOp(act, { op: asked.op ?? usual_op, uid_hex: medium.uid_hex, card_id: medium.card_id, held: { ...held, state: 0 }, holder, to_state: 1, after_version: held.row_version })
  await chargeDeposit(act, held, asked.deposit ?? 0, asked.pay_way ?? 1)
  await putCredentials(act, [held])
  await planExpiry(act, held.valid_to)
  await publishOp(act, asked.replaces === undefined ? 'issued' : 'reissued', op_id, holder.user_id)
  await warnLowStock(act)
  return { op_id, held }
}

function typeOf(person_kind: number, slot: number): string {
  if (slot === social_slot) return social_type
  return slot >= 1 ? slave_type : (main_types[person_kind] ?? staff_type)
}

/** A slave card needs the main one, and there is a limit of the school's (chapter 40 §2.1). */
async function requireRoomForSlave({ db, school_id }: Act, user_id: string): Promise<void> {
  const [{ slave_max }, held] = [await readSetting(db, school_id), await holdingsOf(db, school_id, [user_id])]
  if (!held.some(one => one.slot === 0)) throw fail(cardsErrors.mainMissing)
  if (held.filter(one => one.slot >= 1 && one.slot < social_slot).length >= slave_max) throw fail(cardsErrors.slaveFull)
}

async function openHolding({ db, school_id, now }: Act, { user_id, person_kind }: Holder, medium: Medium, { slot, valid_to = null, replaces }: NewHolding): Promise<Held> {
  const { holding_id } = await db
    .insertInto('card_holding')
    .values({ school_id, card_id: medium.card_id, user_id, person_kind, slot, state: 1, issued_at: now, valid_to, replaces_holding_id: replaces ?? null })
    .returning('holding_id')
    .executeTakeFirstOrThrow()
  const { card_id, uid_hex, card_no } = medium
  return { holding_id, card_id, user_id, person_kind, slot, state: 1, uid_hex, card_no, print_no: null, card_type: '', media: '', valid_to, issued_at: now, lost_at: null, loss_op_id: null, credential_version: 1, row_version: 1 }
}

/** Books a deposit that was taken; nothing where there is none. */
async function chargeDeposit(act: Act, held: Pick<Held, 'user_id' | 'holding_id'>, amount: number, pay_way: number): Promise<void> {
  if (amount > 0) await bookDeposit(act, held, { kind: 1, amount, pay_way })
}

/** One entry of the append-only ledger of deposits; the event tells what finance has to post. */
export async function bookDeposit(act: Act, { user_id, holding_id }: Pick<Held, 'user_id' | 'holding_id'>, entry: { kind: number; amount: number; pay_way: number; reverses_entry_id?: string }): Promise<void> {
  const { db, school_id, now, by } = act
  const { entry_id } = await db.insertInto('card_deposit_entry').values({ school_id, user_id, holding_id, at: now, by_user_id: by?.user_id ?? null, ...entry }).returning('entry_id').executeTakeFirstOrThrow()
  await publish({ ...act, me: by }, cardsEvents.depositChanged, { entry_id, user_id, kind: entry.kind, amount: entry.amount, pay_way: entry.pay_way })
}

/** Says when blank cards run out, at the moment the limit is crossed. */
async function warnLowStock(act: Act): Promise<void> {
  const { db, school_id } = act
  const { low_stock } = await readSetting(db, school_id)
  const rows = await db.selectFrom('card').select('card_id').where('school_id', '=', school_id).where('stock_state', '=', in_stock).limit(low_stock + 1).execute()
  if (rows.length === low_stock - 1) await publish({ ...act, me: act.by }, cardsEvents.stockLow, { left: rows.length })
}
