import { createHmac } from 'node:crypto'
import { cardsErrors, SocialRow } from '@campus/cards/contract'
import type { socialApi } from '@campus/cards/contract'
import { findByIdentity, requireDept } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { openText, sealText } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'
import { sql } from 'kysely'
import { z } from 'zod'
import { replaceHolding, revokeCard } from './close.ts'
import { actOf } from './db.ts'
import type { Act, CardsCtx } from './db.ts'
import { holdingsOf, lockHoldings } from './holding.queries.ts'
import type { Held } from './holding.queries.ts'
import { issueTo, requireUid } from './issue.ts'
import { op_codes } from './journal.ts'
import { findCard, loseCard } from './loss.ts'
import { isSeen, readHolders, requireHolder, scopesOf } from './people.ts'
import type { Holder } from './people.ts'

const [by_reader, by_hand] = [1, 2] as const
const social_slot = 8
const damaged = 3
const mismatch_kind = 2
const purpose = (school_id: number) => `cards.social_no:${school_id}`

type ReadCard = { id_no: string; social_no: string; card_no: string; bank_valid_to?: string | null | undefined }

/** Social security cards in use, with the number masked to its last four signs. */
export async function listSocial(ctx: CardsCtx, query: Input<typeof socialApi.list>): Promise<Reply<typeof socialApi.list>> {
  const { db, school_id } = ctx
  const scopes = await scopesOf(ctx)
  const { keyword, state, dept_id, kind, page_index, page_size } = query
  await requireDept(ctx, dept_id)
  const which = sql`h.school_id = ${school_id} and h.ended_at is null and h.slot = ${social_slot} and ${isSeen(school_id, scopes)}
    and ${state === undefined ? sql`true` : sql`h.state = ${Number(state)}`} and ${kind === undefined ? sql`true` : sql`l.person_kind = ${kind}`}
    and ${dept_id === undefined ? sql`true` : sql`l.label_dept_id = ${dept_id}`}
    and ${keyword === undefined ? sql`true` : sql`(strpos(l.user_name, ${keyword}) > 0 or starts_with(l.user_no, ${keyword}) or s.social_no_tail = ${keyword})`}`
  const from = sql`card_holding h
    join card c on c.school_id = ${school_id} and c.card_id = h.card_id
    join social_card s on s.school_id = ${school_id} and s.card_id = h.card_id
    join live_person l on l.school_id = ${school_id} and l.user_id = h.user_id and l.person_kind = h.person_kind`
  const { rows } = await sql`
    select c.card_id::text as card_id, h.user_id::text as user_id, l.user_name, l.user_no, d.dept_name, '****' || s.social_no_tail as social_no, c.card_no, h.state::text as state, h.issued_at, s.bank_valid_to
    from ${from} left join dept_now d on d.school_id = ${school_id} and d.id = l.label_dept_id
    where ${which} order by h.issued_at desc, c.card_id limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from} where ${which}`.execute(db)
  const list = z.array(SocialRow.extend({ issued_at: z.date().transform(at => at.toISOString()) })).parse(rows)
  return { list, total: counted.rows[0]?.total ?? 0 }
}

type Lane = Reply<typeof socialApi.checkAuto>

/** Whose a social card is and whether it may be bound: decided before anything is written (chapter 40 rule 18). */
export async function checkAuto(ctx: CardsCtx, read: ReadCard): Promise<Lane> {
  const { db, app, school_id } = ctx
  const scopes = await scopesOf(ctx)
  const user_id = await findByIdentity(db, app.secrets, school_id, read.id_no)
  const holder = user_id === null ? undefined : (await readHolders(db, school_id, [user_id], scopes)).get(user_id)
  if (!holder) return { lane: 'unmatched', user: null, reason: cardsErrors.socialUnknown.msg }
  const user = { user_id: holder.user_id, user_name: holder.user_name, user_no: holder.user_no, dept_name: holder.dept_name }
  const owner = await ownerOfNumber(ctx, read.social_no)
  if (owner !== null && owner !== holder.user_id) return { lane: 'mismatch', user, reason: cardsErrors.socialMismatch.msg }
  const held = (await holdingsOf(db, school_id, [holder.user_id])).some(one => one.slot === social_slot)
  return held ? { lane: 'already', user, reason: '已绑定社保卡' } : { lane: 'done', user, reason: null }
}

/** 自动发卡: the card goes to whom its identity number names; what does not fit stays as a conflict for the card office. */
export async function autoIssue(ctx: CardsCtx, read: Input<typeof socialApi.autoIssue>): Promise<Reply<typeof socialApi.autoIssue>> {
  const found = await checkAuto(ctx, read)
  if (found.lane === 'mismatch') await noteConflict(ctx, read, found.user?.user_id ?? null)
  if (found.lane !== 'done' || !found.user) return { ...found, op_id: null }
  const { op_id } = await bind(ctx, await requireHolder(ctx, found.user.user_id), read, op_codes.auto_issue)
  return { ...found, op_id }
}

/** 绑定 for somebody chosen by hand. @throws Refusal socialMismatch when the identity number is not his, socialTaken */
export async function issueSocial(ctx: CardsCtx, { user_id, ...read }: Input<typeof socialApi.issue>): Promise<Reply<typeof socialApi.issue>> {
  const holder = await requireHolder(ctx, user_id)
  if ((await findByIdentity(ctx.db, ctx.app.secrets, ctx.school_id, read.id_no)) !== user_id) throw fail(cardsErrors.socialMismatch, { errors: [{ field: 'id_no', msg: cardsErrors.socialMismatch.msg }] })
  const { op_id, held } = await bind(ctx, holder, read, op_codes.issue)
  return { op_id, holding_id: held.holding_id }
}

async function bind(ctx: CardsCtx, holder: Holder, read: ReadCard, op: number, valid_to?: string | null): Promise<{ op_id: string; held: Held }> {
  const act = actOf(ctx, by_reader)
  const owner = await ownerOfNumber(ctx, read.social_no)
  if (owner !== null && owner !== holder.user_id) throw fail(cardsErrors.socialTaken)
  const { uid_hex, format } = await requireUid(act, read.card_no)
  const issued = await issueTo(act, holder, { uid_hex, slot: social_slot, op, valid_to }, format)
  await keepSocial(act, issued.held.card_id, read)
  ctx.note({ target_kind: 'cards.card', target_id: issued.held.card_id, target_name: holder.user_name })
  return issued
}

async function keepSocial({ app, db, school_id, now }: Act, card_id: string, { social_no, bank_valid_to = null }: ReadCard): Promise<void> {
  const kept = { social_no_enc: sealText(app.secrets.data_key, purpose(school_id), social_no), social_no_hash: hashOf(app.secrets.id_index_key, school_id, social_no), social_no_tail: social_no.slice(-4), bank_valid_to, read_at: now }
  await db.deleteFrom('social_card').where('school_id', '=', school_id).where('social_no_hash', '=', kept.social_no_hash).execute()
  await db.insertInto('social_card').values({ school_id, card_id, ...kept }).onConflict(clash => clash.columns(['school_id', 'card_id']).doUpdateSet(kept)).execute()
}

/** Who has the card with this social number now; null: nobody. */
async function ownerOfNumber({ app, db, school_id }: CardsCtx, social_no: string): Promise<string | null> {
  const found = await db
    .selectFrom('social_card as s')
    .innerJoin('card_holding as h', join => join.onRef('h.school_id', '=', 's.school_id').onRef('h.card_id', '=', 's.card_id').on('h.school_id', '=', school_id))
    .select('h.user_id')
    .where('s.school_id', '=', school_id)
    .where('s.social_no_hash', '=', hashOf(app.secrets.id_index_key, school_id, social_no))
    .where('h.ended_at', 'is', null)
    .executeTakeFirst()
  return found?.user_id ?? null
}

async function noteConflict(ctx: CardsCtx, { card_no }: ReadCard, attempted_user_id: string | null): Promise<void> {
  const { uid_hex } = await requireUid({ db: ctx.db, school_id: ctx.school_id }, card_no)
  await ctx.db.insertInto('card_conflict').values({ school_id: ctx.school_id, uid_hex, attempted_user_id, kind: mismatch_kind, found_at: ctx.now }).onConflict(clash => clash.doNothing()).execute()
}

function hashOf(key: Buffer, school_id: number, social_no: string): string {
  return createHmac('sha256', key).update(`cards.social:${school_id}:${social_no.trim().toUpperCase()}`).digest('hex')
}

/** @throws Refusal 404 for a card that is no social card in use, or out of sight */
async function requireSocial(ctx: CardsCtx, card_id: string): Promise<{ held: Held; holder: Holder }> {
  const [held] = await lockHoldings(ctx.db, ctx.school_id, [card_id])
  const holder = held && (await readHolders(ctx.db, ctx.school_id, [held.user_id], await scopesOf(ctx))).get(held.user_id)
  if (!held || !holder || held.slot !== social_slot) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'cards.card', target_id: card_id, target_name: holder.user_name })
  return { held, holder }
}

export async function loseSocial(ctx: CardsCtx, { card_id }: Input<typeof socialApi.loss>): Promise<Reply<typeof socialApi.loss>> {
  const { held, holder } = await requireSocial(ctx, card_id)
  return { op_id: await loseCard(actOf(ctx, by_hand), held, holder, { lost_reason: 1, freeze_wallet: false }) }
}

export async function findSocial(ctx: CardsCtx, { card_id }: Input<typeof socialApi.cancelLoss>): Promise<Reply<typeof socialApi.cancelLoss>> {
  const { held, holder } = await requireSocial(ctx, card_id)
  return { op_id: await findCard(actOf(ctx, by_hand), held, holder, schoolDay(ctx.now)) }
}

export async function revokeSocial(ctx: CardsCtx, { card_id }: Input<typeof socialApi.revoke>): Promise<Reply<typeof socialApi.revoke>> {
  const { held, holder } = await requireSocial(ctx, card_id)
  return { op_id: await revokeCard(actOf(ctx, by_hand), held, holder, { returned: false }) }
}

/** 换卡: a new social card of the same person; the old one ends. @throws Refusal sameCard, socialMismatch */
export async function exchangeSocial(ctx: CardsCtx, { card_id, ...read }: Input<typeof socialApi.exchange>): Promise<Reply<typeof socialApi.exchange>> {
  const { held, holder } = await requireSocial(ctx, card_id)
  if ((await findByIdentity(ctx.db, ctx.app.secrets, ctx.school_id, read.id_no)) !== holder.user_id) throw fail(cardsErrors.socialMismatch, { errors: [{ field: 'id_no', msg: cardsErrors.socialMismatch.msg }] })
  const { uid_hex } = await requireUid({ db: ctx.db, school_id: ctx.school_id }, read.card_no)
  if (uid_hex === held.uid_hex) throw fail(cardsErrors.sameCard, { errors: [{ field: 'card_no', msg: cardsErrors.sameCard.msg }] })
  await replaceHolding(actOf(ctx, by_reader), held, true, damaged)
  const issued = await bind(ctx, holder, read, op_codes.exchange, held.valid_to)
  return { op_id: issued.op_id, holding_id: issued.held.holding_id }
}

/** The social numbers, for the exchange of keys. */
export const social_sealed_parts: readonly SealedPart[] = [
  {
    name: 'cards.social_no', key: 'data_key', table: 'social_card', ids: [['card_id', 'bigint']], columns: ['social_no_enc'],
    carry({ data_key }, school_id, { social_no_enc }) {
      return Buffer.isBuffer(social_no_enc) ? { social_no_enc: sealText(data_key, purpose(school_id), openText(data_key, purpose(school_id), social_no_enc)) } : null
    },
  },
  {
    name: 'cards.social_index', key: 'id_index_key', table: 'social_card', ids: [['card_id', 'bigint']], columns: ['social_no_enc', 'social_no_hash'],
    carry({ data_key, id_index_key }, school_id, { social_no_enc }) {
      return Buffer.isBuffer(social_no_enc) ? { social_no_hash: hashOf(id_index_key, school_id, openText(data_key, purpose(school_id), social_no_enc)) } : null
    },
  },
]
