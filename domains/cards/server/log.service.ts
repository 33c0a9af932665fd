import { CardOpRow, cardsErrors, ConflictRow, DepositRow, UsedRow } from '@campus/cards/contract'
import type { BlockStat, cardLogApi } from '@campus/cards/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { readBlock } from './block.ts'
import { endHolding, moveMedium } from './close.ts'
import { actOf } from './db.ts'
import type { CardsCtx } from './db.ts'
import { lockHoldings } from './holding.queries.ts'
import { issueTo, requireUid } from './issue.ts'
import { readHolders, isSeen, scopesOf } from './people.ts'
import { readSetting } from './setting.ts'

const day_ms = 86_400_000
const [usual_days, most_days] = [90, 366] as const
const by_hand = 2
const give_to_new = 2

/** The span that a journal is read in: the asked days, the last 90 where nothing is asked, never more than a year. @throws Refusal 400 */
function spanOf(ctx: CardsCtx, { from, to }: { from?: string | undefined; to?: string | undefined }): { begin: Date; end: Date } {
  const end = to === undefined ? new Date(ctx.now.getTime() + day_ms) : new Date(`${to}T24:00:00+08:00`)
  const begin = from === undefined ? new Date(end.getTime() - usual_days * day_ms) : new Date(`${from}T00:00:00+08:00`)
  if (begin >= end) throw fail(commonErrors.malformed, { errors: [{ field: 'from', msg: '开始日期应不晚于结束日期' }] })
  if (end.getTime() - begin.getTime() > (most_days + 1) * day_ms) throw fail(commonErrors.malformed, { errors: [{ field: 'from', msg: '最多查询一年' }] })
  return { begin, end }
}

/** 操作记录: what was done with cards, the latest first. */
export async function pageOps(ctx: CardsCtx, query: Input<typeof cardLogApi.page>): Promise<Reply<typeof cardLogApi.page>> {
  const { db, school_id } = ctx
  const scopes = await scopesOf(ctx)
  const { begin, end } = spanOf(ctx, query)
  if (query.user_id !== undefined && !(await isKnown(ctx, query.user_id))) throw fail(commonErrors.notFound)
  const seen = scopes.student === 'all' && scopes.staff === 'all' ? sql`true` : sql`o.user_id in (select l.user_id from live_person l where l.school_id = ${school_id} and ${isSeen(school_id, scopes)})`
  const which: RawBuilder<unknown>[] = [
    sql`o.school_id = ${school_id} and o.at >= ${begin}::timestamptz and o.at < ${end}::timestamptz`, seen,
    query.user_id === undefined ? sql`true` : sql`o.user_id = ${query.user_id}`,
    query.op === undefined ? sql`true` : sql`o.op = ${Number(query.op)}`,
    query.keyword === undefined ? sql`true` : sql`(strpos(o.user_name, ${query.keyword}) > 0 or starts_with(o.user_no, ${query.keyword}) or o.uid_hex = upper(${query.keyword}) or c.card_no = ${query.keyword})`,
  ]
  const from = sql`card_op o left join card c on c.school_id = ${school_id} and c.card_id = o.card_id where ${sql.join(which, sql` and `)}`
  const { rows } = await sql`
    select o.op_id::text as op_id, o.at, o.op::text as op, o.user_id::text as user_id, o.user_name, o.user_no, o.dept_name, coalesce(c.card_no, o.uid_hex) as card_no, o.from_state::int as from_state, o.to_state::int as to_state,
      o.reason, o.by_name, o.via::int as via, o.batch_no
    from ${from} order by o.at desc, o.op_id desc limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from (select 1 as one from ${from} limit 100001) n`.execute(db)
  return { list: z.array(CardOpRow.extend({ at: instant })).parse(rows), total: counted.rows[0]?.total ?? 0 }
}

async function isKnown({ db, school_id }: CardsCtx, user_id: string): Promise<boolean> {
  const found = await db.selectFrom('person_label').select('user_id').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return found !== undefined
}

const instant = z.date().transform(at => at.toISOString())

/** Every device of one loss. @throws Refusal 404 for one of somebody out of sight */
export async function listBlocks(ctx: CardsCtx, { op_id }: Input<typeof cardLogApi.blocks>): Promise<Reply<typeof cardLogApi.blocks>> {
  const { db, school_id } = ctx
  const scopes = await scopesOf(ctx)
  const whose = await db.selectFrom('card_block').select('user_id').where('school_id', '=', school_id).where('op_id', '=', op_id).executeTakeFirst()
  if (!whose) {
    const loss = await db.selectFrom('card_op').select('op_id').where('school_id', '=', school_id).where('op_id', '=', op_id).executeTakeFirst()
    if (!loss) throw fail(commonErrors.notFound)
    return { list: [] }
  }
  if (!(await readHolders(db, school_id, [whose.user_id], scopes)).has(whose.user_id)) throw fail(commonErrors.notFound)
  return { list: await readBlock(db, school_id, op_id, (await readSetting(db, school_id)).block_limit_s) }
}

const Device = z.object({ device_id: z.string(), device_name: z.string(), n: z.number(), slowest_ms: z.number().nullable(), open: z.number() })
const DayStat = z.object({ day: z.string(), p50_ms: z.number().nullable(), p95_ms: z.number().nullable(), losses: z.number() })

/** 阻断时效: how quickly losses reached the readers, by day and by device. */
export async function statBlocks(ctx: CardsCtx, query: Input<typeof cardLogApi.blockStat>): Promise<BlockStat> {
  const { db, school_id } = ctx
  const { begin, end } = spanOf(ctx, query)
  const blocks = sql`(select b.*, extract(epoch from b.acked_at - b.required_at) * 1000 as ms from card_block b
    where b.school_id = ${school_id} and not b.superseded and b.required_at >= ${begin}::timestamptz and b.required_at < ${end}::timestamptz) b`
  const measures = sql`percentile_cont(0.5) within group (order by b.ms)::int as p50_ms, percentile_cont(0.95) within group (order by b.ms)::int as p95_ms, count(distinct b.op_id)::int as losses`
  const whole = await sql`select ${measures}, max(b.ms)::int as max_ms, count(*) filter (where b.acked_at is null)::int as open from ${blocks}`.execute(db)
  const devices = await sql`select b.device_id::text as device_id, max(b.device_name) as device_name, count(*)::int as n, max(b.ms)::int as slowest_ms, count(*) filter (where b.acked_at is null)::int as open
    from ${blocks} group by b.device_id order by open desc, slowest_ms desc nulls last limit 100`.execute(db)
  const days = await sql`select (b.required_at at time zone 'Asia/Shanghai')::date::text as day, ${measures} from ${blocks} group by 1 order by 1`.execute(db)
  const [total] = z.array(z.object({ p50_ms: z.number().nullable(), p95_ms: z.number().nullable(), losses: z.number(), max_ms: z.number().nullable(), open: z.number() })).parse(whole.rows)
  return { losses: 0, p50_ms: null, p95_ms: null, max_ms: null, open: 0, ...total, by_device: z.array(Device).parse(devices.rows), by_day: z.array(DayStat).parse(days.rows) }
}

/** 挂失后使用, the latest first. */
export async function pageUsed(ctx: CardsCtx, query: Input<typeof cardLogApi.used>): Promise<Reply<typeof cardLogApi.used>> {
  const { db, school_id } = ctx
  const { begin, end } = spanOf(ctx, query)
  const which = sql`u.school_id = ${school_id} and u.at >= ${begin}::timestamptz and u.at < ${end}::timestamptz`
  const { rows } = await sql`
    select u.device_id::text as device_id, u.device_seq, u.at, u.received_at, u.user_id::text as user_id, p.display_name as user_name, coalesce(c.card_no, u.uid_hex) as card_no, d.device_name, u.allowed, u.handled_at, u.handle_note
    from card_use_after_block u
    left join card c on c.school_id = ${school_id} and c.uid_hex = u.uid_hex
    left join person_label p on p.school_id = ${school_id} and p.user_id = u.user_id
    left join device_live_v d on d.school_id = ${school_id} and d.device_id = u.device_id
    where ${which} order by u.at desc, u.device_seq desc limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from card_use_after_block u where ${which}`.execute(db)
  const list = z.array(UsedRow.extend({ at: instant, received_at: instant, handled_at: instant.nullable() })).parse(rows)
  return { list, total: counted.rows[0]?.total ?? 0 }
}

/** @throws Refusal 404 */
export async function handleUsed(ctx: CardsCtx, { device_id, device_seq, note }: Input<typeof cardLogApi.handleUsed>): Promise<Reply<typeof cardLogApi.handleUsed>> {
  const { db, school_id, me, now } = ctx
  const changed = await db.updateTable('card_use_after_block').set({ handled_by: me.user_id, handled_at: now, handle_note: note }).where('school_id', '=', school_id).where('device_id', '=', device_id).where('device_seq', '=', device_seq).returning('user_id').executeTakeFirst()
  if (!changed) throw fail(commonErrors.notFound)
  ctx.note({ target_kind: 'cards.used_after_block', target_id: device_seq, reason: note })
  return {}
}

/** 冲突: cards that two people, or two facts, claim. */
export async function pageConflicts(ctx: CardsCtx, { state, page_index, page_size }: Input<typeof cardLogApi.conflicts>): Promise<Reply<typeof cardLogApi.conflicts>> {
  const { db, school_id } = ctx
  await scopesOf(ctx)
  const which = sql`x.school_id = ${school_id} and ${state === undefined ? sql`true` : sql`x.state = ${state}`}`
  const { rows } = await sql`
    select x.conflict_id::text as conflict_id, coalesce(c.card_no, x.uid_hex) as card_no, x.kind::int as kind, x.state::int as state, x.found_at, p.display_name as holder_name, q.display_name as attempted_name, x.reason
    from card_conflict x
    left join card c on c.school_id = ${school_id} and c.uid_hex = x.uid_hex
    left join card_holding h on h.school_id = ${school_id} and h.card_id = c.card_id and h.ended_at is null
    left join person_label p on p.school_id = ${school_id} and p.user_id = coalesce(h.user_id, x.holder_user_id)
    left join person_label q on q.school_id = ${school_id} and q.user_id = x.attempted_user_id
    where ${which} order by x.state, x.conflict_id desc limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from card_conflict x where ${which}`.execute(db)
  return { list: z.array(ConflictRow.extend({ found_at: instant })).parse(rows), total: counted.rows[0]?.total ?? 0 }
}

/** Decides a conflict: 1 the holder keeps it, 2 it goes to the other, 3 nothing. @throws Refusal 404, conflictDone */
export async function decideConflict(ctx: CardsCtx, { conflict_id, decision, reason }: Input<typeof cardLogApi.decide>): Promise<Reply<typeof cardLogApi.decide>> {
  const { db, school_id, me, now } = ctx
  const found = await db.selectFrom('card_conflict').select(['uid_hex', 'attempted_user_id', 'state']).where('school_id', '=', school_id).where('conflict_id', '=', conflict_id).forUpdate().executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  if (found.state !== 0) throw fail(cardsErrors.conflictDone)
  if (decision === give_to_new && found.attempted_user_id !== null) await giveCard(ctx, found.uid_hex, found.attempted_user_id, reason)
  await db.updateTable('card_conflict').set({ state: decision, decided_by: me.user_id, decided_at: now, reason }).where('school_id', '=', school_id).where('conflict_id', '=', conflict_id).execute()
  ctx.note({ target_kind: 'cards.conflict', target_id: conflict_id, reason })
  return {}
}

async function giveCard(ctx: CardsCtx, uid_hex: string, user_id: string, reason: string): Promise<void> {
  const { db, school_id } = ctx
  const act = actOf(ctx, by_hand)
  const card = await db.selectFrom('card').select('card_id').where('school_id', '=', school_id).where('uid_hex', '=', uid_hex).executeTakeFirst()
  const [held] = card ? await lockHoldings(db, school_id, [card.card_id]) : []
  const slot = held?.slot ?? 0
  if (held) await endHolding(act, held, 4, reason)
  if (card) await moveMedium(act, card.card_id, 0)
  const holder = (await readHolders(db, school_id, [user_id], null)).get(user_id)
  if (!holder) throw fail(cardsErrors.personUnknown)
  const { format } = await requireUid(act, uid_hex)
  await issueTo(act, holder, { uid_hex, slot }, format)
}

/** 押金: entries and what they come to. */
export async function pageDeposits(ctx: CardsCtx, query: Input<typeof cardLogApi.deposits>): Promise<Reply<typeof cardLogApi.deposits>> {
  const { db, school_id } = ctx
  const { begin, end } = spanOf(ctx, query)
  const from = sql`card_deposit_entry e
    join card_holding h on h.school_id = ${school_id} and h.holding_id = e.holding_id
    join card c on c.school_id = ${school_id} and c.card_id = h.card_id
    left join person_label p on p.school_id = ${school_id} and p.user_id = e.user_id
    where e.school_id = ${school_id} and e.at >= ${begin}::timestamptz and e.at < ${end}::timestamptz
      and ${query.keyword === undefined ? sql`true` : sql`(strpos(p.display_name, ${query.keyword}) > 0 or c.card_no = ${query.keyword})`}`
  const { rows } = await sql`select e.entry_id::text as entry_id, e.at, e.user_id::text as user_id, p.display_name as user_name, c.card_no, e.kind::int as kind, e.amount, e.pay_way::int as pay_way
    from ${from} order by e.entry_id desc limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`.execute(db)
  const counted = await sql<{ total: number; sum: number }>`select count(*)::int as total, coalesce(sum(e.amount), 0)::int as sum from ${from}`.execute(db)
  return { list: z.array(DepositRow.extend({ at: instant })).parse(rows), total: counted.rows[0]?.total ?? 0, sum: counted.rows[0]?.sum ?? 0 }
}
