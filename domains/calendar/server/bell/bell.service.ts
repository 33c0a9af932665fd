import { calendarErrors, checkSections, minutesOf } from '@campus/calendar/contract'
import type { Bell, bellApi, BellSection } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input } from '@kit/contract'
import type { CalendarCtx } from '../db.ts'
import type { Changing } from '../day/rebuild.ts'
import { lockCalendar } from '../day/day.queries.ts'
import { usesOf } from '../use-port.ts'
import { readBells, writeSections } from './bell.queries.ts'

/** All bells, by stage. */
export async function listBells({ db, school_id, now }: CalendarCtx): Promise<{ list: Bell[] }> {
  return { list: await readBells(db, school_id, schoolDay(now)) }
}

/** One bell whole. @throws Refusal 404 */
export async function readBell(ctx: CalendarCtx, id: string): Promise<{ bell: Bell }> {
  return { bell: await requireBell(ctx, id) }
}

/** A new bell. @throws Refusal 409 bellOverlap, bellNameTaken, 422 bellOrder, bellSectionTwice */
export async function addBell(ctx: CalendarCtx, draft: Input<typeof bellApi.add>): Promise<{ bell: Bell }> {
  const id = await insertBell(ctx, draft)
  return noted(ctx, id)
}

/** Writes a bell with its parts in the order of the day. @returns its id */
export async function insertBell({ db, school_id, now }: Changing, { sections, ...bell }: Input<typeof bellApi.add>): Promise<string> {
  refuseSections(sections)
  const { id } = await db.insertInto('bell').values({ ...bell, school_id, updated_at: now }).returning('id').executeTakeFirstOrThrow()
  await writeSections(db, school_id, id, inOrder(sections))
  return id
}

/** The same bell under another name, of which nobody hears yet. @throws Refusal 404, 409 bellNameTaken */
export async function copyBell(ctx: CalendarCtx, { bell_id, name }: Input<typeof bellApi.copy>): Promise<{ bell: Bell }> {
  const { stage, season, sections } = await requireBell(ctx, bell_id)
  return noted(ctx, await insertBell(ctx, { name, stage, season, sections }))
}

/**
 * Changes a bell; names and kinds at any time, times only while it rings for no one (chapter 50 rule 7).
 * @throws Refusal 404, 409 staleRow, bellInUse, and those of `addBell`
 */
export async function updateBell(ctx: CalendarCtx, { id, row_version, sections, ...bell }: Input<typeof bellApi.update>): Promise<{ bell: Bell }> {
  const { db, school_id, now } = ctx
  await lockCalendar(db, school_id)
  const before = await requireBell(ctx, id)
  if (before.row_version !== row_version) throw fail(calendarErrors.staleRow)
  refuseSections(sections)
  const ordered = inOrder(sections)
  if (before.in_use && timesOf(before.sections) !== timesOf(ordered)) throw fail(calendarErrors.bellInUse)
  await db.updateTable('bell').set({ ...bell, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('id', '=', id).execute()
  await writeSections(db, school_id, id, ordered)
  return noted(ctx, id, before)
}

/** Takes away a bell that never rang and will not. @throws Refusal 404, 409 bellInUse */
export async function removeBell(ctx: CalendarCtx, id: string): Promise<{ id: string }> {
  const { app, db, school_id, now } = ctx
  await lockCalendar(db, school_id)
  const before = await requireBell(ctx, id)
  const used = await db.selectFrom('bell_use').select('id').where('school_id', '=', school_id).where('bell_id', '=', id).executeTakeFirst()
  const held = await usesOf(app, db, { school_id, today: schoolDay(now), bell_id: id })
  if (before.in_use || used || held.length > 0) throw fail(calendarErrors.bellInUse, { data: { held } })
  await db.deleteFrom('bell').where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'calendar.bell', target_id: id, target_name: before.name, before: { name: before.name } })
  return { id }
}

/** The first thing that is wrong with the parts of a day, said at its line. */
function refuseSections(sections: readonly BellSection[]): void {
  const fault = checkSections(sections)
  if (fault === null) return
  const say = (field: string, msg: string) => ({ errors: [{ field: `sections.${fault.at}.${field}`, msg }] })
  if (fault.kind === 'order') throw fail(calendarErrors.bellOrder, say('end', calendarErrors.bellOrder.msg))
  if (fault.kind === 'twice') throw fail(calendarErrors.bellSectionTwice, { params: { n: fault.n }, ...say('section', `第${fault.n}节重复，请修改节次`) })
  const { a, b } = fault
  throw fail(calendarErrors.bellOverlap, { params: { a, b }, ...say('begin', `「${a}」与「${b}」时间重叠`) })
}

function inOrder(sections: readonly BellSection[]): BellSection[] {
  return sections.toSorted((a, b) => minutesOf(a.begin) - minutesOf(b.begin))
}

function timesOf(sections: readonly BellSection[]): string {
  return JSON.stringify(sections.map(({ begin, end, section }) => [begin, end, section]))
}

async function requireBell({ db, school_id, now }: CalendarCtx, id: string): Promise<Bell> {
  const [bell] = await readBells(db, school_id, schoolDay(now), [id])
  if (!bell) throw fail(commonErrors.notFound)
  return bell
}

async function noted(ctx: CalendarCtx, id: string, before?: Bell): Promise<{ bell: Bell }> {
  const bell = await requireBell(ctx, id)
  ctx.note({ target_kind: 'calendar.bell', target_id: id, target_name: bell.name, ...(before ? { before: { ...before } } : {}), after: { ...bell } })
  return { bell }
}
