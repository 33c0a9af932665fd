import { campus_kind, building_kinds, checkPlaceName, floor_kind, most_generated, placesErrors } from '@campus/places/contract'
import type { GeneratedFloor, placeApi, PlaceGenerator } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { isSameName, nameKey } from '@kit/contract/checks'
import type { Db, PlacesCtx } from './db.ts'
import { planFloors } from './generate.ts'
import { refuseKind } from './place.check.ts'
import { findPlace, lockPlaces, openChildren } from './place.queries.ts'
import type { PlaceRecord } from './place.queries.ts'
import { requireOpen } from './place.service.ts'
import { addPlace } from './place.write.ts'

/** What a generator would make below a building or campus; writes nothing. */
export async function previewPlaces(ctx: PlacesCtx, asked: PlaceGenerator): Promise<Reply<typeof placeApi.preview>> {
  const { floors, made } = await judge(ctx, asked)
  return { floors, made }
}

/** Makes it, all or nothing; what is there already stays as it is. @throws Refusal 422 placeTooMany, names that are not allowed */
export async function generatePlaces(ctx: PlacesCtx, asked: PlaceGenerator): Promise<Reply<typeof placeApi.batch>> {
  const { db, school_id } = ctx
  await lockPlaces(db, school_id)
  const { superior, building, floors, made } = await judge(ctx, asked)
  const today = schoolDay(ctx.now)
  const below = building ?? (await madeUnder(db, { school_id, superior, today }, { place_name: asked.building_name ?? '', place_kind: asked.building_kind }))
  for (const { floor_name, is_new, rooms } of floors) {
    const floor = is_new ? await madeUnder(db, { school_id, superior: below, today }, { place_name: floor_name, place_kind: floor_kind }) : await childNamed(db, school_id, below.place_id, floor_name)
    if (!floor) throw fail(commonErrors.notFound)
    for (const room of rooms.filter(one => one.is_new)) {
      await addPlace(db, { school_id, superior: floor, today }, { place_name: room.place_name, place_kind: asked.room_kind, capacity: asked.capacity })
    }
  }
  ctx.note({ target_kind: 'places.place', target_id: below.place_id, target_name: below.node_path_name, after: { ...asked, made } })
  return { made, superior_id: below.place_id }
}

async function madeUnder(db: Db, where: Parameters<typeof addPlace>[1], place: Parameters<typeof addPlace>[2]): Promise<PlaceRecord> {
  const made = await findPlace(db, where.school_id, await addPlace(db, where, place))
  if (!made) throw fail(commonErrors.notFound)
  return made
}

async function childNamed(db: Db, school_id: number, superior_id: string, place_name: string): Promise<PlaceRecord | undefined> {
  const child = (await openChildren(db, school_id, superior_id)).find(one => isSameName(one.place_name, place_name))
  return child && findPlace(db, school_id, child.place_id)
}

type Judged = { superior: PlaceRecord; building: PlaceRecord | undefined; floors: GeneratedFloor[]; made: number }

async function judge(ctx: PlacesCtx, asked: PlaceGenerator): Promise<Judged> {
  const { db, school_id } = ctx
  const superior = await requireOpen(ctx, asked.superior_id)
  refuseKind(asked.room_kind, superior)
  const is_building = building_kinds.includes(superior.place_kind)
  if (!is_building && superior.place_kind !== campus_kind) throw fail(commonErrors.invalid, { errors: [{ field: 'superior_id', msg: '请选择校区或楼栋' }] })
  if (!is_building && asked.building_name === null) throw fail(commonErrors.invalid, { errors: [{ field: 'building_name', msg: '请填写楼栋名称' }] })
  const building = is_building ? superior : await childNamed(db, school_id, superior.place_id, asked.building_name ?? '')
  const planned = planFloors({ ...asked, building: building?.place_name ?? asked.building_name ?? '' })
  refuseNames(planned.flatMap(({ rooms }) => rooms))
  const floors: GeneratedFloor[] = []
  for (const { floor_name, rooms } of planned) {
    const floor = building && (await childNamed(db, school_id, building.place_id, floor_name))
    const there = new Set(floor ? (await openChildren(db, school_id, floor.place_id)).map(room => nameKey(room.place_name)) : [])
    floors.push({ floor_name, is_new: floor === undefined, rooms: rooms.map(place_name => ({ place_name, is_new: !there.has(nameKey(place_name)) })) })
  }
  const made = floors.reduce((sum, { is_new, rooms }) => sum + (is_new ? 1 : 0) + rooms.filter(room => room.is_new).length, building ? 0 : 1)
  if (made > most_generated) throw fail(placesErrors.placeTooMany)
  return { superior, building, floors, made }
}

function refuseNames(names: readonly string[]): void {
  const wrong = names.map(checkPlaceName).find(verdict => verdict)
  if (wrong) throw fail(commonErrors.invalid, { errors: [{ field: 'name_pattern', msg: wrong }] })
}
