import { mondayOf } from '@campus/calendar/contract'
import type { AppliedRow, ApplyRow, ApplyStep, UndoRow } from '@campus/jobs/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CanteenDb } from '../db.ts'
import { keyOf, placeOf, wordsOf } from './menu.line.ts'
import type { Dish, Item, Line, Snapshot } from './menu.line.ts'
import { changePicture } from './picture.service.ts'

type Step = ApplyStep<CanteenDb>
const [working, draft, of_pupils] = [0, 0, 1] as const
const Words = z.object({ dish_kind: z.string(), price_fen: z.number(), kcal: z.number(), allergens: z.array(z.number()) })
/** What was there before a line; `new_*`: what the line has made beside its dish of the meal. */
const Before = z.object({
  words: Words.nullable(),
  new_dish: z.boolean(),
  new_menu: z.boolean(),
  /** the picture that the dish had before the line gave it another; absent: it gave none */
  old_picture: z.string().nullable().optional(),
})

const markOf = ({ dish_kind, price_fen, kcal, allergens }: z.output<typeof Words>, rev: number) =>
  [rev, dish_kind, price_fen, kcal, allergens.join('.')].join(':')

/** Puts the dishes into the working copies; menus and dishes that are missing are made. */
export async function applyLines(step: Step, rows: readonly ApplyRow<Line>[], snapshot: Snapshot): Promise<AppliedRow[]> {
  const menus = new Map<string, Week & { is_new: boolean }>()
  const dishes = new Map([...snapshot.dishes].map(([name, dish]) => [name, { ...dish, is_new: false }]))
  const applied: AppliedRow[] = []
  for (const { row_no, parsed: line } of rows) {
    const place_id = placeOf(snapshot, line)
    if (place_id === null) continue
    const week = `${place_id} ${mondayOf(line.day)}`
    const known = menus.get(week) ?? (await openMenu(step, place_id, mondayOf(line.day)))
    menus.set(week, { ...known, is_new: false })
    const dish = dishes.get(line.dish) ?? (await newDish(step, line))
    dishes.set(line.dish, { ...dish, is_new: false })
    const key = keyOf({ ...line, menu_id: known.menu_id, dish_id: dish.dish_id })
    const item = snapshot.items.get(key)
    const words = wordsOf(line, item ?? dish)
    await putItem(step, { ...line, ...words, menu_id: known.menu_id, dish_id: dish.dish_id })
    const picture = snapshot.pictures.get(line.picture)
    const changed = picture === undefined ? {} : { old_picture: await changePicture(step, dish.dish_id, picture) }
    const before: z.output<typeof Before> = {
      ...changed,
      words: item ? Words.parse(item) : null,
      new_dish: dish.is_new,
      new_menu: known.is_new,
    }
    applied.push({ row_no, target_id: key, before, touched: [{ key, mark: markOf(words, known.rev) }] })
  }
  await touchMenus(
    step,
    [...menus.values()].map(menu => menu.menu_id),
  )
  return applied
}

type Week = { menu_id: string; rev: number }

/** The menu of a canteen in a week, locked; one for pupils is made where there is none. */
async function openMenu({ db, school_id, now, me }: Step, place_id: string, week_start: string): Promise<Week & { is_new: boolean }> {
  const find = () =>
    db
      .selectFrom('canteen_menu')
      .select(['menu_id', 'rev'])
      .where('school_id', '=', school_id)
      .where('place_id', '=', place_id)
      .where('week_start', '=', week_start)
      .orderBy('crowd_type')
      .limit(1)
      .forUpdate()
      .executeTakeFirst()
  const found = await find()
  if (found) return { ...found, is_new: false }
  const made = await db
    .insertInto('canteen_menu')
    .values({ school_id, place_id, crowd_type: of_pupils, week_start, state: draft, updated_at: now, updated_by: me.user_id })
    .onConflict(clash => clash.columns(['school_id', 'place_id', 'crowd_type', 'week_start']).doNothing())
    .returning('menu_id')
    .executeTakeFirst()
  if (made) return { menu_id: made.menu_id, rev: 0, is_new: true }
  const other = await find()
  if (!other) throw new Error('a menu that is there cannot be read')
  return { ...other, is_new: false }
}

async function newDish({ db, school_id, now, me }: Step, line: Line): Promise<Dish & { is_new: boolean }> {
  const words = wordsOf(line, undefined)
  const made = await db
    .insertInto('canteen_dish')
    .values({
      school_id,
      name: line.dish,
      ...words,
      ingredients: line.ingredients,
      taboo: [],
      enabled: true,
      created_at: now,
      created_by: me.user_id,
    })
    .onConflict(clash => clash.columns(['school_id', 'name']).doNothing())
    .returning('dish_id')
    .executeTakeFirst()
  if (made) return { ...made, name: line.dish, ...words, file_key: null, is_new: true }
  const other = await db
    .selectFrom('canteen_dish')
    .select(['dish_id', 'name', 'dish_kind', 'price_fen', sql<number>`kcal::int`.as('kcal'), 'allergens', 'file_key'])
    .where('school_id', '=', school_id)
    .where('name', '=', line.dish)
    .executeTakeFirstOrThrow()
  return { ...other, is_new: false }
}

async function putItem({ db, school_id }: Step, item: Item & Pick<Line, 'dish'>): Promise<void> {
  const { menu_id, day, meal_kind, dish_id, dish, dish_kind, price_fen, kcal, allergens } = item
  const words = { dish_kind, price_fen, kcal, allergens }
  const {
    rows: [last],
  } = await sql<{ n: number }>`
    select count(*)::int as n from canteen_menu_item
    where school_id = ${school_id} and menu_id = ${menu_id} and rev = ${working}`.execute(db)
  await db
    .insertInto('canteen_menu_item')
    .values({ school_id, menu_id, rev: working, day, meal_kind, dish_id, dish_name: dish, ...words, order_no: last?.n ?? 0 })
    .onConflict(clash => clash.columns(['school_id', 'menu_id', 'rev', 'day', 'meal_kind', 'dish_id']).doUpdateSet(words))
    .execute()
}

/** Whoever has such a menu open reads that it has changed. */
async function touchMenus({ db, school_id, now, me }: Step, menu_ids: readonly string[]): Promise<void> {
  await db
    .updateTable('canteen_menu')
    .set({ row_version: sql<number>`row_version + 1`, updated_at: now, updated_by: me.user_id })
    .where('school_id', '=', school_id)
    .where('menu_id', 'in', ['0', ...menu_ids])
    .execute()
}

const Place = z.tuple([z.string(), z.string(), z.string(), z.string()])
const placeOfKey = (key: string) => {
  const [menu_id, day, meal_kind, dish_id] = Place.parse(key.split(':'))
  return { menu_id, day, meal_kind, dish_id }
}

/** How the dishes of a batch lie now, with the revision of their menu: a publication is a change too. */
export async function marksOf({ db, school_id }: Step, keys: readonly string[], lock: boolean): Promise<Map<string, string>> {
  const menu_ids = [...new Set(keys.map(key => placeOfKey(key).menu_id))]
  const menus = await db
    .selectFrom('canteen_menu')
    .select(['menu_id', 'rev'])
    .where('school_id', '=', school_id)
    .where('menu_id', 'in', ['0', ...menu_ids])
    .orderBy('menu_id')
    .$if(lock, query => query.forUpdate())
    .execute()
  const revs = new Map(menus.map(menu => [menu.menu_id, menu.rev]))
  const items = await db
    .selectFrom('canteen_menu_item')
    .select([
      'menu_id',
      sql<string>`day::text`.as('day'),
      'meal_kind',
      'dish_id',
      'dish_kind',
      'price_fen',
      sql<number>`kcal::int`.as('kcal'),
      'allergens',
    ])
    .where('school_id', '=', school_id)
    .where('rev', '=', working)
    .where('menu_id', 'in', ['0', ...menu_ids])
    .execute()
  const wanted = new Set(keys)
  return new Map(
    items.filter(item => wanted.has(keyOf(item))).map(item => [keyOf(item), markOf(Words.parse(item), revs.get(item.menu_id) ?? 0)]),
  )
}

/** The week is again what it was; dishes and menus that the batch has made go when nothing is in need of them. */
export async function undoLines(step: Step, rows: readonly UndoRow[], kept: ReadonlySet<string>): Promise<void> {
  const { db, school_id } = step
  const gone = rows.filter(row => !kept.has(row.target_id)).map(row => ({ ...placeOfKey(row.target_id), ...Before.parse(row.before) }))
  for (const { menu_id, day, meal_kind, dish_id, words } of gone) {
    const where = sql<boolean>`menu_id = ${menu_id} and rev = ${working} and day = ${day}::date
      and meal_kind = ${meal_kind} and dish_id = ${dish_id}`
    if (words === null) await db.deleteFrom('canteen_menu_item').where('school_id', '=', school_id).where(where).execute()
    else await db.updateTable('canteen_menu_item').set(words).where('school_id', '=', school_id).where(where).execute()
  }
  // The first line that gave a dish a picture knows the one before.
  for (const { dish_id, old_picture } of gone.toReversed()) if (old_picture !== undefined) await changePicture(step, dish_id, old_picture)
  await touchMenus(step, [...new Set(gone.map(row => row.menu_id))])
  const dishes = gone.filter(row => row.new_dish).map(row => row.dish_id)
  await sql`
    delete from canteen_dish where school_id = ${school_id} and dish_id = any(${dishes}::bigint[]) and dish_id not in (
      select i.dish_id from canteen_menu_item i where i.school_id = ${school_id} and i.dish_id = any(${dishes}::bigint[]))`.execute(db)
  const menus = gone.filter(row => row.new_menu).map(row => row.menu_id)
  await sql`
    delete from canteen_menu where school_id = ${school_id} and menu_id = any(${menus}::bigint[]) and rev = 0 and menu_id not in (
      select i.menu_id from canteen_menu_item i where i.school_id = ${school_id} and i.menu_id = any(${menus}::bigint[]))`.execute(db)
}
