import { addDays, calendarErrors, calendarEvents } from '@campus/calendar/contract'
import type { Bell, BellChange, bellApi, BellUse } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import type { CalendarCtx, Db } from '../db.ts'
import { loadWorld, lockCalendar } from '../day/day.queries.ts'
import { coveredDays, rebuildDays } from '../day/rebuild.ts'
import type { Changing } from '../day/rebuild.ts'
import { bellOn } from '../day/resolve.ts'
import type { UseFact, World } from '../day/resolve.ts'
import { readBells } from './bell.queries.ts'
import { without } from './spans.ts'

/** Which bell rings for which grade on which weekdays within a span; the weekdays of one bell and span are one line. */
export async function listUses({ db, school_id }: CalendarCtx, { from, to }: Input<typeof bellApi.uses>): Promise<{ list: BellUse[] }> {
  const rows = await db
    .selectFrom('bell_use')
    .select(['bell_id', 'grade', 'weekday', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('valid_from', '<=', to)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)]))
    .orderBy('grade')
    .orderBy('valid_from')
    .orderBy('weekday')
    .execute()
  const lines = new Map<string, BellUse>()
  for (const { grade, bell_id, weekday, valid_from, valid_to } of rows) {
    const key = [grade, bell_id, valid_from, valid_to].join()
    const line = lines.get(key) ?? { grade, bell_id, week_flags: Array.from({ length: 7 }, () => false), from: valid_from, to: valid_to }
    line.week_flags[weekday - 1] = true
    lines.set(key, line)
  }
  return { list: [...lines.values()] }
}

type Plan = Pick<Input<typeof bellApi.switch>, 'bell_id' | 'grades' | 'week_flags' | 'from' | 'to'>

/**
 * Lets a bell ring for grades from a day on (chapter 50 rules 7 and 8): what rang before ends that day, and comes back at `to`.
 * @throws Refusal 404, 422 specialPast for a day before today
 */
export async function switchBell(ctx: CalendarCtx, { preview, ...plan }: Input<typeof bellApi.switch>): Promise<Reply<typeof bellApi.switch>> {
  const { db, school_id, now } = ctx
  const today = schoolDay(now)
  if (plan.from < today) throw fail(calendarErrors.specialPast, { errors: [{ field: 'from', msg: '切换日期不能早于今天' }] })
  await lockCalendar(db, school_id)
  const bells = await readBells(db, school_id, today)
  const bell = bells.find(({ id }) => id === plan.bell_id)
  if (!bell) throw fail(commonErrors.notFound)
  const world = await loadWorld(db, school_id)
  const changes = changedLessons(world, bells, bell, plan)
  const next = { ...world, uses: nextUses(world.uses, plan) }
  if (!preview) await ringBell(ctx, plan)
  const effects = await rebuildDays(ctx, next, { from: plan.from, to: lastDay(world, plan) }, { preview })
  if (!preview) await publish(ctx, calendarEvents.bellChanged, { from: plan.from, grades: plan.grades })
  ctx.note({ target_kind: 'calendar.bell', target_id: bell.id, target_name: bell.name, after: { ...plan } })
  return { changes, dates: effects.dates.length }
}

/** Writes which bell rings; the days follow by `rebuildDays`. */
export async function ringBell({ db, school_id }: Pick<Changing, 'db' | 'school_id'>, plan: Plan): Promise<void> {
  const { grades, from, to } = plan
  const weekdays = weekdaysOf(plan)
  const touched = await readTouched(db, school_id, plan, weekdays)
  if (touched.length > 0) await db.deleteFrom('bell_use').where('school_id', '=', school_id).where('id', 'in', touched.map(({ id }) => id)).execute()
  const rest = without(touched, from, to).map(({ id: _id, ...row }) => row)
  const own = grades.flatMap(grade => weekdays.map(weekday => ({ bell_id: plan.bell_id, grade, weekday, valid_from: from, valid_to: to })))
  await db.insertInto('bell_use').values([...rest, ...own].map(row => ({ ...row, school_id }))).execute()
}

async function readTouched(db: Db, school_id: number, { grades, from, to }: Plan, weekdays: readonly number[]) {
  return db
    .selectFrom('bell_use')
    .select(['id', 'bell_id', 'grade', 'weekday', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('grade', 'in', grades)
    .where('weekday', 'in', weekdays)
    .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', from)]))
    .$if(to !== null, query => query.where('valid_from', '<', to ?? ''))
    .execute()
}

/** The same in memory, for days that are to follow. */
function nextUses(uses: readonly UseFact[], plan: Plan): UseFact[] {
  const weekdays = weekdaysOf(plan)
  const grades: readonly string[] = plan.grades
  const is_touched = ({ grade, weekday }: UseFact) => grades.includes(grade) && weekdays.includes(weekday)
  const own = grades.flatMap(grade => weekdays.map(weekday => ({ bell_id: plan.bell_id, grade, weekday, valid_from: plan.from, valid_to: plan.to })))
  return [...uses.filter(use => !is_touched(use)), ...without(uses.filter(is_touched), plan.from, plan.to), ...own]
}

/** Lessons whose clock time changes, by grade, as on the first weekday of the switch. */
function changedLessons({ uses }: World, bells: readonly Bell[], bell: Bell, plan: Plan): BellChange[] {
  const [weekday = 1] = weekdaysOf(plan)
  return plan.grades.flatMap(grade => {
    const before = bells.find(({ id }) => id === bellOn(uses, plan.from, grade, weekday))
    const numbers = [...new Set([...lessonsOf(before), ...lessonsOf(bell)].map(({ section }) => section))].toSorted((a, b) => a - b)
    return numbers.flatMap(section => {
      const [old, next] = [spanOf(before, section), spanOf(bell, section)]
      return old?.begin === next?.begin && old?.end === next?.end ? [] : [{ grade, section, before: old, after: next }]
    })
  })
}

function lessonsOf(bell: Bell | undefined) {
  return (bell?.sections ?? []).flatMap(part => (part.section === null ? [] : [{ section: part.section, begin: part.begin, end: part.end }]))
}

function spanOf(bell: Bell | undefined, section: number): BellChange['before'] {
  const found = lessonsOf(bell).find(part => part.section === section)
  return found ? { begin: found.begin, end: found.end } : null
}

function weekdaysOf({ week_flags }: Plan): number[] {
  return week_flags.flatMap((is_on, at) => (is_on ? [at + 1] : []))
}

function lastDay({ terms }: World, { from, to }: Plan): string {
  return to === null ? (coveredDays(terms)?.to ?? from) : addDays(to, -1)
}
