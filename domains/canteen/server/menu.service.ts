import { ALLERGEN, canteenErrors, canteenEvents, DISH_KIND, MenuDetail, MenuItem, MenuRow } from '@campus/canteen/contract'
import type { menuApi } from '@campus/canteen/contract'
import { selfScope } from '@campus/people/server'
import { inPlaces, placeScope } from '@campus/places/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany, pageTotal } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { z } from 'zod'
import { proposeLunches, warningsOf } from './check-menu.ts'
import type { CanteenCtx } from './db.ts'

type Save = Input<typeof menuApi.save>
const [draft, published, withdrawn] = [0, 1, 2] as const
const working = 0
/** 食堂 and 食堂窗口. */
export const canteen_kinds: readonly number[] = [12, 13]
const lunch = '3'
const day_ms = 86_400_000
const kind_names: Readonly<Record<string, string>> = DISH_KIND.names
const allergen_names: Readonly<Record<string, string>> = ALLERGEN.names
const instant = z.date().transform(at => at.toISOString())
const daysOf = (week_start: string) => Array.from({ length: 7 }, (_, at) => new Date(Date.parse(week_start) + at * day_ms).toISOString().slice(0, 10))

/** Menus of the canteens that the acting identity looks after. */
export async function listMenus(ctx: CanteenCtx, query: Input<typeof menuApi.list>): Promise<Reply<typeof menuApi.list>> {
  const parts = [inPlaces('p.node_path', await placeScope(ctx))]
  if (query.place_id !== undefined) parts.push(sql`m.place_id = ${await requirePlace(ctx, query.place_id)}`)
  if (query.state !== undefined) parts.push(sql`m.state = ${Number(query.state)}`)
  if (query.crowd_type !== undefined) parts.push(sql`m.crowd_type = ${Number(query.crowd_type)}`)
  if (query.from !== undefined) parts.push(sql`m.week_start >= ${query.from}::date`)
  if (query.to !== undefined) parts.push(sql`m.week_start <= ${query.to}::date`)
  const page = (limit: number, offset: number) => readMenus(ctx, sql.join(parts, sql` and `), limit, offset)
  const rows = await page(query.page_size, (query.page_index - 1) * query.page_size)
  return { list: rows.map(row => MenuRow.parse(row)), total: await pageTotal(rows, query.page_index, () => page(1, 0)) }
}

async function readMenus({ db, school_id }: CanteenCtx, which: ReturnType<typeof sql>, limit: number, offset: number) {
  const { rows } = await sql`
    select m.menu_id::text as id, m.place_id::text as place_id, p.place_name, m.crowd_type::int as crowd_type, m.week_start::text as week_start, m.state::text as state, m.rev, m.row_version, m.updated_at, a.display_name as updated_by_name,
      coalesce(c.dishes, 0) as dishes, coalesce(c.days, 0) as days, m.state = ${published} and coalesce(c.sign, '') <> coalesce(l.sign, '') as has_changes, (count(*) over ())::int as total
    from canteen_menu m join place_live_v p on p.school_id = ${school_id} and p.place_id = m.place_id
    left join person_label a on a.school_id = ${school_id} and a.user_id = m.updated_by
    left join (select i.menu_id, count(*)::int as dishes, count(distinct i.day)::int as days, md5(string_agg(i.day::text || i.meal_kind || i.dish_id::text, ',' order by i.day, i.meal_kind, i.dish_id)) as sign
      from canteen_menu_item i where i.school_id = ${school_id} and i.rev = ${working} group by i.menu_id) c on c.menu_id = m.menu_id
    left join (select i.menu_id, i.rev, md5(string_agg(i.day::text || i.meal_kind || i.dish_id::text, ',' order by i.day, i.meal_kind, i.dish_id)) as sign
      from canteen_menu_item i where i.school_id = ${school_id} and i.rev > ${working} group by i.menu_id, i.rev) l on l.menu_id = m.menu_id and l.rev = m.rev
    where m.school_id = ${school_id} and ${which} order by m.week_start desc, p.place_name, m.menu_id limit ${limit} offset ${offset}`.execute(db)
  return z.array(z.looseObject({ id: z.string(), week_start: z.string(), total: z.number(), updated_at: instant, rev: z.number(), row_version: z.number() })).parse(rows)
}

async function requirePlace(ctx: CanteenCtx, place_id: string): Promise<string> {
  const { rows: [place] } = await sql<{ place_kind: number }>`select p.place_kind::int as place_kind from place_live_v p where p.school_id = ${ctx.school_id} and p.place_id = ${place_id} and ${inPlaces('p.node_path', await placeScope(ctx))}`.execute(ctx.db)
  if (!place) throw fail(commonErrors.notFound)
  if (!canteen_kinds.includes(Number(place.place_kind))) throw fail(canteenErrors.notCanteen, { errors: [{ field: 'place_id', msg: canteenErrors.notCanteen.msg }] })
  return place_id
}

/** The canteens that a menu can be made for. */
export async function listPlaces(ctx: CanteenCtx): Promise<Reply<typeof menuApi.places>> {
  const { rows } = await sql<{ place_id: string; place_name: string }>`
    select p.place_id::text as place_id, p.node_path_name as place_name from place_live_v p where p.school_id = ${ctx.school_id} and p.place_kind::int = any(${[...canteen_kinds]}::int[]) and ${inPlaces('p.node_path', await placeScope(ctx))} order by p.node_path`.execute(ctx.db)
  return { list: rows }
}

async function requireMenu(ctx: CanteenCtx, menu_id: string, lock = true) {
  const query = ctx.db.selectFrom('canteen_menu').selectAll().where('school_id', '=', ctx.school_id).where('menu_id', '=', menu_id)
  const found = await (lock ? query.forUpdate() : query).executeTakeFirst()
  if (!found) {
    await placeScope(ctx)
    throw fail(commonErrors.notFound)
  }
  await requirePlace(ctx, found.place_id)
  return found
}

async function itemsOf({ db, school_id }: CanteenCtx, menu_id: string, rev: number): Promise<MenuItem[]> {
  const rows = await db.selectFrom('canteen_menu_item').select(['day', 'meal_kind', 'dish_id', 'dish_name', 'dish_kind', 'price_fen', 'kcal', 'allergens', 'replaced_by']).where('school_id', '=', school_id).where('menu_id', '=', menu_id).where('rev', '=', rev).orderBy('day').orderBy('meal_kind').orderBy('order_no').orderBy('dish_id').execute()
  return z.array(MenuItem).parse(rows)
}

/** A menu with its dishes: the published words, or the working copy. */
export async function readMenu(ctx: CanteenCtx, { id, type }: { id: string; type: number }): Promise<Reply<typeof menuApi.detail>> {
  const menu = await requireMenu(ctx, id, false)
  const [row] = await readMenus(ctx, sql`m.menu_id = ${id}`, 1, 0)
  const items = await itemsOf(ctx, id, type === 1 ? menu.rev : working)
  return MenuDetail.parse({ ...row, items, warnings: warningsOf(items) })
}

/** Saves the working copy and publishes it where that is asked for. @throws Refusal menuNotMonday, menuStale, menuExists, menuPast, menuEmpty, dishGone */
export async function saveMenu(ctx: CanteenCtx, asked: Save): Promise<Reply<typeof menuApi.save>> {
  const { db, school_id, now, me } = ctx
  await requirePlace(ctx, asked.place_id)
  const days = daysOf(asked.week_start)
  if (new Date(asked.week_start).getUTCDay() !== 1) throw fail(canteenErrors.menuNotMonday, { errors: [{ field: 'week_start', msg: canteenErrors.menuNotMonday.msg }] })
  if (asked.items.some(one => !days.includes(one.day))) throw fail(canteenErrors.itemOutside)
  const menu = asked.id === undefined ? null : await requireMenu(ctx, asked.id)
  if (menu !== null && menu.row_version !== asked.row_version) throw fail(canteenErrors.menuStale)
  if (menu !== null && (menu.week_start !== asked.week_start || menu.place_id !== asked.place_id)) throw fail(canteenErrors.menuStale)
  const menu_id = menu?.menu_id ?? (await newMenu(ctx, asked)).menu_id
  const items = await snapshots(ctx, menu_id, asked)
  if (menu?.state === published) await requirePastKept(ctx, menu_id, menu.rev, items)
  await db.deleteFrom('canteen_menu_item').where('school_id', '=', school_id).where('menu_id', '=', menu_id).where('rev', '=', working).execute()
  await insertMany(db, 'canteen_menu_item', items.map((item, at) => ({ school_id, menu_id, rev: working, ...item, order_no: at })))
  const row_version = (menu?.row_version ?? 0) + 1
  await db.updateTable('canteen_menu').set({ row_version, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where('menu_id', '=', menu_id).execute()
  if (asked.publish === 1) await publishMenu(ctx, { menu_id, place_id: asked.place_id, week_start: asked.week_start, rev: menu?.rev ?? 0 }, items, asked.note)
  ctx.note({ target_kind: 'canteen.menu', target_id: menu_id, target_name: `${asked.week_start} 食谱`, after: { publish: asked.publish } })
  return { id: menu_id, row_version, warnings: warningsOf(items) }
}

async function newMenu({ db, school_id, now, me }: CanteenCtx, { place_id, crowd_type, week_start }: Pick<Save, 'place_id' | 'crowd_type' | 'week_start'>) {
  const made = await db.insertInto('canteen_menu').values({ school_id, place_id, crowd_type, week_start, state: draft, row_version: 1, updated_at: now, updated_by: me.user_id }).onConflict(clash => clash.columns(['school_id', 'place_id', 'crowd_type', 'week_start']).doNothing()).returning('menu_id').executeTakeFirst()
  if (!made) throw fail(canteenErrors.menuExists)
  return made
}

/** The dishes in today's words; those that stood there already keep the words that they had. */
async function snapshots(ctx: CanteenCtx, menu_id: string, { items }: Save): Promise<MenuItem[]> {
  const ids = [...new Set(items.map(one => one.dish_id))]
  const dishes = ids.length === 0 ? [] : await ctx.db.selectFrom('canteen_dish').select(['dish_id', 'name', 'dish_kind', 'price_fen', 'kcal', 'allergens', 'enabled']).where('school_id', '=', ctx.school_id).where('dish_id', 'in', ids).execute()
  const before = new Map((await itemsOf(ctx, menu_id, working)).map(one => [`${one.day} ${one.meal_kind} ${one.dish_id}`, one]))
  const by_id = new Map(dishes.map(dish => [dish.dish_id, dish]))
  const unique = new Map(items.map(one => [`${one.day} ${one.meal_kind} ${one.dish_id}`, one]))
  return [...unique].map(([key, one]) => {
    const kept = before.get(key)
    const dish = by_id.get(one.dish_id)
    if (kept) return kept
    if (!dish) throw fail(commonErrors.notFound)
    if (!dish.enabled) throw fail(canteenErrors.dishGone)
    return { ...one, dish_name: dish.name, dish_kind: dish.dish_kind, price_fen: dish.price_fen, kcal: dish.kcal, allergens: dish.allergens, replaced_by: null }
  })
}

/** Days that are over stay as they were eaten (chapter 60 rule 43). */
async function requirePastKept(ctx: CanteenCtx, menu_id: string, rev: number, items: readonly MenuItem[]): Promise<void> {
  const today = schoolDay(ctx.now)
  const signs = (list: readonly MenuItem[]) => list.filter(one => one.day < today).map(one => `${one.day} ${one.meal_kind} ${one.dish_id}`).toSorted().join()
  if (signs(await itemsOf(ctx, menu_id, rev)) !== signs(items)) throw fail(canteenErrors.menuPast)
}

type Known = { menu_id: string; place_id: string; week_start: string; rev: number }

async function publishMenu(ctx: CanteenCtx, menu: Known, items: readonly MenuItem[], note: string): Promise<void> {
  const { db, school_id, now, me } = ctx
  const empty = daysOf(menu.week_start).slice(0, 5).find(day => day >= schoolDay(now) && !items.some(one => one.day === day && one.meal_kind === lunch))
  if (empty !== undefined) throw fail(canteenErrors.menuEmpty, { params: { date: empty } })
  const rev = menu.rev + 1
  await db.insertInto('canteen_menu_rev').values({ school_id, menu_id: menu.menu_id, rev, published_at: now, published_by: me.user_id, note: note === '' ? null : note }).execute()
  await insertMany(db, 'canteen_menu_item', items.map((item, at) => ({ school_id, menu_id: menu.menu_id, rev, ...item, order_no: at })))
  await db.updateTable('canteen_menu').set({ state: published, rev }).where('school_id', '=', school_id).where('menu_id', '=', menu.menu_id).execute()
  await publish(ctx, canteenEvents.published, { menu_id: menu.menu_id, place_id: menu.place_id, week_start: menu.week_start })
}

/** @throws Refusal menuNotPublished */
export async function withdrawMenu(ctx: CanteenCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const menu = await requireMenu(ctx, id)
  if (menu.state !== published) throw fail(canteenErrors.menuNotPublished)
  await ctx.db.updateTable('canteen_menu').set({ state: withdrawn, row_version: menu.row_version + 1, updated_at: ctx.now, updated_by: ctx.me.user_id }).where('school_id', '=', ctx.school_id).where('menu_id', '=', id).execute()
  await publish(ctx, canteenEvents.withdrawn, { menu_id: id, place_id: menu.place_id, week_start: menu.week_start })
  ctx.note({ target_kind: 'canteen.menu', target_id: id })
  return {}
}

/** The same dishes in another week, as a draft. @throws Refusal menuNotMonday, menuExists */
export async function copyMenu(ctx: CanteenCtx, { from_id, week_start }: Input<typeof menuApi.copy>): Promise<{ id: string }> {
  const menu = await requireMenu(ctx, from_id)
  if (new Date(week_start).getUTCDay() !== 1) throw fail(canteenErrors.menuNotMonday)
  const shift = Date.parse(week_start) - Date.parse(menu.week_start)
  const { menu_id } = await newMenu(ctx, { ...menu, week_start })
  const items = await itemsOf(ctx, from_id, working)
  await insertMany(ctx.db, 'canteen_menu_item', items.map((item, at) => ({ school_id: ctx.school_id, menu_id, rev: working, ...item, replaced_by: null, day: new Date(Date.parse(item.day) + shift).toISOString().slice(0, 10), order_no: at })))
  ctx.note({ target_kind: 'canteen.menu', target_id: menu_id, target_name: `${week_start} 食谱` })
  return { id: menu_id }
}

/** 换菜 on a published menu: readers see the new dish and why. @throws Refusal menuNotPublished, dishNotOnMenu, dishGone */
export async function substituteDish(ctx: CanteenCtx, { id, day, meal_kind, old_dish_id, new_dish_id, reason }: Input<typeof menuApi.substitute>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const menu = await requireMenu(ctx, id)
  const dish = await db.selectFrom('canteen_dish').select(['name', 'dish_kind', 'price_fen', 'kcal', 'allergens', 'enabled']).where('school_id', '=', school_id).where('dish_id', '=', new_dish_id).executeTakeFirst()
  if (!dish) throw fail(commonErrors.notFound)
  if (menu.state !== published) throw fail(canteenErrors.menuNotPublished)
  if (!dish.enabled) throw fail(canteenErrors.dishGone)
  const { name, dish_kind, price_fen, kcal, allergens } = dish
  const { numUpdatedRows } = await db.updateTable('canteen_menu_item').set({ dish_id: new_dish_id, dish_name: name, dish_kind, price_fen, kcal, allergens, replaced_by: reason })
    .where('school_id', '=', school_id).where('menu_id', '=', id).where('rev', 'in', [working, menu.rev]).where('day', '=', day).where('meal_kind', '=', meal_kind).where('dish_id', '=', old_dish_id).executeTakeFirstOrThrow()
  if (Number(numUpdatedRows) === 0) throw fail(canteenErrors.dishNotOnMenu)
  await publish(ctx, canteenEvents.substituted, { menu_id: id, place_id: menu.place_id, week_start: menu.week_start })
  ctx.note({ target_kind: 'canteen.menu', target_id: id, target_name: `${day} 换菜`, reason })
  return {}
}

/** Proposes dishes for lunches that are empty; the same week gets the same proposal (chapter 60 rule 45). */
export async function fillMenu(ctx: CanteenCtx, { id }: { id: string }): Promise<{ added: number }> {
  const { db, school_id, now } = ctx
  const menu = await requireMenu(ctx, id)
  const items = await itemsOf(ctx, id, working)
  const days = daysOf(menu.week_start).slice(0, 5).filter(day => day >= schoolDay(now) && !items.some(one => one.day === day && one.meal_kind === lunch))
  const dishes = await db.selectFrom('canteen_dish').select(['dish_id', 'name as dish_name', 'dish_kind', 'price_fen', 'kcal', 'allergens']).where('school_id', '=', school_id).where('enabled', '=', true).orderBy('dish_id').execute()
  const prices = new Map(dishes.map(dish => [dish.dish_id, dish.price_fen]))
  const proposed = proposeLunches(days, dishes, Math.floor(Date.parse(menu.week_start) / (7 * day_ms)))
  await insertMany(db, 'canteen_menu_item', proposed.map((item, at) => ({ school_id, menu_id: id, rev: working, ...item, price_fen: prices.get(item.dish_id) ?? 0, order_no: items.length + at })))
  await db.updateTable('canteen_menu').set({ row_version: menu.row_version + 1 }).where('school_id', '=', school_id).where('menu_id', '=', id).execute()
  ctx.note({ target_kind: 'canteen.menu', target_id: id, target_name: `生成 ${proposed.length}道` })
  return { added: proposed.length }
}

/** What is served on a day, for everybody of the school. */
export async function dayMenu(ctx: CanteenCtx, { day }: { day: string }): Promise<Reply<typeof menuApi.day>> {
  await selfScope(ctx)
  const { rows } = await sql`
    select i.day::text as day, i.meal_kind, i.dish_id::text as dish_id, i.dish_name, i.dish_kind, i.price_fen, i.kcal::int as kcal, i.allergens, i.replaced_by, p.place_name
    from canteen_menu m join canteen_menu_item i on i.school_id = ${ctx.school_id} and i.menu_id = m.menu_id and i.rev = m.rev
    join place_live_v p on p.school_id = ${ctx.school_id} and p.place_id = m.place_id
    where m.school_id = ${ctx.school_id} and m.state = ${published} and i.day = ${day}::date order by p.place_name, i.meal_kind, i.order_no`.execute(ctx.db)
  return { list: z.array(MenuItem.extend({ place_name: z.string() })).parse(rows) }
}

/** Menus for a sheet: one line a dish, in the order of the import. */
export async function exportLines(ctx: CanteenCtx, ids: readonly string[]): Promise<string[][]> {
  const lines: string[][] = []
  for (const id of ids) {
    const menu = await readMenu(ctx, { id, type: 2 })
    const ids_of_dishes = ['0', ...menu.items.map(one => one.dish_id)]
    const dishes = await ctx.db.selectFrom('canteen_dish').select(['dish_id', 'ingredients']).where('school_id', '=', ctx.school_id).where('dish_id', 'in', ids_of_dishes).execute()
    const ingredients = new Map(dishes.map(dish => [dish.dish_id, dish.ingredients]))
    lines.push(...menu.items.map(one => {
      const allergens = one.allergens.map(code => allergen_names[String(code)]).join('；')
      return [one.day, one.meal_kind, menu.place_name, one.dish_name, kind_names[one.dish_kind] ?? one.dish_kind, ingredients.get(one.dish_id) ?? '', allergens, (one.price_fen / 100).toFixed(2), String(one.kcal), '']
    }))
  }
  return lines
}
