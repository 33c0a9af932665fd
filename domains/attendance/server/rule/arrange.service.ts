import { ruleErrors } from '@campus/attendance/contract'
import type { arrangeApi, ArrangeRow } from '@campus/attendance/contract'
import { addDays } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { AttendanceCtx, Db } from '../db.ts'
import { markDays } from '../recompute/dirty.ts'
import { beginDay } from '../recompute/timers.ts'
import { backdate_code, requireRule } from './rule.service.ts'
import { requireScope, scopeNames } from './scope.ts'

type Draft = Input<typeof arrangeApi.add>
type Patch = Input<typeof arrangeApi.update>
const [minute, day_min] = [60, 1440] as const

export async function listArranges(
  { db, school_id }: AttendanceCtx, { semester_id, kind }: Input<typeof arrangeApi.list>,
): Promise<Reply<typeof arrangeApi.list>> {
  if (semester_id !== undefined) await requireTerm(db, school_id, semester_id)
  return { list: await readArranges(db, school_id, { semester_id, kind }) }
}

async function readArranges(
  db: Db, school_id: number,
  { arrange_id, semester_id, kind }: { arrange_id?: string; semester_id?: number | undefined; kind?: string | undefined }
): Promise<ArrangeRow[]> {
  let query = db.selectFrom('attend_arrange as a').innerJoin(
    'attend_rule as r', join => join.onRef('r.rule_id', '=', 'a.rule_id').on('r.school_id', '=', school_id)
  )
    .select([
      'a.arrange_id', 'a.arrange_name', 'a.rule_id', 'r.rule_name', 'a.person_kind', 'a.kind', 'a.scope_kind', 'a.scope_id',
      'a.section_from', 'a.section_to', 'a.semester_id', 'a.valid_from', 'a.valid_to', 'a.enabled', 'a.row_version'
    ])
    .where('a.school_id', '=', school_id)
  if (arrange_id !== undefined) query = query.where('a.arrange_id', '=', arrange_id)
  if (semester_id !== undefined) query = query.where('a.semester_id', '=', semester_id)
  if (kind !== undefined) query = query.where('a.kind', '=', kind)
  const rows = await query.orderBy('a.scope_kind').orderBy('a.arrange_id').execute()
  const slots = Map.groupBy(
    await db.selectFrom('attend_slot').selectAll().where('school_id', '=', school_id).where('live', '=', true)
      .where('arrange_id', 'in', ['0', ...rows.map(row => row.arrange_id)]).orderBy('begin_min').execute(),
    slot => slot.arrange_id
  )
  const names = await scopeNames(db, school_id, rows)
  return rows.map(row => ({
    ...row, kind: row.kind === 'clock' ? 'clock' as const : 'course' as const, scope_name: names(row), valid_to: addDays(row.valid_to, -1),
    slots: (slots.get(row.arrange_id) ?? []).map(({ slot_id, slot_name, begin_min, end_min, day_kinds, need_out }) => ({
      slot_id, slot_name, begin: clockOf(begin_min), end: clockOf(end_min), day_kinds, need_out,
    })),
  }))
}

/** @throws Refusal 404, 409 arrangeOverlap, 422 arrangeDays, arrangeScope, ruleDisabled, slotMissing, slotOverlap, backdate */
export async function addArrange(ctx: AttendanceCtx, { slots, reason, valid_to, ...draft }: Draft): Promise<Reply<typeof arrangeApi.add>> {
  const { db, school_id, now, me } = ctx
  const rule = await requireRule(ctx, draft.rule_id)
  if (!rule.enabled) throw fail(ruleErrors.ruleDisabled, { params: { name: rule.rule_name } })
  await refuseDays(db, school_id, draft.semester_id, draft.valid_from, valid_to)
  await requireScope(db, school_id, draft)
  refuseSlots(rule.kind, slots)
  refusePast(ctx, draft.valid_from, reason)
  const row = {
    ...draft, valid_to: addDays(valid_to, 1), person_kind: rule.person_kind, kind: rule.kind, school_id, updated_at: now,
    updated_by: me.user_id,
  }
  const { arrange_id } = await db.insertInto('attend_arrange').values(row).returning('arrange_id').executeTakeFirstOrThrow()
  await writeSlots(db, school_id, arrange_id, slots)
  await follow(ctx, draft.valid_from, arrange_id)
  ctx.note({ target_kind: 'attendance.arrange', target_id: arrange_id, target_name: draft.arrange_name, after: { ...draft, valid_to } })
  return { row: await requireArrange(db, school_id, arrange_id) }
}

/** What it reaches stays as it was made. @throws Refusal 404, 409 stale, arrangeOverlap, 422 as addArrange and ruleKind */
export async function updateArrange(
  ctx: AttendanceCtx, { id, row_version, slots, reason, valid_to, ...patch }: Patch,
): Promise<Reply<typeof arrangeApi.update>> {
  const { db, school_id, now, me } = ctx
  const before = await requireArrange(db, school_id, id)
  const rule = await requireRule(ctx, patch.rule_id)
  if (rule.kind !== before.kind || rule.person_kind !== before.person_kind) throw fail(
    ruleErrors.ruleKind, { params: { name: rule.rule_name } }
  )
  await refuseDays(db, school_id, before.semester_id, patch.valid_from, valid_to)
  refuseSlots(rule.kind, slots)
  const changed_from = before.valid_from < patch.valid_from ? before.valid_from : patch.valid_from
  if (isOther(before, { ...patch, valid_to }, slots)) refusePast(
    ctx, changed_from < schoolDay(now) && isExtended(before, { ...patch, valid_to }, schoolDay(now)) ? schoolDay(now) : changed_from, reason
  )
  const done = await db.updateTable('attend_arrange').set({
    ...patch, valid_to: addDays(valid_to, 1), row_version: row_version + 1, updated_at: now, updated_by: me.user_id
  })
    .where('school_id', '=', school_id).where('arrange_id', '=', id).where('row_version', '=', row_version).executeTakeFirstOrThrow()
  if (done.numUpdatedRows === 0n) throw fail(ruleErrors.stale)
  await writeSlots(db, school_id, id, slots)
  await follow(ctx, changed_from, id)
  ctx.note({
    target_kind: 'attendance.arrange', target_id: id, target_name: patch.arrange_name, reason,
    before: { rule_id: before.rule_id, valid_to: before.valid_to }, after: { ...patch, valid_to },
  })
  return { row: await requireArrange(db, school_id, id) }
}

/** Only the last day, the name or the switch from now on: days that were stay as they were judged. */
function isExtended(before: ArrangeRow, after: Omit<Patch, 'id' | 'row_version' | 'slots' | 'reason'>, today: string): boolean {
  return before.rule_id === after.rule_id && before.valid_from === after.valid_from && before.section_from === after.section_from &&
    before.section_to === after.section_to && before.enabled === after.enabled && before.valid_to >= addDays(today, -1) && after.valid_to >= addDays(today, -1)
}

function isOther(before: ArrangeRow, after: Omit<Patch, 'id' | 'row_version' | 'slots' | 'reason'>, slots: Patch['slots']): boolean {
  const told = (
    one: Omit<Patch, 'id' | 'row_version' | 'slots' | 'reason'>, of: readonly object[]
  ) => JSON.stringify([one.rule_id, one.section_from, one.section_to, one.valid_from, one.valid_to, one.enabled, of])
  const bare = (list: readonly { slot_name: string; begin: string; end: string; day_kinds: number[]; need_out: boolean }[]) => list.map(({
    slot_name, begin, end, day_kinds, need_out,
  }) => ({ slot_name, begin, end, day_kinds, need_out }))
  return told(before, bare(before.slots)) !== told(after, bare(slots))
}

/** One that has judged days is only disabled, so that the past can be explained. @throws Refusal 404, 422 backdate */
export async function removeArrange(ctx: AttendanceCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const row = await requireArrange(db, school_id, id)
  const today = schoolDay(now)
  if (row.valid_from < today) await db.updateTable('attend_arrange')
    .set({ valid_to: row.valid_to < today ? addDays(row.valid_to, 1) : today, updated_at: now }).where('school_id', '=', school_id)
    .where('arrange_id', '=', id).execute()
  else {
    await db.deleteFrom('attend_slot').where('school_id', '=', school_id).where('arrange_id', '=', id).execute()
    await db.deleteFrom('attend_arrange').where('school_id', '=', school_id).where('arrange_id', '=', id).execute()
  }
  await markDays(ctx, today, row.valid_to, 'rule', id)
  ctx.note({ target_kind: 'attendance.arrange', target_id: id, target_name: row.arrange_name })
  return {}
}

/**
 * Arranges of a term into another one, over its whole length; classes that are gone and what is there already are left out. @throws Refusal
 * 422 arrangeDays
 */
export async function copyArranges(
  ctx: AttendanceCtx, { from_semester, to_semester }: Input<typeof arrangeApi.copy>,
): Promise<Reply<typeof arrangeApi.copy>> {
  const { db, school_id, now, me } = ctx
  const term = await requireTerm(db, school_id, to_semester)
  await requireTerm(db, school_id, from_semester)
  const rows = await readArranges(db, school_id, { semester_id: from_semester })
  const left: string[] = []
  let copied = 0
  for (const {
    slots, arrange_id: _old, rule_name: _rule, scope_name: _scope, row_version: _version, ...row
  } of rows.filter(one => one.enabled)) {
    const is_there = await requireScope(db, school_id, row).then(() => true, () => false)
    const values = {
      ...row, semester_id: to_semester, valid_from: term.begin_date, valid_to: addDays(term.end_date, 1), school_id, updated_at: now,
      updated_by: me.user_id,
    }
    const made = is_there ? await db.insertInto('attend_arrange').values(values).onConflict(on => on.doNothing()).returning('arrange_id')
      .executeTakeFirst() : undefined
    if (!made) left.push(row.arrange_name)
    else {
      copied += 1
      await writeSlots(db, school_id, made.arrange_id, slots.map(slot => ({ ...slot, slot_id: null })))
    }
  }
  if (copied > 0) await follow(ctx, term.begin_date, null)
  ctx.note({ target_kind: 'attendance.arrange', target_name: `复制 ${copied}项考勤安排`, after: { from_semester, to_semester, copied } })
  return { copied, left }
}

/** @throws Refusal 404 */
async function requireArrange(db: Db, school_id: number, arrange_id: string): Promise<ArrangeRow> {
  const [row] = await readArranges(db, school_id, { arrange_id })
  if (!row) throw fail(commonErrors.notFound)
  return row
}

async function requireTerm(db: Db, school_id: number, semester_id: number): Promise<{ begin_date: string; end_date: string }> {
  const term = await db.selectFrom('semester_v').select(['begin_date', 'end_date']).where('school_id', '=', school_id)
    .where('semester_id', '=', semester_id).executeTakeFirst()
  if (!term) throw fail(commonErrors.notFound)
  return term
}

async function refuseDays(db: Db, school_id: number, semester_id: number, from: string, to: string): Promise<void> {
  const { begin_date, end_date } = await requireTerm(db, school_id, semester_id)
  if (from < begin_date || to > end_date) throw fail(
    ruleErrors.arrangeDays, { params: { from: begin_date, to: end_date }, errors: [{ field: 'valid_to', msg: '日期不在学期内' }] }
  )
}

function refusePast({ now, me }: AttendanceCtx, from: string, reason: string): void {
  if (from >= schoolDay(now)) return
  if (!me.codes.has(backdate_code)) throw fail(ruleErrors.backdateRight)
  if (reason === '') throw fail(ruleErrors.backdate, { errors: [{ field: 'reason', msg: ruleErrors.backdate.msg }] })
}

/** Clock slots of one arrange do not overlap; one that ends before it begins ends on the next day. */
function refuseSlots(kind: string, slots: Draft['slots']): void {
  if (kind === 'clock' && slots.length === 0) throw fail(ruleErrors.slotMissing)
  const spans = slots.map(slot => ({
    name: slot.slot_name, begin: minuteOf(slot.begin),
    end: minuteOf(slot.end) <= minuteOf(slot.begin) ? minuteOf(slot.end) + day_min : minuteOf(slot.end),
  }))
    .toSorted((a, b) => a.begin - b.begin)
  for (const [at, slot] of spans.entries()) {
    const next = spans[at + 1]
    if (next && next.begin < slot.end) throw fail(ruleErrors.slotOverlap, { params: { a: slot.name, b: next.name } })
  }
}

/** Slots keep their number while they stay, so that results keep their occurrence; the others are put away. */
async function writeSlots(db: Db, school_id: number, arrange_id: string, slots: Draft['slots']): Promise<void> {
  const known = new Set((await db.selectFrom('attend_slot').select('slot_id').where('school_id', '=', school_id).where('arrange_id', '=', arrange_id).execute()).map(row => row.slot_id))
  const kept = slots.flatMap(slot => (slot.slot_id !== null && known.has(slot.slot_id) ? [slot.slot_id] : []))
  await db.updateTable('attend_slot').set({ live: false }).where('school_id', '=', school_id).where('arrange_id', '=', arrange_id)
    .where('slot_id', 'not in', ['0', ...kept]).execute()
  for (const [at, { slot_id, slot_name, begin, end, day_kinds, need_out }] of slots.entries()) {
    const facts = { slot_no: at + 1, slot_name, begin_min: minuteOf(begin), end_min: minuteOf(end), day_kinds, need_out, live: true }
    if (slot_id !== null && known.has(slot_id)) await db.updateTable('attend_slot').set(facts).where('school_id', '=', school_id)
      .where('slot_id', '=', slot_id).execute()
    else await db.insertInto('attend_slot').values({ ...facts, school_id, arrange_id }).execute()
  }
}

async function follow(ctx: AttendanceCtx, from: string, ref: string | null): Promise<void> {
  await beginDay(ctx)
  await markDays(ctx, from, schoolDay(ctx.now), 'rule', ref)
}

function minuteOf(clock: string): number {
  return Number(clock.slice(0, 2)) * minute + Number(clock.slice(3))
}

function clockOf(min: number): string {
  return `${String(Math.floor(min / minute)).padStart(2, '0')}:${String(min % minute).padStart(2, '0')}`
}
