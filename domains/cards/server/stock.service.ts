import { cardsErrors, most_in_range } from '@campus/cards/contract'
import type { stockApi, StockRow } from '@campus/cards/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { moveMedium, voidCard } from './close.ts'
import { actOf } from './db.ts'
import type { Act, CardsCtx, Db } from './db.ts'
import { lockHoldings } from './holding.queries.ts'
import { requireMedium, requireUid } from './issue.ts'
import { op_codes, writeOp } from './journal.ts'
import { numberOf, parseCard, uidsBetween } from './number.ts'
import { readHolders } from './people.ts'
import { readFormat, readSetting } from './setting.ts'

const [in_stock, in_use, lost, void_] = [0, 1, 2, 3] as const
const by_hand = 2
const ic_type = '1'
const purchased = 1
const Read = z.object({
  card_id: z.string(), card_no: z.string(), uid_hex: z.string(), print_no: z.string().nullable(), media: z.enum(['1', '2', '3', '4', '5', '6', '7']), origin: z.number(), batch_no: z.string().nullable(),
  stock_state: z.number(), remark: z.string().nullable(), created_at: z.date().transform(at => at.toISOString()), created_by_name: z.string().nullable(), holder_name: z.string().nullable(),
})

type Query = Input<typeof stockApi.list>

/** Media of the school, the latest first, with who has them. */
export async function listStock(ctx: CardsCtx, query: Query): Promise<Reply<typeof stockApi.list>> {
  const which = await conditionsOf(ctx, query)
  const list = await readStock(ctx.db, ctx.school_id, which, { limit: query.page_size, offset: (query.page_index - 1) * query.page_size })
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from card c where c.school_id = ${ctx.school_id} and ${which}`.execute(ctx.db)
  return { list, total: rows[0]?.total ?? 0 }
}

async function conditionsOf({ db, school_id }: CardsCtx, { keyword, stock_state, media, from, to }: Query): Promise<RawBuilder<unknown>> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (keyword !== undefined) {
    const uid_hex = parseCard(keyword, await readFormat(db, school_id, await readSetting(db, school_id)))
    all.push(uid_hex === null ? sql`(starts_with(c.card_no, ${keyword}) or starts_with(coalesce(c.print_no, ''), ${keyword}) or c.batch_no = ${keyword})` : sql`c.uid_hex = ${uid_hex}`)
  }
  if (stock_state !== undefined) all.push(sql`c.stock_state = ${stock_state}`)
  if (media !== undefined) all.push(sql`c.media = ${media}`)
  if (from !== undefined) all.push(sql`c.created_at >= ${new Date(`${from}T00:00:00+08:00`)}::timestamptz`)
  if (to !== undefined) all.push(sql`c.created_at < ${new Date(`${to}T24:00:00+08:00`)}::timestamptz`)
  return sql.join(all, sql` and `)
}

async function readStock(db: Db, school_id: number, which: RawBuilder<unknown>, page: { limit: number; offset: number }): Promise<StockRow[]> {
  const { rows } = await sql`
    select c.card_id::text as card_id, c.card_no, c.uid_hex, c.print_no, c.media, c.origin::int as origin, c.batch_no, c.stock_state::int as stock_state, c.remark, c.created_at,
      m.display_name as created_by_name, p.display_name as holder_name
    from (select * from card c where c.school_id = ${school_id} and ${which} order by c.card_id desc limit ${page.limit} offset ${page.offset}) c
    left join card_holding h on h.school_id = ${school_id} and h.card_id = c.card_id and h.ended_at is null
    left join person_label p on p.school_id = ${school_id} and p.user_id = h.user_id
    left join person_label m on m.school_id = ${school_id} and m.user_id = c.created_by
    order by c.card_id desc`.execute(db)
  return z.array(Read).parse(rows)
}

/** How many are where, for the drawing above the list. */
export async function countStock({ db, school_id }: CardsCtx): Promise<Reply<typeof stockApi.counts>> {
  const rows = await db.selectFrom('card').select(['stock_state', sql<number>`count(*)::int`.as('n')]).where('school_id', '=', school_id).groupBy('stock_state').execute()
  const of = (state: number) => rows.find(row => row.stock_state === state)?.n ?? 0
  return { in_stock: of(in_stock), in_use: of(in_use), lost: of(lost), void: of(void_), low_stock: (await readSetting(db, school_id)).low_stock }
}

/** 入库 of one card. @throws Refusal stockTaken, wrongNumber, printTaken */
export async function addStock(ctx: CardsCtx, { card_no, print_no, media, via }: Input<typeof stockApi.add>): Promise<Reply<typeof stockApi.add>> {
  const act = actOf(ctx, via)
  const { db, school_id } = ctx
  const { uid_hex, format } = await requireUid(act, card_no)
  const known = await db.selectFrom('card').select('card_id').where('school_id', '=', school_id).where('uid_hex', '=', uid_hex).executeTakeFirst()
  if (known) throw fail(cardsErrors.stockTaken, { errors: [{ field: 'card_no', msg: cardsErrors.stockTaken.msg }] })
  const medium = await requireMedium(act, uid_hex, format, { card_type: ic_type, media })
  if (print_no) await db.updateTable('card').set({ print_no }).where('school_id', '=', school_id).where('card_id', '=', medium.card_id).execute()
  await writeOp(act, { op: op_codes.stock, uid_hex, card_id: medium.card_id })
  ctx.note({ target_kind: 'cards.card', target_id: medium.card_id, target_name: medium.card_no })
  const [row] = await readStock(db, school_id, sql`c.card_id = ${medium.card_id}`, { limit: 1, offset: 0 })
  if (!row) throw new Error('a card that was just added is not there')
  return { row }
}

/** 号段入库: those that are there already stay as they are. @throws Refusal rangeOrder, rangeTooBig */
export async function addRange(ctx: CardsCtx, { from_no, to_no, media, remark }: Input<typeof stockApi.range>): Promise<Reply<typeof stockApi.range>> {
  const { db, school_id, now, me } = ctx
  const format = await readFormat(db, school_id, await readSetting(db, school_id))
  const uids = uidsBetween(from_no, to_no, format, most_in_range)
  if (uids === 'too_many') throw fail(cardsErrors.rangeTooBig, { errors: [{ field: 'to_no', msg: cardsErrors.rangeTooBig.msg }] })
  if (uids === null) throw fail(cardsErrors.rangeOrder, { errors: [{ field: 'to_no', msg: cardsErrors.rangeOrder.msg }] })
  const before = await countUids(db, school_id, uids)
  const rows = uids.map(uid_hex => ({ school_id, uid_hex, card_no: numberOf(uid_hex, format), media, card_type: ic_type, stock_state: in_stock, origin: purchased, remark: remark ?? null, created_at: now, created_by: me.user_id }))
  await insertMany(db, 'card', rows, { columns: ['school_id', 'uid_hex'] })
  ctx.note({ target_kind: 'cards.card', target_name: `号段入库 ${uids.length - before}张` })
  return { added: uids.length - before, present: before }
}

async function countUids(db: Db, school_id: number, uids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from card where school_id = ${school_id} and uid_hex = any(${[...uids]}::text[])`.execute(db)
  return rows[0]?.n ?? 0
}

/** 作废: somebody's card is taken off the readers first. */
export async function voidCards(ctx: CardsCtx, { card_ids, reason }: Input<typeof stockApi.void>): Promise<Reply<typeof stockApi.void>> {
  const act = actOf(ctx, by_hand)
  const held = new Map((await lockHoldings(ctx.db, ctx.school_id, card_ids)).map(one => [one.card_id, one]))
  const holders = await readHolders(ctx.db, ctx.school_id, [...held.values()].map(one => one.user_id), null)
  const cards = await mediaOf(act, card_ids, [in_stock, in_use, lost])
  await requireMedia(act, card_ids)
  for (const { card_id, uid_hex } of cards) {
    const own = held.get(card_id)
    if (own) await voidCard(act, own, holders.get(own.user_id) ?? null, reason)
    else {
      await moveMedium(act, card_id, void_)
      await writeOp(act, { op: op_codes.void, uid_hex, card_id, reason })
    }
  }
  ctx.note({ target_kind: 'cards.card', target_name: `作废 ${cards.length}张`, reason })
  return { changed: cards.length }
}

/** 找回入库: lost media that nobody holds can be issued again (chapter 40 §2.1). */
export async function returnFound(ctx: CardsCtx, { card_ids }: Input<typeof stockApi.found>): Promise<Reply<typeof stockApi.found>> {
  const act = actOf(ctx, by_hand)
  const held = new Set((await lockHoldings(ctx.db, ctx.school_id, card_ids)).map(one => one.card_id))
  await requireMedia(act, card_ids)
  const cards = (await mediaOf(act, card_ids, [lost])).filter(one => !held.has(one.card_id))
  if (cards.length === 0) throw fail(cardsErrors.badState)
  for (const { card_id, uid_hex } of cards) {
    await moveMedium(act, card_id, in_stock)
    await writeOp(act, { op: op_codes.found, uid_hex, card_id })
  }
  ctx.note({ target_kind: 'cards.card', target_name: `找回入库 ${cards.length}张` })
  return { changed: cards.length }
}

/** @throws Refusal 404 when one of these media is not the school's */
async function requireMedia(act: Act, card_ids: readonly string[]): Promise<void> {
  if ((await mediaOf(act, card_ids, [in_stock, in_use, lost, void_])).length < new Set(card_ids).size) throw fail(commonErrors.notFound)
}

function mediaOf({ db, school_id }: Act, card_ids: readonly string[], states: readonly number[]) {
  return db
    .selectFrom('card')
    .select(['card_id', 'uid_hex'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`card_id = any(${[...card_ids]}::bigint[])`)
    .where(sql<boolean>`stock_state = any(${[...states]}::int[])`)
    .orderBy('card_id')
    .forUpdate()
    .execute()
}

/** 盘点: what lies in the drawer against what should; nothing is changed by looking. */
export async function checkStock(ctx: CardsCtx, { card_nos }: Input<typeof stockApi.check>): Promise<Reply<typeof stockApi.check>> {
  const { db, school_id } = ctx
  const format = await readFormat(db, school_id, await readSetting(db, school_id))
  const read = new Map(card_nos.map(text => [parseCard(text, format) ?? text, text]))
  const uids = [...read.keys()]
  const missing = await readStock(db, school_id, sql`c.stock_state = ${in_stock} and c.uid_hex <> all(${uids}::text[])`, { limit: most_in_range, offset: 0 })
  const known = await readStock(db, school_id, sql`c.uid_hex = any(${uids}::text[])`, { limit: most_in_range, offset: 0 })
  const by_uid = new Map(known.map(row => [row.uid_hex, row]))
  const surplus = uids.flatMap(uid => {
    const row = by_uid.get(uid)
    return row?.stock_state === in_stock ? [] : [{ card_no: row?.card_no ?? read.get(uid) ?? uid, holder_name: row?.holder_name ?? null, stock_state: row?.stock_state ?? null }]
  })
  ctx.note({ target_kind: 'cards.card', target_name: `盘点 ${uids.length}张` })
  return { counted: uids.length, missing, surplus }
}
