import { cardsErrors, cardsEvents } from '@campus/cards/contract'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { closeBlock, dropCredentials, openBlock, putCredentials, showBlock } from './block.ts'
import type { Act } from './db.ts'
import { planWatch } from './plan.ts'
import { lockHoldingsOf } from './holding.queries.ts'
import type { Held } from './holding.queries.ts'
import { op_codes, publishOp, writeOp } from './journal.ts'
import type { Holder } from './people.ts'

const [normal, lost, frozen, expired] = [1, 2, 5, 6] as const
const social_slot = 8

export type LossWish = { lost_reason: number; freeze_wallet: boolean; remark?: string | undefined }

/**
 * A card is lost: every reader that could honour it has to forget it, and says so (chapter 40 §2.1). One that is lost already stays as it is.
 * @returns the id of the loss, the old one for a repeated loss
 * @throws Refusal badState
 */
export async function loseCard(act: Act, held: Held, holder: Holder, { lost_reason, freeze_wallet, remark }: LossWish): Promise<string> {
  if (held.state === lost && held.loss_op_id !== null) return held.loss_op_id
  if (held.state !== normal && held.state !== frozen) throw fail(cardsErrors.badState)
  const { db, school_id, now } = act
  const op_id = await writeOp(act, { op: op_codes.loss, uid_hex: held.uid_hex, card_id: held.card_id, held, holder, to_state: lost, reason: remark, after_version: held.row_version + 1 })
  await db
    .updateTable('card_holding')
    .set({ state: lost, lost_at: now, lost_reason, loss_op_id: op_id, row_version: held.row_version + 1 })
    .where('school_id', '=', school_id)
    .where('holding_id', '=', held.holding_id)
    .execute()
  const holders = await dropCredentials(act, [held.holding_id])
  await openBlock(act, op_id, holders)
  await showBlock(act, op_id)
  // A card that no reader holds opens nothing while its reader is offline: there is nothing to watch.
  if (holders.length > 0) await planWatch(act, op_id)
  await publish({ ...act, me: act.by }, cardsEvents.lost, { op_id, user_id: held.user_id, freeze_wallet })
  return op_id
}

/** The slave cards of somebody whose main card is among the lost ones. */
export async function slavesOf({ db, school_id }: Act, held: readonly Held[]): Promise<Held[]> {
  const owners = held.filter(one => one.slot === 0).map(one => one.user_id)
  if (owners.length === 0) return []
  const known = new Set(held.map(one => one.holding_id))
  const all = await lockHoldingsOf(db, school_id, owners)
  return all.filter(one => one.slot >= 1 && one.slot < social_slot && !known.has(one.holding_id))
}

/**
 * A lost card was found: it is good again, or expired when its last day passed meanwhile.
 * @throws Refusal notLost
 */
export async function findCard(act: Act, held: Held, holder: Holder, today: string, reason?: string): Promise<string> {
  if (held.state !== lost) throw fail(cardsErrors.notLost)
  const { db, school_id } = act
  const is_over = held.valid_to !== null && held.valid_to < today
  const credential_version = held.credential_version + 1
  await db
    .updateTable('card_holding')
    .set({ state: is_over ? expired : normal, lost_at: null, lost_reason: null, loss_op_id: null, credential_version, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('holding_id', '=', held.holding_id)
    .execute()
  if (held.loss_op_id !== null) await closeBlock(act, held.loss_op_id)
  if (held.loss_op_id !== null) await showBlock(act, held.loss_op_id)
  const op_id = await writeOp(act, { op: op_codes.cancel_loss, uid_hex: held.uid_hex, card_id: held.card_id, held, holder, to_state: is_over ? expired : normal, reason })
  if (!is_over) await putCredentials(act, [{ ...held, credential_version }])
  await publishOp(act, 'unlost', op_id, held.user_id)
  return op_id
}
