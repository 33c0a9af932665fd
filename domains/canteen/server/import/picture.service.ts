import type { dishApi } from '@campus/canteen/contract'
import { claim, hold, release } from '@campus/files/server'
import type { Place } from '@campus/files/server'
import type { Input } from '@kit/contract'
import type { Pre } from '@kit/server/http'
import { sql } from 'kysely'
import type { CanteenCtx, CanteenDb } from '../db.ts'
import type { Kysely } from 'kysely'

const refOfPicture = (name: string) => ({ ref_kind: 'canteen.picture', ref_id: name })
const refOfDish = (dish_id: string) => ({ ref_kind: 'canteen.dish', ref_id: dish_id })
type AddPictures = Input<typeof dishApi.addPictures>

/** Checks the pictures before the transaction; the answer keeps them under their names. @throws Refusal 404, 415 */
export async function preparePictures(pre: Pre, { files }: AddPictures): Promise<(ctx: CanteenCtx) => Promise<{ added: number }>> {
  // Of several of one name the last counts.
  const by_name = [...new Map(files.map(file => [file.name, file])).values()]
  const claimed: { name: string; file_key: string; enter: Awaited<ReturnType<typeof claim>> }[] = []
  for (const { name, file_key } of by_name) claimed.push({ name, file_key, enter: await claim(pre, { file_key, purpose: 'resource' }) })
  return async ctx => {
    for (const { name, file_key, enter } of claimed) {
      await enter(ctx, refOfPicture(name))
      await keepPicture(ctx, name, file_key)
    }
    ctx.note({ target_kind: 'canteen.dish', target_name: `菜品图片 ${claimed.length}张` })
    return { added: claimed.length }
  }
}

async function keepPicture(ctx: CanteenCtx, name: string, file_key: string): Promise<void> {
  const { db, school_id, now, me } = ctx
  const of_name = db.selectFrom('canteen_picture').select('file_key').where('school_id', '=', school_id).where('name', '=', name)
  const old = await of_name.forUpdate().executeTakeFirst()
  const kept = { file_key, created_at: now, created_by: me.user_id }
  await db
    .insertInto('canteen_picture')
    .values({ school_id, name, ...kept })
    .onConflict(clash => clash.columns(['school_id', 'name']).doUpdateSet(kept))
    .execute()
  if (old && old.file_key !== file_key) await release(ctx, refOfPicture(name), { file_key: old.file_key })
}

type Named = { db: Kysely<CanteenDb>; school_id: number }

/** The pictures of these names, by name. */
export async function picturesOf({ db, school_id }: Named, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('canteen_picture')
    .select(['name', 'file_key'])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`name = any(${[...new Set(names)]}::text[])`)
    .execute()
  return new Map(rows.map(row => [row.name, row.file_key]))
}

/** Gives a dish another picture, or none. @returns the one that it had */
export async function changePicture(
  place: Place & { db: Kysely<CanteenDb> },
  dish_id: string,
  file_key: string | null,
): Promise<string | null> {
  const { db, school_id } = place
  const own = db.selectFrom('canteen_dish').select('file_key').where('school_id', '=', school_id).where('dish_id', '=', dish_id)
  const old = (await own.forUpdate().executeTakeFirst())?.file_key ?? null
  if (old === file_key) return old
  // What is there no more is no picture of the dish.
  const taken = file_key !== null && (await hold(place, file_key, refOfDish(dish_id))) ? file_key : null
  await db
    .updateTable('canteen_dish')
    .set({ file_key: taken, row_version: sql<number>`row_version + 1` })
    .where('school_id', '=', school_id)
    .where('dish_id', '=', dish_id)
    .execute()
  if (old !== null) await release(place, refOfDish(dish_id), { file_key: old })
  return old
}
