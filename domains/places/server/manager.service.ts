import { declareScope } from '@campus/identity/server'
import type { placeApi } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { Db, PlacesCtx } from './db.ts'
import { detailOf, requireOpen } from './place.service.ts'

const source = 'places'

/** Who looks after a place from today on; they see it with everything below it. @throws Refusal 404 for anybody who is no staff today */
export async function setManagers(ctx: PlacesCtx, { id, user_ids }: Input<typeof placeApi.managers>): Promise<Reply<typeof placeApi.managers>> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  const place = await requireOpen(ctx, id)
  await db.selectFrom('place').select('place_id').where('school_id', '=', school_id).where('place_id', '=', id).forUpdate().execute()
  const wanted = [...new Set(user_ids)]
  const known = wanted.length === 0 ? [] : await db.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).where('user_id', 'in', wanted).execute()
  if (known.length < wanted.length) throw fail(commonErrors.notFound)
  const held = await openManagers(db, school_id, id, today)
  const gone = held.filter(one => !wanted.includes(one.user_id))
  await endManagers(ctx, id, today, gone.map(one => one.user_id))
  const fresh = wanted.filter(user_id => !held.some(one => one.user_id === user_id))
  if (fresh.length > 0) await db.insertInto('place_manager').values(fresh.map(user_id => ({ school_id, place_id: id, user_id, valid_from: today }))).execute()
  await declareManagers(db, school_id, fresh)
  ctx.note({ target_kind: 'places.place', target_id: id, target_name: place.node_path_name, before: { user_ids: held.map(one => one.user_id) }, after: { user_ids: wanted } })
  return detailOf(ctx, id)
}

function openManagers(db: Db, school_id: number, place_id: string, on: string) {
  return db
    .selectFrom('place_manager')
    .select(['id', 'user_id', 'valid_from'])
    .where('school_id', '=', school_id)
    .where('place_id', '=', place_id)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', on)]))
    .execute()
}

/** These people, or all, look after a place no more. */
export async function endManagers({ db, school_id }: Pick<PlacesCtx, 'db' | 'school_id'>, place_id: string, on: string, user_ids?: readonly string[]): Promise<void> {
  const gone = (await openManagers(db, school_id, place_id, on)).filter(one => user_ids?.includes(one.user_id) ?? true)
  await endRows(db, school_id, gone, on)
  await declareManagers(db, school_id, gone.map(one => one.user_id))
}

/** What these people look after on a day or will. */
export function openManagersOf(db: Db, school_id: number, user_ids: readonly string[], on: string) {
  return db
    .selectFrom('place_manager')
    .select(['id', 'place_id', 'user_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('user_id', 'in', user_ids)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', on)]))
    .orderBy('id')
    .execute()
}

/** Ends these on a day; what would only begin then or later goes. */
export async function endRows(db: Db, school_id: number, rows: readonly { id: string; valid_from: string }[], on: string): Promise<void> {
  for (const { id, valid_from } of rows) {
    if (valid_from >= on) await db.deleteFrom('place_manager').where('school_id', '=', school_id).where('id', '=', id).execute()
    else await db.updateTable('place_manager').set({ valid_to: on }).where('school_id', '=', school_id).where('id', '=', id).execute()
  }
}

/** Tells identity the whole history of whom these people looked after: their row scope of places follows it. */
export async function declareManagers(db: Db, school_id: number, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return
  const rows = await db.selectFrom('place_manager').select(['user_id', 'place_id', 'valid_from', 'valid_to']).where('school_id', '=', school_id).where('user_id', 'in', user_ids).execute()
  const facts = (user_id: string) => rows.filter(row => row.user_id === user_id).map(row => ({ id: row.place_id, valid_from: startOf(row.valid_from), valid_to: row.valid_to === null ? null : startOf(row.valid_to) }))
  await declareScope(db, school_id, source, user_ids.map(user_id => ({ user_id, dimension: 'place', kind: 'manager', facts: facts(user_id) })))
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00+08:00`)
}
