import type { cardApi, CardPerson, CardStateOf } from '@campus/cards/contract'
import { cardsErrors } from '@campus/cards/contract'
import { inScope, selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { actOf } from './db.ts'
import type { CardsCtx } from './db.ts'
import { blockStates } from './block.ts'
import { depositsOf, holdingsOf, lockHoldingsOf, shownCards } from './holding.queries.ts'
import { requireUid } from './issue.ts'
import { loseCard } from './loss.ts'
import { childrenNames, countCardPeople, pageCardPeople } from './list.queries.ts'
import type { ListFilter } from './list.queries.ts'
import { parseCard } from './number.ts'
import { readHolders, scopesOf } from './people.ts'
import type { Holder } from './people.ts'
import { readFormat, readSetting } from './setting.ts'

const parent = 3
const by_phone = 4

/** 卡管理 of pupils, staff or parents: who has which cards, found by person or by number (chapter 40 §4). */
export async function listCards(ctx: CardsCtx, query: Input<typeof cardApi.list>): Promise<Reply<typeof cardApi.list>> {
  const { db, school_id } = ctx
  const filter = await filterOf(ctx, query)
  const rows = await pageCardPeople(db, filter, { limit: query.page_size, offset: (query.page_index - 1) * query.page_size })
  const ids = rows.map(row => row.user_id)
  const cards = await shownCards(db, school_id, await holdingsOf(db, school_id, ids))
  const deposits = await depositsOf(db, school_id, ids)
  const children = filter.kind === parent ? await childrenNames(db, school_id, ids, filter.scopes.student) : new Map<string, string>()
  const list = rows.map((row): CardPerson => ({ ...row, child_names: children.get(row.user_id) ?? null, cards: cards.get(row.user_id) ?? [], deposit: deposits.get(row.user_id) ?? 0 }))
  return { list, total: await countCardPeople(db, filter) }
}

async function filterOf(ctx: CardsCtx, query: Input<typeof cardApi.list>): Promise<ListFilter> {
  const { db, school_id } = ctx
  const scopes = await scopesOf(ctx)
  const format = await readFormat(db, school_id, await readSetting(db, school_id))
  const path = query.dept_id === undefined ? undefined : await pathOf(ctx, query.dept_id)
  return { ...query, kind: query.kind ?? 1, school_id, scopes, path, uid_hex: query.keyword === undefined ? null : parseCard(query.keyword, format) }
}

/** @throws Refusal 404 for a department that is not there */
async function pathOf({ db, school_id }: CardsCtx, dept_id: string): Promise<string> {
  const found = await db.selectFrom('dept_now').select('node_path').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return found.node_path
}

/** How many of each class or department have a main card. */
export async function cardProgress(ctx: CardsCtx, { kind }: Input<typeof cardApi.progress>): Promise<Reply<typeof cardApi.progress>> {
  const { db, school_id } = ctx
  const { student, staff } = await scopesOf(ctx)
  if (kind === parent) return { list: [] }
  const people = kind === 1
    ? sql`select s.user_id, s.dept_id from live_student s where s.school_id = ${school_id} and ${inScope('s.dept_id', student)}`
    : sql`select s.user_id, s.primary_dept_id as dept_id from live_staff s where s.school_id = ${school_id} and ${inScope('s.primary_dept_id', staff)}`
  const { rows } = await sql<{ dept_id: string; total: number; issued: number }>`
    select p.dept_id::text as dept_id, count(*)::int as total, count(h.user_id)::int as issued
    from (${people}) p left join card_holding h on h.school_id = ${school_id} and h.user_id = p.user_id and h.slot = 0 and h.ended_at is null
    where p.dept_id is not null group by p.dept_id`.execute(db)
  return { list: rows }
}

/** What a card is that was laid down, or what cards people have: with what may be done now. @throws Refusal 400 wrongNumber, 404 for somebody out of sight */
export async function readStates(ctx: CardsCtx, { user_ids = [], card_no }: Input<typeof cardApi.state>): Promise<Reply<typeof cardApi.state>> {
  const { db, school_id } = ctx
  const scopes = await scopesOf(ctx)
  if (card_no !== undefined) return { list: [await stateOfNumber(ctx, card_no)] }
  const holders = await readHolders(db, school_id, user_ids, scopes)
  if (holders.size < new Set(user_ids).size) throw fail(commonErrors.notFound)
  const held = await holdingsOf(db, school_id, [...holders.keys()])
  const shown = await shownCards(db, school_id, held)
  const uids = new Map(held.map(one => [one.card_id, one.uid_hex]))
  const list = [...holders.values()].flatMap(({ user_id, user_name, user_no, dept_name }) => (shown.get(user_id) ?? []).map((card): CardStateOf => ({
    card_no: card.card_no, uid_hex: uids.get(card.card_id) ?? '', card_id: card.card_id, stock_state: 1, state: card.state, slot: card.slot, block: card.block, allowed_ops: card.allowed_ops,
    holder: { user_id, user_name, user_no, dept_name },
  })))
  return { list }
}

async function stateOfNumber(ctx: CardsCtx, card_no: string): Promise<CardStateOf> {
  const { db, school_id } = ctx
  const { uid_hex } = await requireUid({ db, school_id }, card_no)
  const medium = await db.selectFrom('card').select(['card_id', 'card_no', 'stock_state']).where('school_id', '=', school_id).where('uid_hex', '=', uid_hex).executeTakeFirst()
  const nothing = { card_no, uid_hex, card_id: null, stock_state: null, state: null, slot: null, holder: null, block: null }
  if (!medium) return { ...nothing, allowed_ops: ['add_stock', 'issue'] }
  const { user_id } = (await db.selectFrom('card_holding').select('user_id').where('school_id', '=', school_id).where('card_id', '=', medium.card_id).where('ended_at', 'is', null).executeTakeFirst()) ?? { user_id: null }
  const known = { ...nothing, ...medium }
  if (user_id === null) return { ...known, allowed_ops: medium.stock_state === 0 ? ['issue'] : [] }
  const holder = (await readHolders(db, school_id, [user_id], await scopesOf(ctx))).get(user_id)
  const card = ((await shownCards(db, school_id, await holdingsOf(db, school_id, [user_id]))).get(user_id) ?? []).find(one => one.card_id === medium.card_id)
  // Of somebody out of sight only that the card is in use is shown.
  if (!holder || !card) return { ...known, allowed_ops: [] }
  const { user_name, user_no, dept_name } = holder
  return { ...known, state: card.state, slot: card.slot, block: card.block, allowed_ops: card.allowed_ops, holder: { user_id, user_name, user_no, dept_name } }
}

/** One's own cards and those of one's children, for the phone. */
export async function selfCards(ctx: CardsCtx): Promise<Reply<typeof cardApi.selfCards>> {
  const { db, school_id, me } = ctx
  const ids = await selfScope(ctx)
  const people = await readHolders(db, school_id, ids, null)
  const shown = await shownCards(db, school_id, await holdingsOf(db, school_id, ids))
  const list = ids.flatMap(user_id => {
    const person = people.get(user_id)
    const cards = shown.get(user_id) ?? []
    return person && (cards.length > 0 || user_id !== me.user_id) ? [{ user_id, user_name: person.user_name, is_child: user_id !== me.user_id, cards }] : []
  })
  return { enabled: (await readSetting(db, school_id)).self_loss, list }
}

/** 自助挂失 by the holder or a guardian, at any hour (chapter 40 §4). @throws Refusal selfLossOff, 404, badState */
export async function reportOwnLoss(ctx: CardsCtx, { card_id, lost_reason }: Input<typeof cardApi.selfLoss>): Promise<Reply<typeof cardApi.selfLoss>> {
  const { db, school_id } = ctx
  if (!(await readSetting(db, school_id)).self_loss) throw fail(cardsErrors.selfLossOff)
  const ids = await selfScope(ctx)
  const held = (await lockHoldingsOf(db, school_id, ids)).find(one => one.card_id === card_id)
  if (!held) throw fail(commonErrors.notFound)
  const { user_id, person_kind } = held
  // Somebody who is not on the roll any more may still report his own card.
  const own: Holder = { user_id, person_kind, user_name: ctx.me.user_name, user_no: ctx.me.user_no, dept_id: null, dept_name: null }
  const holder = (await readHolders(db, school_id, [user_id], null)).get(user_id) ?? own
  const op_id = await loseCard(actOf(ctx, by_phone), held, holder, { lost_reason, freeze_wallet: false, remark: '自助挂失' })
  ctx.note({ target_kind: 'cards.card', target_id: card_id, target_name: `${holder.user_name} ${held.card_no}` })
  return { block: (await blockStates(db, school_id, [op_id])).get(op_id) ?? null }
}
