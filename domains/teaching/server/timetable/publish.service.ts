import { lessonChannel, teachingErrors, teachingEvents, weeksRange } from '@campus/teaching/contract'
import type { versionApi } from '@campus/teaching/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { publish } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import { addDays } from '@campus/calendar/contract'
import { minutesIn } from '../conflict/world.ts'
import type { World } from '../conflict/world.ts'
import { openNeeds } from '../cover/needs.ts'
import type { Db, TeachingCtx } from '../db.ts'
import { rebuildLessonDays } from '../lesson-days.ts'
import { loadWorld, placementOf, readLessons, weeksOfTerms } from './context.queries.ts'
import type { LessonRow } from './context.queries.ts'
import { changesBetween, checkWhole, requireInPeriod } from './look.service.ts'
import { requireVersion, version_codes } from './version.queries.ts'
import type { VersionFacts } from './version.queries.ts'

type Asked = Input<typeof versionApi.publish>
type Preview = Reply<typeof versionApi.publish>
const shown_conflicts = 50
const open_names = { teacher: new Map<string, string>(), place: new Map<string, string>() }

/**
 * Publishes a draft from a day on: the version before it ends there, lessons of dates follow, places and people are held against other timetables (chapter 50
 * rules 20, 24, 25). A preview says what would happen.
 * @throws Refusal 404, 409 versionExists, 422 published, effectivePast, outsidePeriod, conflict
 */
export async function publishVersion(ctx: TeachingCtx, { id, effective_on, note, preview }: Asked): Promise<Preview> {
  const { db, school_id, me, now } = ctx
  const version = await requireVersion(db, school_id, id, true)
  if (version.state !== version_codes.draft) throw fail(teachingErrors.published)
  if (effective_on < schoolDay(now)) throw fail(teachingErrors.effectivePast, { errors: [{ field: 'effective_on', msg: teachingErrors.effectivePast.msg }] })
  const { until } = requireInPeriod(version, effective_on)
  const former = await formerVersions(db, school_id, version.timetable_id)
  if (former.some(({ valid_from }) => (valid_from ?? '') >= effective_on)) throw fail(teachingErrors.versionExists)
  const conflicts = (await checkWhole(db, school_id, version, effective_on)).filter(({ severity }) => severity === 1)
  const lessons = await readLessons(db, school_id, [id])
  const world = await loadWorld(db, school_id, version.terms, effective_on)
  const before = former.find(({ valid_to }) => valid_to === null || valid_to > effective_on)
  const answer = {
    ...(await effectsOf(db, school_id, version, lessons, before?.id)), published: !preview, blocking: conflicts.length, conflicts: conflicts.slice(0, shown_conflicts), days: world.days.length,
  }
  if (preview) return answer
  if (conflicts.length > 0) throw fail(teachingErrors.conflict, { params: { n: conflicts.length } })
  if (before) await endVersion(db, school_id, before.id, effective_on)
  await db.updateTable('timetable_version').set({ state: version_codes.published, valid_from: effective_on, valid_to: until, note, published_at: now, published_by: me.user_id }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await occupy(db, school_id, { id, lessons, world, until })
  await rebuildLessonDays(db, { school_id, timetable_id: version.timetable_id, from: effective_on, to: until, now })
  await openNeeds(ctx)
  await publish(ctx, teachingEvents.timetablePublished, { version: id, from: effective_on, ...idsOf(lessons) })
  await push(ctx, lessonChannel, [{ dates: [effective_on] }])
  ctx.note({ target_kind: 'teaching.version', target_id: id, target_name: `${version.table_name} v${version.version_no}`, after: { effective_on } })
  return answer
}

function formerVersions(db: Db, school_id: number, timetable_id: string) {
  return db.selectFrom('timetable_version').select(['id', 'valid_from', 'valid_to']).where('school_id', '=', school_id).where('timetable_id', '=', timetable_id).where('state', '=', version_codes.published).orderBy('valid_from', 'desc').forUpdate().execute()
}

async function effectsOf(db: Db, school_id: number, version: VersionFacts, lessons: readonly LessonRow[], former: string | undefined): Promise<Pick<Preview, 'unplaced' | 'changed' | 'classes' | 'teachers'>> {
  const before = former === undefined ? [] : await readLessons(db, school_id, [former])
  const changes = changesBetween(before, lessons, weeksOfTerms(version.terms), open_names)
  const { class_ids, teacher_ids } = idsOf(lessons)
  return { unplaced: lessons.filter(row => row.weekday === null).length, changed: changes.length, classes: class_ids.length, teachers: teacher_ids.length }
}

function idsOf(lessons: readonly LessonRow[]): { class_ids: string[]; place_ids: string[]; teacher_ids: string[] } {
  return {
    class_ids: [...new Set(lessons.map(row => row.class_id))], place_ids: [...new Set(lessons.flatMap(row => row.place_id ?? row.home_place_id ?? []))], teacher_ids: [...new Set(lessons.flatMap(row => row.teacher_ids))],
  }
}

async function endVersion(db: Db, school_id: number, id: string, on: string): Promise<void> {
  await db.updateTable('timetable_version').set({ valid_to: on }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await sql`delete from occupancy where school_id = ${school_id} and version_id = ${id} and lower(valid) >= ${on}::date`.execute(db)
  await sql`update occupancy set valid = daterange(lower(valid), ${on}::date) where school_id = ${school_id} and version_id = ${id} and upper(valid) > ${on}::date`.execute(db)
}

type Held = { id: string; lessons: readonly LessonRow[]; world: World; until: string }

/**
 * What the lessons hold, by the bell of each stretch of dates; the exclusion constraint lets one of two clerks through who publish at once (50-A11). Places that
 * several classes share and rooms of the own class are not held: the class is.
 */
export async function occupy(db: Db, school_id: number, { id, lessons, world, until }: Held): Promise<void> {
  const stretches = new Map([...new Set(lessons.map(row => row.grade))].map(grade => [grade, bellStretches(world, grade, until)]))
  const rows = lessons.flatMap(row => {
    const at = placementOf(row)
    if (!at) return []
    const held: [string, string][] = [...row.teacher_ids.map((rid): [string, string] => ['T', rid]), ['C', row.class_id]]
    return (stretches.get(row.grade) ?? []).flatMap(({ valid, bell }) => {
      const span = minutesIn(bell, at)
      const one = { school_id, version_id: id, lesson_id: row.id, valid, weekday: at.weekday, weeks: weeksRange(at.weeks) }
      return span === null ? [] : held.map(([kind, rid]) => ({ ...one, kind, rid, mins: `[${span.begin},${span.end})` }))
    })
  })
  await insertMany(db, 'occupancy', rows)
}

type Stretch = { valid: string; bell: Parameters<typeof minutesIn>[0] }

/** Dates in a row on which one bell rings for a grade, as ranges without gaps. */
function bellStretches(world: World, grade: string, until: string): Stretch[] {
  const dated = world.days.flatMap(({ date, grades }) => { const of = grades.get(grade); return of ? [{ date, bell: of.bell }] : [] })
  const starts = dated.filter(({ bell }, at) => at === 0 || dated[at - 1]?.bell !== bell)
  return starts.map(({ date, bell }, at) => ({ bell, valid: `[${date},${starts[at + 1]?.date ?? until})` }))
}

/** Takes back a version that has not begun; the one before it goes on. @throws Refusal 404, 422 notComing */
export async function withdrawVersion(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const version = await requireVersion(db, school_id, id, true)
  const { valid_from, timetable_id } = version
  if (version.state !== version_codes.published || valid_from === null || valid_from <= schoolDay(now)) throw fail(teachingErrors.notComing)
  const { until } = requireInPeriod(version, valid_from)
  await db.deleteFrom('occupancy').where('school_id', '=', school_id).where('version_id', '=', id).execute()
  await db.updateTable('timetable_version').set({ state: version_codes.draft, valid_from: null, valid_to: null, published_at: null, published_by: null }).where('school_id', '=', school_id).where('id', '=', id).execute()
  const former = (await formerVersions(db, school_id, timetable_id)).find(({ valid_to }) => valid_to === valid_from)
  if (former) await resume(db, school_id, version, former.id, { from: valid_from, until })
  await rebuildLessonDays(db, { school_id, timetable_id, from: valid_from, to: addDays(until, 1), now })
  ctx.note({ target_kind: 'teaching.version', target_id: id, target_name: `${version.table_name} v${version.version_no} 撤回` })
  return {}
}

async function resume(db: Db, school_id: number, { terms }: VersionFacts, id: string, { from, until }: { from: string; until: string }): Promise<void> {
  await db.updateTable('timetable_version').set({ valid_to: until }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await occupy(db, school_id, { id, lessons: await readLessons(db, school_id, [id]), world: await loadWorld(db, school_id, terms, from), until })
}
