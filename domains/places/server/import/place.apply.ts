import { placesEvents } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import { nameKey } from '@kit/contract/checks'
import type { AppliedRow, ApplyRow, ApplyStep } from '@kit/server/excel'
import { publish } from '@kit/server/event'
import type { PlacesDb } from '../db.ts'
import { privateZone } from '../place.check.ts'
import { lockPlaces } from '../place.queries.ts'
import { insertPlaces } from '../place.insert.ts'
import { markOf, readImages } from './place.image.ts'
import type { PlaceSnapshot } from './place.judge.ts'
import type { ParsedPlace } from './place.parsed.ts'

type Step = ApplyStep<PlacesDb>
type Row = ApplyRow<ParsedPlace>

export const placeKey = (place_id: string) => `p:${place_id}`

/** Makes and changes places; a line whose superior did not come to be is not answered. */
export async function applyPlaces(step: Step, rows: readonly Row[], snapshot: PlaceSnapshot): Promise<AppliedRow[]> {
  const { db, school_id } = step
  await lockPlaces(db, school_id)
  const changing = rows.filter(({ judgement }) => judgement.verdict === 'change')
  const before = new Map((await readImages(db, school_id, changing.flatMap(row => row.judgement.target_id ?? []))).map(image => [image.place_id, image]))
  const made = await makeNew(step, rows.filter(({ judgement }) => judgement.verdict === 'new'), snapshot)
  for (const row of changing) await changeOne(step, row, before.get(row.judgement.target_id ?? ''))
  const ids = new Map<number, string>([...made, ...rows.flatMap(({ row_no, judgement }) => (judgement.target_id === null ? [] : [[row_no, judgement.target_id] as const]))])
  const bound = await bindHomes(step, rows.filter(({ judgement }) => judgement.verdict !== 'same'), ids, snapshot)
  const touched = [...changing.flatMap(row => row.judgement.target_id ?? []), ...bound]
  if (touched.length > 0) await publish(step, placesEvents.placeMoved, { place_ids: [...new Set(touched)] })
  const now = new Map((await readImages(db, school_id, [...ids.values()])).map(image => [image.place_id, image]))
  return rows.flatMap(({ row_no, judgement }): AppliedRow[] => {
    const target_id = ids.get(row_no)
    const image = target_id === undefined ? undefined : now.get(target_id)
    if (target_id === undefined || !image) return []
    if (judgement.verdict === 'same') return [{ row_no, target_id, before: null }]
    return [{ row_no, target_id, before: { image: before.get(target_id) ?? null }, touched: [{ key: placeKey(target_id), mark: markOf(image) }] }]
  })
}

/** Level by level: first those below places that are there, then those below the ones just made. */
async function makeNew({ db, school_id, now, batch_no }: Step, rows: readonly Row[], { by_path }: PlaceSnapshot): Promise<Map<number, string>> {
  const above = new Map([...by_path].map(([path, { place_id, depth }]) => [path, { place_id, depth }]))
  const made = new Map<number, string>()
  let waiting = rows.toSorted((a, b) => a.parsed.order - b.parsed.order || a.row_no - b.row_no)
  for (;;) {
    const ready = waiting.flatMap(row => {
      const superior = above.get(nameKey(row.parsed.superior_path))
      return superior ? [{ row, superior, place_name: row.parsed.place_name, place_kind: row.parsed.place_kind, capacity: row.parsed.capacity }] : []
    })
    if (ready.length === 0) return made
    const ids = await insertPlaces(db, { school_id, on: schoolDay(now), batch_no }, ready.map(({ row: _row, ...place }) => place))
    ready.forEach(({ row, superior }, at) => {
      const place_id = ids[at] ?? ''
      made.set(row.row_no, place_id)
      above.set(nameKey(row.parsed.path), { place_id, depth: superior.depth + 1 })
    })
    const done = new Set(ready.map(({ row }) => row.row_no))
    waiting = waiting.filter(row => !done.has(row.row_no))
  }
}

async function changeOne({ db, school_id, now }: Step, { parsed, judgement }: Row, before: { private_zone: boolean; row_version: number } | undefined): Promise<void> {
  if (!before || judgement.target_id === null) return
  const { place_kind, capacity } = parsed
  await db
    .updateTable('place')
    .set({ place_kind, ...(capacity === null ? {} : { capacity }), private_zone: privateZone(place_kind, before.private_zone), row_version: before.row_version + 1, updated_at: now })
    .where('school_id', '=', school_id)
    .where('place_id', '=', judgement.target_id)
    .execute()
}

/** Classes get their rooms from today on; who has it already keeps it. @returns the places that got a class */
async function bindHomes({ db, school_id, now }: Step, rows: readonly Row[], ids: ReadonlyMap<number, string>, { classes, home_of }: PlaceSnapshot): Promise<string[]> {
  const homes = rows.flatMap(({ row_no, parsed }) => {
    const wanted = parsed.dept_path === null ? undefined : classes.get(nameKey(parsed.dept_path))
    const place_id = ids.get(row_no)
    return wanted && place_id !== undefined && home_of.get(wanted.id)?.place_id !== place_id ? [{ school_id, place_id, dept_id: wanted.id, use_kind: 'home', valid_from: schoolDay(now) }] : []
  })
  if (homes.length > 0) await db.insertInto('place_dept').values(homes).execute()
  return homes.map(home => home.place_id)
}
