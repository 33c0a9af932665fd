import { most_drafts, teachingErrors } from '@campus/teaching/contract'
import type { Timetable, timetableApi, Version, versionApi } from '@campus/teaching/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { requireOpenTerm, teacherNames } from '../plan/plan.queries.ts'
import { syncLessons } from './sync.ts'
import { countLessons, requireVersion, stateOf, version_codes } from './version.queries.ts'

const whole_year = 2

/** Timetables with their versions, the latest first. */
export async function listTimetables({ db, school_id, now }: TeachingCtx, { kind, period_kind }: Input<typeof timetableApi.list>): Promise<Reply<typeof timetableApi.list>> {
  return { list: await readTimetables(db, school_id, schoolDay(now), { kind, period_kind }) }
}

async function readTimetables(db: Db, school_id: number, today: string, which: { kind: number; period_kind: number } | { id: string }): Promise<Timetable[]> {
  const tables = await db.selectFrom('timetable').select(['id', 'name', 'kind', 'period_kind', 'semester_id', 'school_year', 'archived', 'row_version']).where('school_id', '=', school_id)
    .$if('id' in which, query => query.where('id', '=', 'id' in which ? which.id : '0'))
    .$if('kind' in which, query => query.where('kind', '=', 'kind' in which ? which.kind : 0).where('period_kind', '=', 'kind' in which ? which.period_kind : 0))
    .orderBy('archived').orderBy('school_year', 'desc').orderBy('semester_id', 'desc').orderBy('id', 'desc').execute()
  const versions = tables.length === 0 ? [] : await db.selectFrom('timetable_version').select(['id', 'timetable_id', 'version_no', 'state', 'valid_from', 'valid_to', 'note', 'published_by', 'created_at'])
    .where('school_id', '=', school_id).where('timetable_id', 'in', tables.map(({ id }) => id)).orderBy('version_no', 'desc').execute()
  const counts = await countLessons(db, school_id, versions.map(({ id }) => id))
  const names = await teacherNames(db, school_id, versions.flatMap(({ published_by }) => published_by ?? []))
  const terms = new Map((await db.selectFrom('semester_v').select(['semester_id', 'name']).where('school_id', '=', school_id).execute()).map(term => [term.semester_id, term.name]))
  return tables.map(table => ({
    ...table, period_name: table.semester_id === null ? `${table.school_year}学年` : (terms.get(table.semester_id) ?? ''),
    versions: versions.filter(({ timetable_id }) => timetable_id === table.id).map(({ timetable_id: _table, published_by, created_at, ...version }): Version => ({
      ...version, ...(counts.get(version.id) ?? { placed: 0, unplaced: 0 }), state: stateOf(version, today), created_at: created_at.toISOString(), published_by_name: published_by === null ? null : (names.get(published_by) ?? null),
    })),
  }))
}

/** A timetable with its first draft, whose lessons are those of the plan. @throws Refusal 404 semesterUnknown, 409 nameTaken, 422 semesterClosed */
export async function createTimetable(ctx: TeachingCtx, { name, kind, period_kind, semester_id }: Input<typeof timetableApi.create>): Promise<Reply<typeof timetableApi.create>> {
  const { db, school_id, now } = ctx
  const term = await requireOpenTerm(db, school_id, semester_id)
  const { id } = await db.insertInto('timetable').values({ school_id, name, kind, period_kind, semester_id: period_kind === whole_year ? null : semester_id, school_year: term.school_year, created_at: now }).returning('id').executeTakeFirstOrThrow()
  const version_id = await insertVersion(ctx, id, 1, null, '')
  await syncLessons(db, school_id, await requireVersion(db, school_id, version_id))
  ctx.note({ target_kind: 'teaching.timetable', target_id: id, target_name: name })
  return answer(ctx, id)
}

/** A further timetable of the same period whose first draft is the latest version of this one. @throws Refusal 404, 409 nameTaken */
export async function copyTimetable(ctx: TeachingCtx, { timetable_id, name }: Input<typeof timetableApi.copy>): Promise<Reply<typeof timetableApi.copy>> {
  const { db, school_id, now } = ctx
  const source = await requireTimetable(db, school_id, timetable_id)
  const latest = await db.selectFrom('timetable_version').select('id').where('school_id', '=', school_id).where('timetable_id', '=', timetable_id).orderBy('version_no', 'desc').limit(1).executeTakeFirst()
  const { kind, period_kind, semester_id, school_year } = source
  const { id } = await db.insertInto('timetable').values({ school_id, name, kind, period_kind, semester_id, school_year, created_at: now }).returning('id').executeTakeFirstOrThrow()
  const version_id = await insertVersion(ctx, id, 1, latest?.id ?? null, `复制自${source.name}`.slice(0, 200))
  if (latest) await copyLessons(db, school_id, latest.id, version_id)
  ctx.note({ target_kind: 'teaching.timetable', target_id: id, target_name: name })
  return answer(ctx, id)
}

/** @throws Refusal 404, 409 staleRow, nameTaken */
export async function updateTimetable(ctx: TeachingCtx, { id, name, archived, row_version }: Input<typeof timetableApi.update>): Promise<Reply<typeof timetableApi.update>> {
  const { db, school_id } = ctx
  const before = await requireTimetable(db, school_id, id)
  if (before.row_version !== row_version) throw fail(teachingErrors.staleRow)
  await db.updateTable('timetable').set({ name, archived, row_version: row_version + 1 }).where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'teaching.timetable', target_id: id, target_name: name, before: { name: before.name }, after: { name } })
  return answer(ctx, id)
}

/** Only one that never ran goes. @throws Refusal 404, 409 timetableInUse */
export async function removeTimetable(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const table = await requireTimetable(db, school_id, id)
  const versions = await db.selectFrom('timetable_version').select(['id', 'state']).where('school_id', '=', school_id).where('timetable_id', '=', id).forUpdate().execute()
  if (versions.some(({ state }) => state !== version_codes.draft)) throw fail(teachingErrors.timetableInUse)
  for (const version of versions) await dropVersion(db, school_id, version.id)
  await db.deleteFrom('timetable').where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'teaching.timetable', target_id: id, target_name: table.name })
  return {}
}

/** A further draft: a copy of a version, whose lessons keep their keys, or of the plan. @throws Refusal 404, 409 draftFull */
export async function addVersion(ctx: TeachingCtx, { timetable_id, based_on, note }: Input<typeof versionApi.add>): Promise<Reply<typeof versionApi.add>> {
  const { db, school_id } = ctx
  const table = await requireTimetable(db, school_id, timetable_id)
  const versions = await db.selectFrom('timetable_version').select(['id', 'version_no', 'state']).where('school_id', '=', school_id).where('timetable_id', '=', timetable_id).execute()
  if (based_on !== null && !versions.some(({ id }) => id === based_on)) throw fail(commonErrors.notFound)
  if (versions.filter(({ state }) => state === version_codes.draft).length >= most_drafts) throw fail(teachingErrors.draftFull, { params: { n: most_drafts } })
  const version_id = await insertVersion(ctx, timetable_id, Math.max(0, ...versions.map(one => one.version_no)) + 1, based_on, note)
  if (based_on === null) await syncLessons(db, school_id, await requireVersion(db, school_id, version_id))
  else await copyLessons(db, school_id, based_on, version_id)
  ctx.note({ target_kind: 'teaching.version', target_id: version_id, target_name: table.name })
  return { version_id }
}

/** @throws Refusal 404, 422 notDraft */
export async function removeVersion(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const version = await requireVersion(db, school_id, id, true)
  if (version.state !== version_codes.draft) throw fail(teachingErrors.notDraft)
  await dropVersion(db, school_id, id)
  ctx.note({ target_kind: 'teaching.version', target_id: id, target_name: `${version.table_name} v${version.version_no}` })
  return {}
}

async function insertVersion({ db, school_id, now }: TeachingCtx, timetable_id: string, version_no: number, based_on: string | null, note: string): Promise<string> {
  const { id } = await db.insertInto('timetable_version').values({ school_id, timetable_id, version_no, based_on, note, created_at: now }).returning('id').executeTakeFirstOrThrow()
  return id
}

async function copyLessons(db: Db, school_id: number, from: string, to: string): Promise<void> {
  await sql`
    insert into lesson (school_id, version_id, lesson_key, teaching_id, class_id, course_id, weekday, section, span, weeks, place_id, teacher_ids, locked)
    select school_id, ${to}::bigint, lesson_key, teaching_id, class_id, course_id, weekday, section, span, weeks, place_id, teacher_ids, locked
    from lesson where school_id = ${school_id} and version_id = ${from} on conflict do nothing`.execute(db)
}

async function dropVersion(db: Db, school_id: number, version_id: string): Promise<void> {
  for (const table of ['edit_step', 'solve_run', 'lesson'] as const) await db.deleteFrom(table).where('school_id', '=', school_id).where('version_id', '=', version_id).execute()
  await db.deleteFrom('timetable_version').where('school_id', '=', school_id).where('id', '=', version_id).execute()
}

async function requireTimetable(db: Db, school_id: number, id: string) {
  const table = await db.selectFrom('timetable').selectAll().where('school_id', '=', school_id).where('id', '=', id).forUpdate().executeTakeFirst()
  if (!table) throw fail(commonErrors.notFound)
  return table
}

async function answer({ db, school_id, now }: TeachingCtx, id: string): Promise<{ timetable: Timetable }> {
  const [timetable] = await readTimetables(db, school_id, schoolDay(now), { id })
  if (!timetable) throw new Error('a timetable that was just written is not there')
  return { timetable }
}
