import { classroom_kinds, placesErrors, placesEvents } from '@campus/places/contract'
import type { placeApi } from '@campus/places/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { PlacesCtx } from './db.ts'
import { endThese, homesFrom, readClasses } from './home.queries.ts'
import { lockPlaces } from './place.queries.ts'
import type { PlaceRecord } from './place.queries.ts'
import { requireOpen, toldPlace } from './place.service.ts'

/** The class of a room from a day on; null: nobody's. The class leaves the room it had. @throws Refusal 404, 409 placeHomeTaken, 422 placeNoClassroom, placeNotClass, placeHomeBefore */
export async function setHome(ctx: PlacesCtx, { id, dept_id, from }: Input<typeof placeApi.home>): Promise<Reply<typeof placeApi.home>> {
  await lockPlaces(ctx.db, ctx.school_id)
  const place = await requireOpen(ctx, id)
  if (dept_id === null) await endThese(ctx.db, ctx.school_id, await homesFrom(ctx.db, ctx.school_id, { column: 'place_id', ids: [id] }, from), from)
  else await bind(ctx, place, dept_id, from)
  await publish(ctx, placesEvents.placeMoved, { place_ids: [id] })
  ctx.note({ target_kind: 'places.place', target_id: id, target_name: place.node_path_name, after: { dept_id, from } })
  return { place: await toldPlace(ctx, id) }
}

/** The rooms of many classes, all or none. */
export async function setHomes(ctx: PlacesCtx, { pairs, from }: Input<typeof placeApi.homes>): Promise<Reply<typeof placeApi.homes>> {
  await lockPlaces(ctx.db, ctx.school_id)
  for (const { place_id, dept_id } of pairs) await bind(ctx, await requireOpen(ctx, place_id), dept_id, from)
  await publish(ctx, placesEvents.placeMoved, { place_ids: [...new Set(pairs.map(pair => pair.place_id))] })
  ctx.note({ target_kind: 'places.place', target_name: '班级教室', after: { pairs, from } })
  return { bound: pairs.length }
}

async function bind(ctx: PlacesCtx, { place_id, place_kind }: PlaceRecord, dept_id: string, from: string): Promise<void> {
  const { db, school_id } = ctx
  const classes = await readClasses(db, school_id)
  const wanted = classes.find(one => one.id === dept_id)
  const known = wanted ?? (await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst())
  if (!known) throw fail(commonErrors.notFound)
  if (!wanted) throw fail(placesErrors.placeNotClass)
  if (!classroom_kinds.includes(place_kind)) throw fail(placesErrors.placeNoClassroom)
  const here = await homesFrom(db, school_id, { column: 'place_id', ids: [place_id] }, from)
  const other = here.find(home => home.dept_id !== dept_id)
  if (other) throw fail(placesErrors.placeHomeTaken, { params: { dept_name: classes.find(one => one.id === other.dept_id)?.dept_name ?? '其他班级' }, data: { dept_id: other.dept_id } })
  if (here.some(home => home.valid_from <= from && home.valid_to === null)) return
  const own = await homesFrom(db, school_id, { column: 'dept_id', ids: [dept_id] }, from)
  const later = own.find(home => home.valid_from > from)
  if (later) throw fail(placesErrors.placeHomeBefore, { params: { day: later.valid_from } })
  await endThese(db, school_id, own, from)
  await db.insertInto('place_dept').values({ school_id, place_id, dept_id, use_kind: 'home', valid_from: from }).execute()
}
