import { calendarErrors, holiday_kinds } from '@campus/calendar/contract'
import type { Effects, Special, specialApi } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { CalendarCtx } from '../db.ts'
import { lastRev, loadWorld, lockCalendar, readDays } from './day.queries.ts'
import { rebuildDays } from './rebuild.ts'
import type { Changing } from './rebuild.ts'
import type { SpecialFact } from './resolve.ts'
import { findSpecial, readSpecials, specialOf } from './special.queries.ts'
import type { SpecialRecord } from './special.queries.ts'
import { factOf, insertSpecial, refuseSpecial, replaceSpecial } from './special.write.ts'
import type { Draft } from './special.write.ts'

type Changed = Reply<typeof specialApi.add>

/** Days of a span, of one grade or of all, with the number of their last change. */
export async function listDays({ db, school_id }: CalendarCtx, { from, to, grade }: Input<typeof specialApi.days>): Promise<Reply<typeof specialApi.days>> {
  const days = await readDays(db, school_id, { from, to, grade })
  return { list: days.map(({ rev: _rev, ...day }) => day), rev: await lastRev(db, school_id) }
}

/** What is set upon the days of a span. */
export async function listSpecials({ db, school_id }: CalendarCtx, span: Input<typeof specialApi.list>): Promise<{ list: Special[] }> {
  return { list: (await readSpecials(db, school_id, span)).map(specialOf) }
}

/** Sets something upon days to come. @throws Refusal 404, 422 specialPast and those of `refuseSpecial` */
export async function addSpecial(ctx: CalendarCtx, { preview, ...draft }: Input<typeof specialApi.add>): Promise<Changed> {
  if (draft.begin_date < schoolDay(ctx.now)) throw fail(calendarErrors.specialPast)
  return setOne(ctx, draft, { preview })
}

/** Puts days right that have passed, with a reason. @throws Refusal as `addSpecial` */
export async function correctDays(ctx: CalendarCtx, { draft: { preview, ...draft }, reason }: Input<typeof specialApi.correct>): Promise<Changed> {
  ctx.note({ reason })
  return setOne(ctx, draft, { preview, reason })
}

async function setOne(ctx: CalendarCtx, draft: Draft, how: { preview: boolean; reason?: string }): Promise<Changed> {
  const { id, effects } = await setSpecial(ctx, draft, how)
  const special = id === null ? null : specialOf(await requireSpecial(ctx, id))
  if (special) ctx.note({ target_kind: 'calendar.special', target_id: special.id, target_name: `${special.name} ${special.begin_date}`, after: draft })
  return { special, effects }
}

/**
 * Sets something upon days: for requests, and for domains that know of an exam or a closure (chapter 90, setSpecial). The days follow in the same transaction.
 * @returns the id of what was set, null after a preview
 * @throws Refusal 404, 422 specialOverlap, outsideTerm, followNotSchoolDay, followChain
 */
export async function setSpecial(from: Changing, draft: Draft, how: { preview: boolean; reason?: string } = { preview: false }): Promise<{ id: string | null; effects: Effects }> {
  const { db, school_id } = from
  await lockCalendar(db, school_id)
  const world = await loadWorld(db, school_id)
  const fact = factOf(draft, 'school')
  refuseSpecial(world, fact)
  const id = how.preview ? null : await insertSpecial(from, fact)
  return { id, effects: await rebuildDays(from, { ...world, specials: [...world.specials, fact] }, spanOf(fact), how) }
}

/** Changes what is set; a line of the national calendar becomes the school's own. @throws Refusal 404, 409 staleRow, 422 as `addSpecial` */
export async function updateSpecial(ctx: CalendarCtx, { id, row_version, preview, ...draft }: Input<typeof specialApi.update>): Promise<Changed> {
  const before = await requireFuture(ctx, id, draft.begin_date)
  if (before.row_version !== row_version) throw fail(calendarErrors.staleRow)
  return replace(ctx, before, factOf(draft, 'school'), preview)
}

/** Takes away what is set. @throws Refusal 404, 422 specialPast */
export async function removeSpecial(ctx: CalendarCtx, { id, preview }: Input<typeof specialApi.remove>): Promise<Changed> {
  const { db, school_id } = ctx
  const before = await requireFuture(ctx, id)
  const specials = await othersThan(ctx, id)
  if (!preview) await db.deleteFrom('calendar_special').where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'calendar.special', target_id: id, target_name: `${before.name} ${before.begin_date}`, before: { ...specialOf(before) } })
  return { special: null, effects: await rebuildDays(ctx, { ...(await loadWorld(db, school_id)), specials }, spanOf(before), { preview }) }
}

/** Says which day's lessons a make-up day runs; its line stays national until the school changes more of it. @throws Refusal 404, 422 followChain, followNotSchoolDay */
export async function followDay(ctx: CalendarCtx, { date, preview, ...follow }: Input<typeof specialApi.makeUp>): Promise<Changed> {
  const { db, school_id } = ctx
  const found = (await readSpecials(db, school_id, { from: date, to: date })).find(row => row.kind === holiday_kinds.make_up)
  if (!found) throw fail(commonErrors.notFound)
  const before = await requireFuture(ctx, found.id)
  return replace(ctx, before, { ...before, ...follow }, preview)
}

async function replace(ctx: CalendarCtx, before: SpecialRecord, fact: SpecialFact & { note?: string | null }, preview: boolean): Promise<Changed> {
  const { db, school_id } = ctx
  const world = await loadWorld(db, school_id)
  refuseSpecial(world, fact, before.id)
  if (!preview) await replaceSpecial(ctx, before, fact)
  const specials = [...(await othersThan(ctx, before.id)), fact]
  const span = spanOf(fact.begin_date < before.begin_date ? { begin_date: fact.begin_date, end_date: later(before.end_date, fact.end_date) } : { begin_date: before.begin_date, end_date: later(before.end_date, fact.end_date) })
  const effects = await rebuildDays(ctx, { ...world, specials }, span, { preview })
  const special = preview ? null : specialOf(await requireSpecial(ctx, before.id))
  ctx.note({ target_kind: 'calendar.special', target_id: before.id, target_name: `${before.name} ${before.begin_date}`, before: { ...specialOf(before) }, after: special ? { ...special } : {} })
  return { special, effects }
}

async function othersThan({ db, school_id }: CalendarCtx, id: string) {
  return db.selectFrom('calendar_special').selectAll().where('school_id', '=', school_id).where('id', '<>', id).execute()
}

async function requireSpecial({ db, school_id }: CalendarCtx, id: string): Promise<SpecialRecord> {
  const found = await findSpecial(db, school_id, id)
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** One that touches no day before today, neither as it is nor as it will be. */
async function requireFuture(ctx: CalendarCtx, id: string, begin_date?: string): Promise<SpecialRecord> {
  await lockCalendar(ctx.db, ctx.school_id)
  const found = await requireSpecial(ctx, id)
  const today = schoolDay(ctx.now)
  if (found.begin_date < today || (begin_date !== undefined && begin_date < today)) throw fail(calendarErrors.specialPast)
  return found
}

function spanOf({ begin_date, end_date }: { begin_date: string; end_date: string }): { from: string; to: string } {
  return { from: begin_date, to: end_date }
}

function later(a: string, b: string): string {
  return a > b ? a : b
}
