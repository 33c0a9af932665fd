import type { SolveChanges } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Context } from '../conflict/check.ts'
import type { Db } from '../db.ts'
import { loadContext, readLessons } from '../timetable/context.queries.ts'
import type { LessonRow } from '../timetable/context.queries.ts'
import { readNear } from '../timetable/look.service.ts'
import type { VersionFacts } from '../timetable/version.queries.ts'
import { modelOf } from './model.ts'
import type { Keep, Model } from './model.ts'

const most_sections = 16
type Asked = { keep: Keep; changes: SolveChanges }
/** `rooms`: lessons whose room is closed, with the room they get instead. */
export type Problem = { rows: LessonRow[]; model: Model; context: Context; rooms: ReadonlyMap<string, string> }

/** Reads a version as a model of the search, with the lessons of other published timetables that its teachers, rooms and pupils have. */
export async function loadProblem(db: Db, school_id: number, version: VersionFacts, { keep, changes }: Asked): Promise<Problem> {
  const present = await readLessons(db, school_id, [version.id])
  const instead = new Map(changes.rooms.map(({ place_id, use_id }) => [place_id, use_id]))
  const rooms = new Map(present.flatMap(row => {
    const use_id = instead.get(row.place_id ?? row.home_place_id ?? '')
    return use_id === undefined ? [] : [[row.id, use_id] as const]
  }))
  const rows = present.map(row => ({ ...row, place_id: rooms.get(row.id) ?? row.place_id }))
  const own = new Set(rows.map(row => row.id))
  const near = (await readNear(db, school_id, version, rows)).filter(row => !own.has(row.id))
  // a lesson of several versions counts once, as the latest of them has it
  const beside = [...new Map(near.map(row => [row.lesson_key, row])).values()]
  const context = await loadContext(db, school_id, version.terms, [...rows, ...beside])
  const unavailable = withAway(context.unavailable, changes.away)
  return { rows, model: modelOf(rows, { ...context, unavailable }, keep, beside), context, rooms }
}

function withAway(known: Context['unavailable'], away: SolveChanges['away']): Context['unavailable'] {
  const all = new Map(known)
  for (const { teacher_id, weekdays } of away) {
    const cells = weekdays.flatMap(weekday => Array.from({ length: most_sections }, (_, at) => `${weekday}-${at + 1}`))
    all.set(`T ${teacher_id}`, new Set([...(all.get(`T ${teacher_id}`) ?? []), ...cells]))
  }
  return all
}

/** @throws Refusal 404: a teacher or a room that there is not */
export async function requireChanges(db: Db, school_id: number, { away, rooms }: SolveChanges): Promise<void> {
  const [teachers, places] = [[...new Set(away.map(one => one.teacher_id))], [...new Set(rooms.flatMap(one => [one.place_id, one.use_id]))]]
  const staff = teachers.length === 0 ? [] : await db.selectFrom('live_staff').select('user_id')
    .where('school_id', '=', school_id).where('user_id', 'in', teachers).execute()
  const found = places.length === 0 ? [] : await db.selectFrom('place_live_v').select('place_id')
    .where('school_id', '=', school_id).where('place_id', 'in', places).execute()
  if (staff.length < teachers.length || found.length < places.length) throw fail(commonErrors.notFound)
}
