import { calendarErrors, calendarEvents } from '@campus/calendar/contract'
import type { Semester, SemesterDraft, semesterApi } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { z } from 'zod'
import type { CalendarCtx, Db } from '../db.ts'
import { loadWorld, lockCalendar } from '../day/day.queries.ts'
import { coveredDays, rebuildDays } from '../day/rebuild.ts'
import type { Changing } from '../day/rebuild.ts'
import type { Term, World } from '../day/resolve.ts'
import { usesOf } from '../use-port.ts'
import { countSemesters, findSemester, readSemesters, semesterOf } from './semester.queries.ts'
import type { SemesterRecord } from './semester.queries.ts'

type Changed = Reply<typeof semesterApi.add>

/** A page of the terms, the newest first. */
export async function listSemesters({ db, school_id, now }: CalendarCtx, { page_index, page_size, school_year }: Input<typeof semesterApi.list>): Promise<Reply<typeof semesterApi.list>> {
  const asked = { school_id, school_year }
  const rows = await readSemesters(db, asked, { limit: page_size, offset: (page_index - 1) * page_size })
  return { list: rows.map(row => semesterOf(row, schoolDay(now))), total: await countSemesters(db, asked) }
}

/** A new term with its days. @throws Refusal 409 semesterTaken, semesterOverlap */
export async function addSemester(ctx: CalendarCtx, { preview, ...draft }: Input<typeof semesterApi.add>): Promise<Changed> {
  const { db, school_id } = ctx
  await lockCalendar(db, school_id)
  const world = await loadWorld(db, school_id)
  const id = semesterId(draft)
  if (world.terms.some(term => term.id === id)) throw fail(calendarErrors.semesterTaken)
  await refuseOverlap(db, school_id, id, draft)
  if (!preview) await insertSemester(ctx, draft)
  return follow(ctx, { ...world, terms: withTerm(world.terms, { id, ...draft }) }, id, preview)
}

/** Writes a term as it is; its days follow by `rebuildDays`. @returns its id */
export async function insertSemester({ db, school_id, now }: Changing, draft: Omit<z.output<typeof SemesterDraft>, 'preview'>): Promise<number> {
  const id = semesterId(draft)
  await db.insertInto('semester').values({ ...draft, school_id, id, updated_at: now }).execute()
  return id
}

/**
 * Changes the dates and the name of a term. Weeks that have passed stay as they were counted; days that have been a teaching day stay in a term.
 * @throws Refusal 404, 409 staleRow, semesterClosed, semesterOverlap, 422 semesterPast
 */
export async function updateSemester(ctx: CalendarCtx, { id, row_version, preview, ...patch }: Input<typeof semesterApi.update>): Promise<Changed> {
  const { db, school_id, now } = ctx
  await lockCalendar(db, school_id)
  const before = await requireSemester(ctx, id)
  if (before.row_version !== row_version) throw fail(calendarErrors.staleRow)
  if (before.closed_at !== null) throw fail(calendarErrors.semesterClosed)
  const today = schoolDay(now)
  const is_past_lost = (before.begin_date < today && patch.begin_date > before.begin_date) || (before.begin_date < today && patch.end_date < before.end_date && patch.end_date < today)
  if (is_past_lost) throw fail(calendarErrors.semesterPast)
  await refuseOverlap(db, school_id, id, patch)
  const world = await loadWorld(db, school_id)
  if (!preview) await db.updateTable('semester').set({ ...patch, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'calendar.semester', target_id: String(id), target_name: before.name, before: pick(before), after: patch })
  return follow(ctx, { ...world, terms: withTerm(world.terms, { id, term: before.term, ...patch }) }, id, preview)
}

/** Takes a term away of which nobody hangs anything. @throws Refusal 404, 409 semesterInUse, 422 semesterPast */
export async function removeSemester(ctx: CalendarCtx, { id, preview }: Input<typeof semesterApi.remove>): Promise<Changed> {
  const { app, db, school_id, now } = ctx
  await lockCalendar(db, school_id)
  const before = await requireSemester(ctx, id)
  const today = schoolDay(now)
  if (before.begin_date <= today) throw fail(calendarErrors.semesterPast)
  const held = await usesOf(app, db, { school_id, today, semester_id: id })
  if (held.length > 0) throw fail(calendarErrors.semesterInUse, { params: { list: held.join('、') } })
  const world = await loadWorld(db, school_id)
  const terms = world.terms.filter(term => term.id !== id)
  if (!preview) {
    await db.deleteFrom('semester').where('school_id', '=', school_id).where('id', '=', id).execute()
    await forgetDays(db, school_id, terms, today)
  }
  ctx.note({ target_kind: 'calendar.semester', target_id: String(id), target_name: before.name, before: pick(before) })
  const effects = await rebuildDays(ctx, { ...world, terms }, yearOf(id), { preview })
  return { semester: null, effects }
}

/** Days to come of which no term says anything any more. */
async function forgetDays(db: Db, school_id: number, terms: readonly Term[], today: string): Promise<void> {
  const covered = coveredDays(terms)
  const days = db.deleteFrom('school_day').where('school_id', '=', school_id).where('date', '>=', today)
  await (covered ? days.where(eb => eb.or([eb('date', '<', covered.from), eb('date', '>', covered.to)])) : days).execute()
}

/** Puts a term away that is over. @throws Refusal 404, 409 staleRow, semesterOpen with what still hangs upon it */
export async function closeSemester(ctx: CalendarCtx, { id, row_version }: Input<typeof semesterApi.close>): Promise<{ semester: Semester }> {
  const { app, db, school_id, now } = ctx
  const before = await requireSemester(ctx, id)
  const today = schoolDay(now)
  const held = await usesOf(app, db, { school_id, today, semester_id: id })
  if (before.end_date >= today || held.length > 0) throw fail(calendarErrors.semesterOpen, { data: { held } })
  return setClosed(ctx, before, { row_version, closed_at: now })
}

/** Opens a term again that was put away. @throws Refusal 404, 409 staleRow */
export async function reopenSemester(ctx: CalendarCtx, { id, row_version, reason }: Input<typeof semesterApi.reopen>): Promise<{ semester: Semester }> {
  ctx.note({ reason })
  return setClosed(ctx, await requireSemester(ctx, id), { row_version, closed_at: null })
}

async function setClosed(ctx: CalendarCtx, before: SemesterRecord, { row_version, closed_at }: { row_version: number; closed_at: Date | null }): Promise<{ semester: Semester }> {
  const { db, school_id, now } = ctx
  if (before.row_version !== row_version) throw fail(calendarErrors.staleRow)
  await db.updateTable('semester').set({ closed_at, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('id', '=', before.id).execute()
  ctx.note({ target_kind: 'calendar.semester', target_id: String(before.id), target_name: before.name, before: { closed: before.closed_at !== null }, after: { closed: closed_at !== null } })
  return { semester: semesterOf({ ...before, closed_at, row_version: row_version + 1 }, schoolDay(now)) }
}

async function follow(ctx: CalendarCtx, world: World, id: number, preview: boolean): Promise<Changed> {
  const effects = await rebuildDays(ctx, world, yearOf(id), { preview })
  if (preview) return { semester: null, effects }
  await publish(ctx, calendarEvents.yearChanged, { semester_id: id })
  const semester = semesterOf(await requireSemester(ctx, id), schoolDay(ctx.now))
  ctx.note({ target_kind: 'calendar.semester', target_id: String(id), target_name: semester.name })
  return { semester, effects }
}

/** The days whose kind may hang upon a term: its school year and the summers around it. */
function yearOf(id: number): { from: string; to: string } {
  const year = Math.floor(id / 10)
  return { from: `${year}-08-01`, to: `${year + 1}-08-31` }
}

function semesterId({ school_year, term }: { school_year: string; term: string }): number {
  return Number(school_year.slice(0, 4)) * 10 + Number(term)
}

function withTerm(terms: readonly Term[], { id, term, begin_date, end_date, odd_first }: Term): Term[] {
  return [...terms.filter(one => one.id !== id), { id, term, begin_date, end_date, odd_first }]
}

async function refuseOverlap(db: Db, school_id: number, id: number, { begin_date, end_date }: { begin_date: string; end_date: string }): Promise<void> {
  const other = await db.selectFrom('semester').select('name').where('school_id', '=', school_id).where('id', '<>', id).where('begin_date', '<=', end_date).where('end_date', '>=', begin_date).executeTakeFirst()
  if (other) throw fail(calendarErrors.semesterOverlap, { params: { name: other.name } })
}

async function requireSemester({ db, school_id }: CalendarCtx, id: number): Promise<SemesterRecord> {
  const found = await findSemester(db, school_id, id)
  if (!found) throw fail(commonErrors.notFound)
  return found
}

function pick({ name, begin_date, end_date, register_date, exam_weeks, odd_first }: SemesterRecord) {
  return { name, begin_date, end_date, register_date, exam_weeks, odd_first }
}
