import type { DishDraft } from '@campus/canteen/contract'
import { asTables, insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { CanteenDb } from './db.ts'

/** The dishes of a school, and one published week of which every day has the lunch that `lunches` name by their place in `dishes`. */
export type CanteenPlan = { dishes: readonly Pick<DishDraft, 'name' | 'dish_kind' | 'ingredients' | 'allergens' | 'price_fen' | 'kcal'>[]; week_start: string; days: readonly string[]; lunches: readonly (readonly number[])[]; created_by: string }
type Place = { db: QueryExecutorProvider; school_id: number; now: Date }

const [working, first, published, pupils] = [0, 1, 1, 1] as const
const lunch = '3'

/** Writes dishes, and a published menu of the first canteen; a school without a canteen has dishes only. */
export async function createCanteen({ db: handle, school_id, now }: Place, plan: CanteenPlan): Promise<void> {
  const db = asTables<CanteenDb>(handle)
  const { created_by, week_start } = plan
  await insertMany(db, 'canteen_dish', plan.dishes.map(dish => ({ ...dish, school_id, taboo: [], file_key: null, enabled: true, created_at: now, created_by })))
  const { rows: [place] } = await sql<{ place_id: string }>`select place_id::text as place_id from place_live_v where school_id = ${school_id} and place_kind = 12 order by place_id limit 1`.execute(db)
  if (!place) return
  const dishes = new Map((await db.selectFrom('canteen_dish').select(['dish_id', 'name', 'dish_kind', 'price_fen', 'kcal', 'allergens']).where('school_id', '=', school_id).execute()).map(dish => [dish.name, dish]))
  const { menu_id } = await db.insertInto('canteen_menu').values({ school_id, place_id: place.place_id, crowd_type: pupils, week_start, state: published, rev: first, updated_at: now, updated_by: created_by }).returning('menu_id').executeTakeFirstOrThrow()
  await db.insertInto('canteen_menu_rev').values({ school_id, menu_id, rev: first, published_at: now, published_by: created_by }).execute()
  const items = plan.days.flatMap((day, at) => (plan.lunches[at % plan.lunches.length] ?? []).flatMap((nth, order_no) => {
    const dish = dishes.get(plan.dishes[nth]?.name ?? '')
    return dish ? [{ day, meal_kind: lunch, dish_id: dish.dish_id, dish_name: dish.name, dish_kind: dish.dish_kind, price_fen: dish.price_fen, kcal: dish.kcal, allergens: dish.allergens, order_no, replaced_by: null }] : []
  }))
  await insertMany(db, 'canteen_menu_item', [working, first].flatMap(rev => items.map(item => ({ school_id, menu_id, rev, ...item }))))
}
