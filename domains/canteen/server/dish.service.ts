import { canteenErrors, DishRow } from '@campus/canteen/contract'
import type { dishApi, DishDraft } from '@campus/canteen/contract'
import { addressOf, claim, release } from '@campus/files/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import { z } from 'zod'
import type { CanteenCtx } from './db.ts'

const refOf = (dish_id: string) => ({ ref_kind: 'canteen.dish', ref_id: dish_id })
type Picture = (ctx: CanteenCtx, dish_id: string) => Promise<void>

/** Checks the photo before the transaction; the answer enters its use. @throws Refusal 404, 415 */
export async function preparePicture(pre: Pre, file_key: string | null, dish_id?: string): Promise<Picture> {
  if (file_key === null) return async () => undefined
  const enter = await claim(pre, { file_key, purpose: 'resource', ...(dish_id === undefined ? {} : { held_by: refOf(dish_id) }) })
  return async (ctx, id) => void (await enter(ctx, refOf(id)))
}

export async function listDishes(ctx: CanteenCtx, query: Input<typeof dishApi.list>): Promise<Reply<typeof dishApi.list>> {
  const { app, db, school_id, now, me } = ctx
  const parts = [sql`d.school_id = ${school_id}`]
  if (query.keyword !== undefined) parts.push(sql`(strpos(d.name, ${query.keyword}) > 0 or strpos(d.ingredients, ${query.keyword}) > 0)`)
  if (query.dish_kind !== undefined) parts.push(sql`d.dish_kind = ${query.dish_kind}`)
  if (query.enabled !== undefined) parts.push(sql`d.enabled = ${query.enabled}`)
  const page = (limit: number, offset: number) => sql<{ total: number }>`
    select d.dish_id::text as id, d.name, d.dish_kind, d.ingredients, d.allergens, d.taboo, d.price_fen, d.kcal::int as kcal, d.file_key, d.enabled, d.row_version, (count(*) over ())::int as total
    from canteen_dish d where ${sql.join(parts, sql` and `)} order by d.enabled desc, d.dish_kind, d.dish_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const list = z.array(DishRow.omit({ picture: true }).loose()).parse(rows).map(({ total: _total, ...row }) => DishRow.parse({ ...row, picture: row.file_key === null ? null : addressOf(app, now, { school_id, file_key: row.file_key, visibility: 'school' }, me) }))
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

export async function addDish(ctx: CanteenCtx, draft: DishDraft, picture: Picture): Promise<{ id: string }> {
  const { dish_id } = await ctx.db.insertInto('canteen_dish').values({ school_id: ctx.school_id, ...draft, created_at: ctx.now, created_by: ctx.me.user_id }).returning('dish_id').executeTakeFirstOrThrow()
  await picture(ctx, dish_id)
  ctx.note({ target_kind: 'canteen.dish', target_id: dish_id, target_name: draft.name })
  return { id: dish_id }
}

/** Published menus keep the old words (chapter 60 rule 43). @throws Refusal stale */
export async function updateDish(ctx: CanteenCtx, { id, row_version, ...draft }: Input<typeof dishApi.update>, picture: Picture): Promise<Record<string, never>> {
  const found = await findDish(ctx, id)
  if (found.row_version !== row_version) throw fail(canteenErrors.stale)
  await ctx.db.updateTable('canteen_dish').set({ ...draft, row_version: row_version + 1 }).where('school_id', '=', ctx.school_id).where('dish_id', '=', id).execute()
  await picture(ctx, id)
  if (found.file_key !== null && found.file_key !== draft.file_key) await release(ctx, refOf(id), { file_key: found.file_key })
  ctx.note({ target_kind: 'canteen.dish', target_id: id, target_name: draft.name })
  return {}
}

async function findDish({ db, school_id }: CanteenCtx, dish_id: string) {
  const found = await db.selectFrom('canteen_dish').select(['row_version', 'file_key', 'name']).where('school_id', '=', school_id).where('dish_id', '=', dish_id).forUpdate().executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** @throws Refusal dishInUse */
export async function removeDish(ctx: CanteenCtx, { id }: { id: string }): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const { name } = await findDish(ctx, id)
  const { rows: [used] } = await sql<{ n: number }>`select count(distinct i.menu_id)::int as n from canteen_menu_item i where i.school_id = ${school_id} and i.dish_id = ${id} and i.day >= ${schoolDay(now)}::date`.execute(db)
  if ((used?.n ?? 0) > 0) throw fail(canteenErrors.dishInUse, { params: { n: used?.n ?? 0 } })
  await db.deleteFrom('canteen_dish').where('school_id', '=', school_id).where('dish_id', '=', id).execute()
  await release(ctx, refOf(id))
  ctx.note({ target_kind: 'canteen.dish', target_id: id, target_name: name })
  return {}
}
