import { calendarEvents, daysFrom, grade_codes, whole_school } from '@campus/calendar/contract'
import type { Effects, SchoolDay } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import type { Db } from '../db.ts'
import { impactsOf } from '../use-port.ts'
import { lastRev, readDays, writeDays } from './day.queries.ts'
import { resolveDay } from './resolve.ts'
import type { Term, World } from './resolve.ts'

/** Who changes the calendar: a request, or a domain in its own transaction. */
export type Changing = Omit<Publisher, 'db'> & { db: Db }
type Span = { from: string; to: string }
/** `reason`: days that have passed are put right too. */
type How = { preview: boolean; reason?: string }

const grades: readonly string[] = [whole_school, ...grade_codes]
const [first_day, last_day] = ['08-01', '08-31']

/** The days of which the calendar says anything: the school years of the terms. */
export function coveredDays(terms: readonly Term[]): Span | null {
  if (terms.length === 0) return null
  const years = terms.map(({ id }) => Math.floor(id / 10))
  return { from: `${Math.min(...years)}-${first_day}`, to: `${Math.max(...years) + 1}-${last_day}` }
}

/**
 * Makes the stored days of a span follow from the world (chapter 50 rule 2): days from today on are replaced where they differ, days before are
 * written when they are not there yet. With `preview` nothing is written.
 */
export async function rebuildDays(from: Changing, world: World, span: Span, { preview, reason }: How): Promise<Effects> {
  const { app, db, school_id, now } = from
  const today = schoolDay(now)
  const covered = coveredDays(world.terms)
  const within = { from: span.from > (covered?.from ?? '') ? span.from : (covered?.from ?? ''), to: span.to < (covered?.to ?? '') ? span.to : (covered?.to ?? '') }
  const dates = covered && within.from <= within.to ? daysFrom(within.from, within.to) : []
  const stored = new Map((dates.length === 0 ? [] : await readDays(db, school_id, within)).map(day => [`${day.date} ${day.grade}`, day]))
  const changed = dates.flatMap(date => grades.flatMap(grade => {
    const before = stored.get(`${date} ${grade}`)
    if (before && date < today && reason === undefined) return []
    const after = resolveDay(world, date, grade)
    return before && isSame(before, after) ? [] : [{ before, after }]
  }))
  const effects = summed(changed)
  if (!preview && changed.length > 0) await store(from, changed.map(({ after }) => after), reason)
  return { ...effects, impacts: await impactsOf(app, db, { school_id, today, dates: effects.dates, grades: [...new Set(changed.map(({ after }) => after.grade))] }) }
}

async function store(from: Changing, days: readonly SchoolDay[], reason: string | undefined): Promise<void> {
  const { db, school_id, now } = from
  const rev = (await lastRev(db, school_id)) + 1
  await writeDays(db, school_id, days, rev)
  const today = schoolDay(now)
  const facts = { dates: [...new Set(days.map(day => day.date))], grades: [...new Set(days.map(day => day.grade))] }
  await publish(from, calendarEvents.changed, { ...facts, rev })
  const past = facts.dates.filter(date => date < today)
  if (reason !== undefined && past.length > 0) await publish(from, calendarEvents.dayCorrected, { dates: past, grades: facts.grades, reason })
}

type Change = { before: SchoolDay | undefined; after: SchoolDay }

function summed(changed: readonly Change[]): Effects {
  const lines = grades.map(grade => {
    const of = changed.filter(({ after }) => after.grade === grade)
    return { grade, lost: of.filter(({ before, after }) => before?.is_school_day && !after.is_school_day).length, gained: of.filter(({ before, after }) => before && !before.is_school_day && after.is_school_day).length }
  })
  return { dates: [...new Set(changed.map(({ after }) => after.date))], grades: lines.filter(({ lost, gained }) => lost + gained > 0), impacts: [] }
}

function isSame(a: SchoolDay, b: SchoolDay): boolean {
  return a.semester_id === b.semester_id && a.week_no === b.week_no && a.day_kind === b.day_kind && a.is_school_day === b.is_school_day && a.plan_date === b.plan_date
    && a.plan_weekday === b.plan_weekday && a.plan_week_no === b.plan_week_no && a.plan_week_kind === b.plan_week_kind && a.bell_id === b.bell_id && a.label === b.label
    && String(a.closed) === String(b.closed)
}
