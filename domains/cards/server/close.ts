import { cardsErrors } from '@campus/cards/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import { dropCredentials, putCredentials } from './block.ts'
import type { Act } from './db.ts'
import { planExpiry } from './plan.ts'
import { depositsOf } from './holding.queries.ts'
import type { Held } from './holding.queries.ts'
import { bookDeposit } from './issue.ts'
import { op_codes, publishOp, writeOp } from './journal.ts'
import type { Holder } from './people.ts'

const [normal, replaced, handed_in, frozen, expired, forbidden] = [1, 3, 4, 5, 6, 7] as const
const [in_stock, stock_lost, stock_void] = [0, 2, 3] as const
const damaged = 3

/** Ends a holding; what its readers still have to forget goes on being counted while it was lost. */
export async function endHolding(act: Act, held: Held, state: 3 | 4 | 7, close_reason: string | null): Promise<void> {
  const { db, school_id, now } = act
  await db
    .updateTable('card_holding')
    .set({ state, ended_at: now, close_reason, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('holding_id', '=', held.holding_id)
    .execute()
  await dropCredentials(act, [held.holding_id])
}

/** Where a medium goes. */
export async function moveMedium({ db, school_id }: Act, card_id: string, stock_state: number): Promise<void> {
  await db.updateTable('card').set({ stock_state, row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('card_id', '=', card_id).execute()
}

export type RevokeWish = { returned: boolean; refund?: number | undefined; reason?: string | undefined }

/**
 * Takes a card from somebody: handed in it is in stock again, else it is lost (chapter 40 §2.1).
 * @throws Refusal refundTooMuch, slavesOpen by the caller
 */
export async function revokeCard(act: Act, held: Held, holder: Holder, { returned, refund, reason }: RevokeWish): Promise<string> {
  const op = held.slot >= 1 && held.slot <= 4 ? op_codes.revoke_slave : op_codes.revoke
  await endHolding(act, held, handed_in, reason ?? null)
  await moveMedium(act, held.card_id, returned ? in_stock : stock_lost)
  const op_id = await writeOp(act, { op, uid_hex: held.uid_hex, card_id: held.card_id, held, holder, to_state: handed_in, reason, after_version: held.row_version + 1 })
  await refundDeposit(act, held, refund ?? 0)
  await publishOp(act, 'revoked', op_id, held.user_id)
  return op_id
}

/** @throws Refusal refundTooMuch */
async function refundDeposit(act: Act, held: Held, refund: number): Promise<void> {
  if (refund === 0) return
  const balance = (await depositsOf(act.db, act.school_id, [held.user_id])).get(held.user_id) ?? 0
  if (refund > balance) throw fail(cardsErrors.refundTooMuch, { errors: [{ field: 'refund', msg: cardsErrors.refundTooMuch.msg }] })
  await bookDeposit(act, held, { kind: 2, amount: -refund, pay_way: 1 })
}

/** A card that nobody may use again, whoever has it: its medium is void (chapter 40 §2.1). */
export async function voidCard(act: Act, held: Held, holder: Holder | null, reason: string): Promise<string> {
  await endHolding(act, held, forbidden, reason)
  await moveMedium(act, held.card_id, stock_void)
  return writeOp(act, { op: op_codes.void, uid_hex: held.uid_hex, card_id: held.card_id, held, holder, to_state: forbidden, reason })
}

/** An old card whose holder gets another one: closed as replaced, its medium lost or, when it was damaged, void (chapter 40 rule 10). */
export async function replaceHolding(act: Act, held: Held, is_handed_in: boolean, lost_reason: number | null): Promise<void> {
  await endHolding(act, held, replaced, null)
  await moveMedium(act, held.card_id, lost_reason === damaged || is_handed_in ? stock_void : stock_lost)
}

/** Freezes a card in use, or ends that. @throws Refusal badState */
export async function freezeCard(act: Act, held: Held, holder: Holder, is_frozen: boolean, reason?: string): Promise<string> {
  const { db, school_id } = act
  if (held.state !== (is_frozen ? normal : frozen)) throw fail(cardsErrors.badState)
  const to_state = is_frozen ? frozen : normal
  const credential_version = held.credential_version + 1
  await db.updateTable('card_holding').set({ state: to_state, credential_version, row_version: held.row_version + 1 }).where('school_id', '=', school_id).where('holding_id', '=', held.holding_id).execute()
  if (is_frozen) await dropCredentials(act, [held.holding_id])
  else await putCredentials(act, [{ ...held, credential_version }])
  const op_id = await writeOp(act, { op: is_frozen ? op_codes.freeze : op_codes.unfreeze, uid_hex: held.uid_hex, card_id: held.card_id, held, holder, to_state, reason })
  await publishOp(act, is_frozen ? 'frozen' : 'unfrozen', op_id, held.user_id)
  return op_id
}

/** A later last day; an expired card is good again. @throws Refusal badState, renewLater */
export async function renewCard(act: Act, held: Held, holder: Holder, valid_to: string, today: string): Promise<string> {
  const { db, school_id } = act
  if (held.state !== normal && held.state !== expired && held.state !== frozen) throw fail(cardsErrors.badState)
  if (valid_to < today || (held.valid_to !== null && valid_to <= held.valid_to)) throw fail(cardsErrors.renewLater, { errors: [{ field: 'valid_to', msg: cardsErrors.renewLater.msg }] })
  const state = held.state === expired ? normal : held.state
  const credential_version = held.credential_version + 1
  await db.updateTable('card_holding').set({ state, valid_to, credential_version, row_version: held.row_version + 1 }).where('school_id', '=', school_id).where('holding_id', '=', held.holding_id).execute()
  if (state === normal) await putCredentials(act, [{ ...held, valid_to, credential_version }])
  await planExpiry(act, valid_to)
  return writeOp(act, { op: op_codes.renew, uid_hex: held.uid_hex, card_id: held.card_id, held, holder, to_state: state, reason: `有效期至${valid_to}` })
}
