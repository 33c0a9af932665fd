import { cardsErrors } from '@campus/cards/contract'
import type { CardResult, cardApi } from '@campus/cards/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail, Refusal } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { blockStates } from './block.ts'
import { freezeCard, renewCard, replaceHolding, revokeCard } from './close.ts'
import { actOf } from './db.ts'
import type { Act, CardsCtx } from './db.ts'
import { lockHoldings } from './holding.queries.ts'
import type { Held } from './holding.queries.ts'
import { bookDeposit, issueTo, requireUid } from './issue.ts'
import { op_codes } from './journal.ts'
import { findCard, loseCard, slavesOf } from './loss.ts'
import { readHolders, requireHolder, scopesOf } from './people.ts'
import type { Holder } from './people.ts'

const [normal, lost, frozen, expired] = [1, 2, 5, 6] as const
const by_hand = 2
const damaged = 3

type Own = { held: Held; holder: Holder }

/** The open holdings of these cards in the scope, locked. @throws Refusal 404 when one of them is not there or out of sight */
async function requireCards(ctx: CardsCtx, card_ids: readonly string[]): Promise<Own[]> {
  const held = await lockHoldings(ctx.db, ctx.school_id, card_ids)
  const holders = await readHolders(ctx.db, ctx.school_id, held.map(one => one.user_id), await scopesOf(ctx))
  const own = held.flatMap(one => {
    const holder = holders.get(one.user_id)
    return holder ? [{ held: one, holder }] : []
  })
  if (own.length < new Set(card_ids).size) throw fail(commonErrors.notFound)
  return own
}

async function requireCard(ctx: CardsCtx, card_id: string): Promise<Own> {
  const [own] = await requireCards(ctx, [card_id])
  if (!own) throw fail(commonErrors.notFound)
  return own
}

/** Each card of a list in a savepoint of its own: one that is refused leaves the others as they are (chapter 40 rule 20). */
async function eachCard(act: Act, all: readonly Own[], run: (own: Own) => Promise<string>): Promise<{ results: CardResult[] }> {
  const results: CardResult[] = []
  for (const own of all) {
    await sql`savepoint one_card`.execute(act.db)
    try {
      results.push({ card_id: own.held.card_id, ok: true, op_id: await run(own), error_id: null, msg: null })
      await sql`release savepoint one_card`.execute(act.db)
    } catch (error) {
      await sql`rollback to savepoint one_card`.execute(act.db)
      if (!(error instanceof Refusal)) throw error
      // A single card is refused as such, so that the form can show it at its field.
      if (all.length === 1) throw error
      results.push({ card_id: own.held.card_id, ok: false, op_id: null, error_id: error.failure.id, msg: error.message })
    }
  }
  return { results }
}

function noted(ctx: CardsCtx, { holder, held }: { holder: Holder; held?: Held }, count = 1): void {
  ctx.note({ target_kind: 'cards.card', target_id: held?.card_id ?? holder.user_id, target_name: count > 1 ? `${holder.user_name}等${count}张` : `${holder.user_name} ${held?.card_no ?? ''}`.trim() })
}

/** 发卡. @throws Refusal 404, 400 wrongNumber and what chapter 40 §2.1 names */
export async function issueCard(ctx: CardsCtx, asked: Input<typeof cardApi.issue>): Promise<Reply<typeof cardApi.issue>> {
  const act = actOf(ctx, asked.via)
  const holder = await requireHolder(ctx, asked.user_id)
  const { uid_hex, format } = await requireUid(act, asked.card_no)
  const { op_id, held } = await issueTo(act, holder, { ...asked, uid_hex }, format)
  noted(ctx, { holder, held })
  return { op_id, holding_id: held.holding_id, card_no: held.card_no }
}

/** 挂失, with the slave cards where that is asked. */
export async function reportLoss(ctx: CardsCtx, { card_ids, with_slaves, ...wish }: Input<typeof cardApi.loss>): Promise<Reply<typeof cardApi.loss>> {
  const act = actOf(ctx, by_hand)
  const own = await requireCards(ctx, card_ids)
  const slaves = with_slaves ? await slavesOf(act, own.map(one => one.held)) : []
  const holders = new Map(own.map(one => [one.held.user_id, one.holder]))
  const all = [...own, ...slaves.flatMap(held => {
    const holder = holders.get(held.user_id)
    return holder && (held.state === normal || held.state === frozen) ? [{ held, holder }] : []
  })]
  const [first] = own
  if (first) noted(ctx, first, all.length)
  return eachCard(act, all, ({ held, holder }) => loseCard(act, held, holder, wish))
}

/** 解挂. @throws Refusal notLost */
export async function cancelLoss(ctx: CardsCtx, { card_id, reason }: Input<typeof cardApi.cancelLoss>): Promise<Reply<typeof cardApi.cancelLoss>> {
  const own = await requireCard(ctx, card_id)
  noted(ctx, own)
  return { op_id: await findCard(actOf(ctx, by_hand), own.held, own.holder, schoolDay(ctx.now), reason) }
}

type ReissueWish = Input<typeof cardApi.reissue>
type Mode = 'reissue' | 'fast' | 'exchange'

/**
 * 补卡, 快速补卡 and 换卡: the old card ends and the new one begins in one transaction, in the same slot.
 * @throws Refusal lossFirst, sameCard, badState, and those of issuing
 */
async function replaceCard(ctx: CardsCtx, asked: ReissueWish, mode: Mode): Promise<Reply<typeof cardApi.reissue>> {
  const act = actOf(ctx, asked.via)
  const { held, holder } = await requireCard(ctx, asked.old_card_id)
  const { uid_hex, format } = await requireUid(act, asked.card_no)
  checkReplaceable(held, mode)
  if (uid_hex === held.uid_hex) throw fail(cardsErrors.sameCard, { errors: [{ field: 'card_no', msg: cardsErrors.sameCard.msg }] })
  const lost_op = mode === 'fast' ? await loseCard(act, held, holder, { lost_reason: 1, freeze_wallet: false, remark: '快速补卡' }) : held.loss_op_id
  await replaceHolding(act, held, mode === 'exchange', mode === 'exchange' ? damaged : null)
  const op = { reissue: op_codes.reissue, fast: op_codes.reissue_fast, exchange: op_codes.exchange }[mode]
  const { card_type, media, valid_to, slot } = held
  const issued = await issueTo(act, holder, { uid_hex, slot, card_type, media, valid_to, op, replaces: held.holding_id }, format)
  if (asked.fee !== undefined && asked.fee > 0) await bookDeposit(act, issued.held, { kind: 1, amount: asked.fee, pay_way: asked.pay_way })
  noted(ctx, { holder, held: issued.held })
  const blocks = await blockStates(ctx.db, ctx.school_id, lost_op === null ? [] : [lost_op])
  return { op_ids: [...(mode === 'fast' && lost_op !== null ? [lost_op] : []), issued.op_id], new_holding_id: issued.held.holding_id, block: lost_op === null ? null : (blocks.get(lost_op) ?? null) }
}

function checkReplaceable({ state }: Held, mode: Mode): void {
  if (mode === 'reissue' && state !== lost) throw fail(cardsErrors.lossFirst)
  if (mode === 'fast' && state !== normal && state !== lost) throw fail(cardsErrors.badState)
  if (mode === 'exchange' && state !== normal && state !== frozen && state !== expired) throw fail(cardsErrors.badState)
}

export const reissueCard = (ctx: CardsCtx, asked: ReissueWish) => replaceCard(ctx, asked, 'reissue')
export const reissueFast = (ctx: CardsCtx, asked: ReissueWish) => replaceCard(ctx, asked, 'fast')
export const exchangeCard = (ctx: CardsCtx, asked: ReissueWish) => replaceCard(ctx, asked, 'exchange')

/** 退卡. @throws Refusal slavesOpen while slave cards are out and not taken too, refundTooMuch */
export async function revokeCards(ctx: CardsCtx, { card_ids, with_slaves, ...wish }: Input<typeof cardApi.revoke>): Promise<Reply<typeof cardApi.revoke>> {
  const act = actOf(ctx, by_hand)
  const own = await requireCards(ctx, card_ids)
  const slaves = await slavesOf(act, own.map(one => one.held))
  const by_owner = Map.groupBy(slaves, held => held.user_id)
  const [first] = own
  if (first) noted(ctx, first, own.length)
  return eachCard(act, own, async ({ held, holder }) => {
    const below = held.slot === 0 ? (by_owner.get(held.user_id) ?? []) : []
    if (below.length > 0 && !with_slaves) throw fail(cardsErrors.slavesOpen)
    for (const slave of below) await revokeCard(act, slave, holder, { returned: wish.returned, reason: wish.reason })
    return revokeCard(act, held, holder, wish)
  })
}

/** 延期, 冻结 and 解冻 of several cards. */
export async function renewCards(ctx: CardsCtx, { card_ids, valid_to }: Input<typeof cardApi.renew>): Promise<Reply<typeof cardApi.renew>> {
  const act = actOf(ctx, by_hand)
  return eachCard(act, await requireCards(ctx, card_ids), ({ held, holder }) => renewCard(act, held, holder, valid_to, schoolDay(ctx.now)))
}

export async function freezeCards(ctx: CardsCtx, { card_ids, reason }: Input<typeof cardApi.freeze>, is_frozen: boolean): Promise<Reply<typeof cardApi.freeze>> {
  const act = actOf(ctx, by_hand)
  return eachCard(act, await requireCards(ctx, card_ids), ({ held, holder }) => freezeCard(act, held, holder, is_frozen, reason))
}

