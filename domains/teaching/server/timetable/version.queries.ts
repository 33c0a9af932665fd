import { teachingErrors } from '@campus/teaching/contract'
import type { PlanLesson, Version } from '@campus/teaching/contract'
import { weeksName, weeksText } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import { clockOf } from '@campus/calendar/contract'
import { sql } from 'kysely'
import type { World } from '../conflict/world.ts'
import type { Db } from '../db.ts'
import { named } from '../plan/plan.queries.ts'
import { coveredTerms } from './context.queries.ts'
import type { CoveredTerm, LessonRow } from './context.queries.ts'

export const version_codes = { draft: 0, published: 1, void: 9 } as const

/** A version with what of its timetable its lessons need. */
export type VersionFacts = {
  id: string; timetable_id: string; version_no: number; state: number; rev: number; valid_from: string | null; valid_to: string | null; based_on: string | null
  table_name: string; kind: number; semester_id: number | null; school_year: string; terms: CoveredTerm[]
}

/** @param lock holds the version until the transaction ends, so that commands follow one another. @throws Refusal 404 */
export async function requireVersion(db: Db, school_id: number, id: string, lock = false): Promise<VersionFacts> {
  const row = await db.selectFrom('timetable_version').select(['id', 'timetable_id', 'version_no', 'state', 'rev', 'valid_from', 'valid_to', 'based_on']).where('school_id', '=', school_id).where('id', '=', id).$if(lock, query => query.forUpdate()).executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  const table = await db.selectFrom('timetable').select(['name', 'kind', 'semester_id', 'school_year']).where('school_id', '=', school_id).where('id', '=', row.timetable_id).executeTakeFirstOrThrow()
  const terms = await coveredTerms(db, school_id, table)
  return { ...row, table_name: table.name, kind: table.kind, semester_id: table.semester_id, school_year: table.school_year, terms }
}

/** A draft that is edited: locked, and not changed since `rev`. @throws Refusal 404, 409 stale, 422 published */
export async function requireDraft(db: Db, school_id: number, id: string, rev: number | null): Promise<VersionFacts> {
  const version = await requireVersion(db, school_id, id, true)
  if (version.state !== version_codes.draft) throw fail(teachingErrors.published)
  if (rev !== null && version.rev !== rev) throw fail(teachingErrors.stale, { params: { name: await lastEditor(db, school_id, id) } })
  return version
}

async function lastEditor(db: Db, school_id: number, version_id: string): Promise<string> {
  const step = await db.selectFrom('edit_step').select('user_id').where('school_id', '=', school_id).where('version_id', '=', version_id).orderBy('at', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst()
  if (!step) return '其他人'
  const person = await db.selectFrom('person_label').select('display_name').where('school_id', '=', school_id).where('user_id', '=', step.user_id).executeTakeFirst()
  return person?.display_name ?? '其他人'
}

/** Where a published version is on a day. */
export function stateOf({ state, valid_from, valid_to }: Pick<VersionFacts, 'state' | 'valid_from' | 'valid_to'>, today: string): Version['state'] {
  if (state === version_codes.draft) return 'draft'
  if (state === version_codes.void) return 'void'
  if (valid_from !== null && valid_from > today) return 'coming'
  return valid_to !== null && valid_to <= today ? 'over' : 'running'
}

/** Published versions that run on some day of [from, to), of other timetables than this one. */
export async function publishedVersions(db: Db, school_id: number, { from, to, not_of }: { from: string; to: string; not_of?: string }): Promise<{ id: string; timetable_id: string }[]> {
  return db.selectFrom('timetable_version').select(['id', 'timetable_id']).where('school_id', '=', school_id).where('state', '=', version_codes.published).where('valid_from', '<', to)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)])).$if(not_of !== undefined, query => query.where('timetable_id', '<>', not_of ?? '0')).execute()
}

/** Of each other timetable the newest published version of the terms: what a draft will run beside, since those before it end. */
export async function newestBeside(db: Db, school_id: number, { terms, timetable_id }: VersionFacts): Promise<string[]> {
  const [first, last] = [terms.at(0), terms.at(-1)]
  if (!first || !last) return []
  const rows = await db.selectFrom('timetable_version').select(['id', 'timetable_id']).where('school_id', '=', school_id)
    .where('state', '=', version_codes.published).where('timetable_id', '<>', timetable_id).where('valid_from', '<=', last.end_date)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', first.begin_date)])).orderBy('valid_from').execute()
  return [...new Map(rows.map(row => [row.timetable_id, row.id])).values()]
}

/** Bell lines of grades as they are on the last days of the world: section → clock. */
export function linesOf(world: World, grades: Iterable<string>): { section: number; name: string; begin: string; end: string }[] {
  const bells = [...grades].flatMap(grade => world.bells.get(grade)?.at(-1) ?? [])
  const lines = new Map<number, { section: number; name: string; begin: string; end: string }>()
  for (const bell of bells) for (const [section, { begin, end, name }] of bell) if (!lines.has(section)) lines.set(section, { section, name, begin: clockOf(begin), end: clockOf(end) })
  return [...lines.values()].toSorted((a, b) => a.section - b.section)
}

/** A lesson as pages draw it. */
export function planLesson(row: LessonRow, world: World, names: { teacher: ReadonlyMap<string, string>; place: ReadonlyMap<string, string> }): PlanLesson {
  const { lesson_key: _key, teaching_id: _teaching, home_place_id, teacher_ids, weeks, ...rest } = row
  const bell = world.bells.get(row.grade)?.at(-1)
  const [first, last] = row.section === null ? [undefined, undefined] : [bell?.get(row.section), bell?.get(row.section + row.span - 1)]
  const place_id = row.place_id ?? home_place_id
  return {
    ...rest, place_id, weeks: weeksText(weeks), week_name: weeksName(weeks, world.weeks), teachers: named(teacher_ids, names.teacher),
    begin: first ? clockOf(first.begin) : null, end: last ? clockOf(last.end) : null, place_name: place_id === null ? null : (names.place.get(place_id) ?? null),
  }
}

/** Counts placed and unplaced lessons of versions. */
export async function countLessons(db: Db, school_id: number, version_ids: readonly string[]): Promise<Map<string, { placed: number; unplaced: number }>> {
  if (version_ids.length === 0) return new Map()
  const { rows } = await sql<{ version_id: string; placed: number; unplaced: number }>`
    select version_id::text as version_id, count(weekday)::int as placed, (count(*) - count(weekday))::int as unplaced
    from lesson where school_id = ${school_id} and version_id = any(${[...version_ids]}::bigint[]) group by version_id`.execute(db)
  return new Map(rows.map(({ version_id, ...counts }) => [version_id, counts]))
}
