import { placesErrors, placesEvents } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import { publish } from '@kit/server/event'
import { undoByImage } from '@kit/server/excel'
import type { ApplyStep, ImportUndo } from '@kit/server/excel'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { PlacesDb } from '../db.ts'
import { lockPlaces } from '../place.queries.ts'
import { inPlaces } from '../place.scope.ts'
import { setLeaf } from '../place.write.ts'
import { placeUsePort } from '../use-port.ts'
import { placeKey } from './place.apply.ts'
import { markOf, PlaceBefore, readImages } from './place.image.ts'
import type { PlaceImage } from './place.image.ts'

type Step = ApplyStep<PlacesDb>
const idOf = (key: string) => key.slice('p:'.length)

/** 场所导入 is taken back place by place; what was changed, moved or put to use since stays and is named. */
export const placeUndo: ImportUndo<PlacesDb> = {
  async marks(step, keys, lock) {
    const { db, school_id } = step
    if (lock) await lockPlaces(db, school_id)
    const images = await readImages(db, school_id, keys.map(idOf))
    const used = await usedPaths(step, images.filter(image => image.batch_no === step.batch_no))
    return new Map(images.map(image => [placeKey(image.place_id), used.some(path => path.startsWith(image.node_path)) ? 'used' : markOf(image)]))
  },
  reason: () => '场所在导入后已变动，或已有下级场所、设备',
  undo: (step, rows, kept) => undoByImage(rows, kept, { image: PlaceBefore, key: placeKey, remove: ids => removeNew(step, ids), restore: image => restore(step, image) }),
}

/** Paths of places in and below those the batch made that others have put there, or in which other domains keep or ever kept something: they are named in what happened there. */
async function usedPaths({ db, school_id, now, app, batch_no }: Step, made: readonly PlaceImage[]): Promise<string[]> {
  const below = await db.selectFrom('place').select(['place_id', 'node_path', 'batch_no']).where('school_id', '=', school_id).where(inPlaces('node_path', made.map(image => image.node_path))).execute()
  const asked = { school_id, place_ids: below.map(row => row.place_id), today: schoolDay(now), change: { to: 'forget' as const } }
  const kept = new Set((await Promise.all(placeUsePort.all(app).map(ask => ask(db, asked)))).flat().map(use => use.place_id))
  return below.filter(row => row.batch_no !== batch_no || kept.has(row.place_id)).map(row => row.node_path)
}

/** Takes away what the batch has made; one below which another one stays is refused by the database and stays too. */
async function removeNew(step: Step, place_ids: readonly string[]): Promise<void> {
  const { db, school_id } = step
  if (place_ids.length === 0) return
  const ids = [...place_ids]
  await sql`delete from place_dept where school_id = ${school_id} and place_id = any(${ids}::bigint[])`.execute(db)
  const { rows } = await sql<{ superior_id: string }>`delete from place where school_id = ${school_id} and place_id = any(${ids}::bigint[]) returning superior_id::text as superior_id`.execute(db)
  for (const superior_id of new Set(rows.map(row => row.superior_id))) if (!place_ids.includes(superior_id)) await setLeaf(db, school_id, superior_id)
  await publish(step, placesEvents.placeDeleted, { place_ids: ids })
}

/** A place as it was; the class that the batch gave it goes again. @throws Refusal 409 placeKindInUse: what was put there since may not stand in a place of the former kind */
async function restore(step: Step, { place_id, place_kind, capacity, private_zone, row_version, updated_at, homes }: z.output<typeof PlaceBefore>): Promise<void> {
  const { db, school_id, now, app } = step
  const asked = { school_id, place_ids: [place_id], today: schoolDay(now), change: { to: 'kind' as const, place_kind, private_zone } }
  const found = (await Promise.all(placeUsePort.all(app).map(ask => ask(db, asked)))).flat()
  if (found.length > 0) throw fail(placesErrors.placeKindInUse, { params: { list: found.map(use => use.title).join('、') } })
  await sql`
    update place set place_kind = ${place_kind}, capacity = ${capacity}, private_zone = ${private_zone}, row_version = ${row_version}, updated_at = ${updated_at}::timestamptz
    where school_id = ${school_id} and place_id = ${place_id}`.execute(db)
  await sql`delete from place_dept where school_id = ${school_id} and place_id = ${place_id} and not (id = any(${homes.map(home => home.id)}::bigint[]))`.execute(db)
  await publish(step, placesEvents.placeMoved, { place_ids: [place_id] })
}
