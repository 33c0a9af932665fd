import { classroom_kinds, most_depth, placesErrors } from '@campus/places/contract'
import { nameKey } from '@kit/contract/checks'
import type { Judgement, ParsedRow, ReadStep } from '@kit/server/excel'
import { schoolDay } from '@campus/school/server'
import type { PlacesDb } from '../db.ts'
import { homesFrom, readClasses } from '../home.queries.ts'
import { privateZone } from '../place.check.ts'
import { readPlaces } from '../place.queries.ts'
import type { PlaceRead } from '../place.queries.ts'
import { visiblePlaces } from '../place.scope.ts'
import { placeUsePort } from '../use-port.ts'
import type { ParsedPlace } from './place.parsed.ts'

type Room = { place_id: string; dept_id: string; dept_name: string; path: string }
/** What the database holds about a piece of the sheet, and which places the piece itself makes. `kept`: places whose kind may not change, with what is in them. */
export type PlaceSnapshot = {
  by_path: ReadonlyMap<string, PlaceRead>
  planned: ReadonlySet<string>
  classes: ReadonlyMap<string, { id: string; dept_name: string }>
  home_of: ReadonlyMap<string, Room>
  home_at: ReadonlyMap<string, Room>
  kept: ReadonlyMap<string, string>
  kind_names: ReadonlyMap<number, string>
}
type Counted = (name: string) => number

/** Counts the lines that are judged together: all of the file, or the one that is mended. */
const lines = 'lines'

/** What is counted over the whole file: which places it names. */
export function placeTally({ path }: ParsedPlace): string[] {
  return [lines, `path:${nameKey(path)}`]
}

/** Reads it in a few questions, however many lines there are. */
export async function loadPlaces(step: ReadStep<PlacesDb>, rows: readonly ParsedRow<ParsedPlace>[], kind_names: ReadonlyMap<number, string>): Promise<PlaceSnapshot> {
  const { db, school_id, now } = step
  const on = schoolDay(now)
  const places = await readPlaces(db, { school_id, scope: await visiblePlaces(step), on, status: 'open' })
  const by_path = new Map(places.map(place => [nameKey(place.node_path_name), place]))
  const classes = await readClasses(db, school_id)
  const homes = classes.length === 0 ? [] : await homesFrom(db, school_id, { column: 'dept_id', ids: classes.map(one => one.id) }, on)
  const { paths, names } = { paths: new Map(places.map(place => [place.place_id, place.node_path_name])), names: new Map(classes.map(one => [one.id, one.dept_name])) }
  const rooms = homes.map(({ place_id, dept_id }): Room => ({ place_id, dept_id, dept_name: names.get(dept_id) ?? '其他班级', path: paths.get(place_id) ?? '其他场所' }))
  return {
    by_path,
    planned: new Set(rows.map(row => nameKey(row.parsed.path))),
    classes: new Map(classes.map(one => [nameKey(one.pt_node_path_name), { id: one.id, dept_name: one.dept_name }])),
    home_of: new Map(rooms.map(room => [room.dept_id, room])),
    home_at: new Map(rooms.map(room => [room.place_id, room])),
    kept: await keptKinds(step, rows.map(row => row.parsed), by_path),
    kind_names,
  }
}

/** Places that would become another kind, with what stands in them and does not allow it: one question a kind. */
async function keptKinds({ db, school_id, now, app }: ReadStep<PlacesDb>, wanted: readonly ParsedPlace[], by_path: ReadonlyMap<string, PlaceRead>): Promise<Map<string, string>> {
  const changing = wanted.flatMap(({ path, place_kind }) => {
    const place = by_path.get(nameKey(path))
    return place && place.place_kind !== place_kind ? [{ place, place_kind, private_zone: privateZone(place_kind, place.private_zone) }] : []
  })
  const found = new Map<string, Set<string>>()
  for (const [, group] of Map.groupBy(changing, one => `${one.place_kind} ${one.private_zone}`)) {
    const [first] = group
    if (!first) continue
    const asked = { school_id, place_ids: group.map(one => one.place.place_id), today: schoolDay(now), change: { to: 'kind' as const, place_kind: first.place_kind, private_zone: first.private_zone } }
    for (const ask of placeUsePort.all(app)) for (const { place_id, title } of await ask(db, asked)) found.set(place_id, (found.get(place_id) ?? new Set()).add(title))
  }
  return new Map([...found].map(([place_id, titles]) => [place_id, [...titles].join('、')]))
}

/** What importing a line would do; the path tells which place it means (chapter 30 §6). */
export function judgePlace({ parsed }: ParsedRow<ParsedPlace>, snapshot: PlaceSnapshot, counted: Counted): Judgement {
  const known = snapshot.by_path.get(nameKey(parsed.path))
  const homes = homeFaults(parsed, known, snapshot)
  if (!known) {
    const { errors, warnings } = aboveFaults(parsed, snapshot, counted)
    return { verdict: 'new', target_id: null, basis: null, diff: [], errors: [...errors, ...homes], warnings }
  }
  const { place_kind, capacity } = parsed
  const home = parsed.dept_path === null ? undefined : snapshot.classes.get(nameKey(parsed.dept_path))
  const kindName = (kind: number) => snapshot.kind_names.get(kind) ?? String(kind)
  const told = [
    { prop: 'place_kind', before: kindName(known.place_kind), after: kindName(place_kind) },
    ...(capacity === null ? [] : [{ prop: 'capacity', before: known.capacity === null ? '' : String(known.capacity), after: String(capacity) }]),
    ...(home === undefined ? [] : [{ prop: 'dept_path', before: known.dept_name ?? '', after: home.dept_name }]),
  ]
  const diff = told.filter(({ before, after }) => before !== after)
  const in_use = snapshot.kept.get(known.place_id)
  const kinds = [
    issue('place_kind', known.superior_id === null && '校区请在场所管理页面修改'),
    issue('place_kind', in_use !== undefined && placesErrors.placeKindInUse.msg.replace('{list}', in_use)),
    issue('place_kind', !classroom_kinds.includes(place_kind) && known.dept_id !== null && placesErrors.placeNoClassroom.msg),
  ].flat()
  return { verdict: diff.length > 0 ? 'change' : 'same', target_id: known.place_id, basis: `v${known.row_version}`, diff, errors: [...kinds, ...homes], warnings: [] }
}

/** Where a new place would stand: below one that is there, or one that the file makes too, at most eight levels deep. */
function aboveFaults({ superior_path, path }: ParsedPlace, { by_path, planned }: PlaceSnapshot, counted: Counted): Pick<Judgement, 'errors' | 'warnings'> {
  const deep = issue('superior_path', path.split('/').length > most_depth && placesErrors.placeDepth.msg)
  if (by_path.has(nameKey(superior_path)) || planned.has(nameKey(superior_path)) || counted(`path:${nameKey(superior_path)}`) > 0) return { errors: deep, warnings: [] }
  // A line that is mended is judged alone: what the others make is not known then.
  if (counted(lines) === 1) return { errors: deep, warnings: [{ prop: 'superior_path', msg: `上级场所“${superior_path}”还不存在，须由本表其他行新建，否则该行不会导入` }] }
  return { errors: [...deep, { prop: 'superior_path', msg: `上级场所“${superior_path}”不存在` }], warnings: [] }
}

/** A class has one room and a room one class; what is so already is no fault. */
function homeFaults({ dept_path, place_kind }: ParsedPlace, known: PlaceRead | undefined, { classes, home_of, home_at }: PlaceSnapshot) {
  if (dept_path === null) return []
  const wanted = classes.get(nameKey(dept_path))
  if (!wanted) return issue('dept_path', `班级“${dept_path}”不存在`)
  const room = home_of.get(wanted.id)
  const other = known && home_at.get(known.place_id)
  return [
    issue('dept_path', !classroom_kinds.includes(place_kind) && placesErrors.placeNoClassroom.msg),
    issue('dept_path', room !== undefined && room.place_id !== known?.place_id && `班级“${wanted.dept_name}”已绑定场所“${room.path}”`),
    issue('dept_path', other !== undefined && other.dept_id !== wanted.id && placesErrors.placeHomeTaken.msg.replace('{dept_name}', other.dept_name)),
  ].flat()
}

function issue(prop: string, msg: string | false) {
  return msg === false ? [] : [{ prop, msg }]
}
