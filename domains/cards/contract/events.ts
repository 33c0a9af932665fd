import { event, id } from '@kit/contract'
import { UserId } from '@campus/people/contract'
import { z } from 'zod'

const Op = z.object({ op_id: id('cards.op'), user_id: UserId })

/** What the cards domain publishes (chapter 40 §7, 90 §3): ids only. */
export const cardsEvents = {
  issued: event('card.issued', Op),
  lost: event('card.lost', Op.extend({ freeze_wallet: z.boolean() })),
  unlost: event('card.unlost', Op),
  reissued: event('card.reissued', Op),
  revoked: event('card.revoked', Op),
  /** the last day of a holding is over; nobody acted, so there is no line of the journal */
  expired: event('card.expired', z.object({ holding_id: id('cards.holding'), user_id: UserId })),
  frozen: event('card.frozen', Op),
  unfrozen: event('card.unfrozen', Op),
  blockClosed: event('card.block_closed', z.object({ op_id: id('cards.op') })),
  usedAfterBlock: event('card.used_after_block', z.object({ user_id: UserId, device_id: z.string(), device_seq: z.string() })),
  stockLow: event('card.stock_low', z.object({ left: z.number().int() })),
  depositChanged: event('card.deposit_changed', z.object({ entry_id: id('cards.deposit'), user_id: UserId, kind: z.number().int(), amount: z.number().int(), pay_way: z.number().int() })),
}
