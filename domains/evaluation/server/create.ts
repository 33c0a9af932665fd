import { addDays, daysFrom, mondayOf } from '@campus/calendar/contract'
import { schoolDay } from '@campus/school/server'
import { asTables, insertMany } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { EvaluationDb, Work } from './db.ts'
import { settleLevels } from './levels.service.ts'
import { planAppeal, planSettling } from './plan.ts'
import { settlePeriod } from './settle.service.ts'
import { termEnd } from './subjects.ts'

type PlannedIndicator = {
  star_name: string
  icon: string
  sign?: number
  subject_kind?: number
  step?: number
  person_day_max?: number
  giver_week_quota?: number
  evidence?: number
  givers?: number[]
  approve?: boolean
  decay?: number
  half_life_days?: number
  show_public?: boolean
  level_cuts?: number[]
}
type PlannedDimension = {
  star_kind: string | null
  star_name: string
  icon: string
  colour: string
  indicators: readonly PlannedIndicator[]
}
/** `star_name` names the indicator. `appeal`: days since somebody objected. */
type PlannedRecord = {
  day: string
  clock: string
  subject_id: string
  dept_id: string
  star_name: string
  times: number
  reason: string
  given_by: string
  state?: number
  appeal?: { asked_by: string; text: string; step: number }
}
type PlannedPost = {
  dept_id: string
  post_code: string
  course_id?: string
  user_id: string
  elected_by: number
  valid_from: string
  valid_to?: string
}
export type EvaluationPlan = {
  dimensions: readonly PlannedDimension[]
  records: readonly PlannedRecord[]
  posts: readonly PlannedPost[]
  opted_out: readonly { user_id: string; reason: string }[]
  settled_weeks: number
}
type Place = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }
const week = 1
const day_ms = 86_400_000
const [appealed, head_days, office_days] = [3, 3, 5] as const

/** Fills a school: types, records as they were given, appeals that wait, settled weeks, committees. No events of the past. */
export async function createEvaluation({ app, db: handle, school_id, now }: Place, plan: EvaluationPlan): Promise<void> {
  const work: Work = { app, db: asTables<EvaluationDb>(handle), school_id, now }
  const types = await createTypes(work, plan.dimensions)
  await createRecords(work, types, plan.records)
  await settleLevels(work, {})
  const classes = [...new Set(plan.posts.map(one => one.dept_id))]
  await insertMany(
    work.db,
    'class_committee_class',
    classes.map(dept_id => ({ school_id, dept_id, row_version: 1 })),
  )
  await insertMany(
    work.db,
    'class_committee',
    plan.posts.map(({ valid_to = null, course_id = null, ...one }) => ({ school_id, ...one, course_id, valid_to, set_by: one.user_id })),
  )
  await insertMany(
    work.db,
    'star_opt_out',
    plan.opted_out.map(one => ({ school_id, ...one, valid_from: addDays(schoolDay(now), -30), set_by: one.user_id })),
  )
  const monday = mondayOf(schoolDay(now))
  for (let back = plan.settled_weeks; back > 0; back -= 1) {
    const begin_date = addDays(monday, -7 * back)
    await settlePeriod(work, { kind: week, begin_date, end_date: addDays(begin_date, 6) }, null)
  }
  await planSettling(work, schoolDay(now))
}

type MadeType = { star_type_id: string; milli: number; subject_kind: number }

async function createTypes({ db, school_id }: Work, dimensions: readonly PlannedDimension[]): Promise<Map<string, MadeType>> {
  const made = new Map<string, MadeType>()
  for (const [at, { indicators, ...dimension }] of dimensions.entries()) {
    const { star_type_id: superior_id } = await db
      .insertInto('star_type')
      .values({ school_id, ...dimension, show_order: at + 1 })
      .returning('star_type_id')
      .executeTakeFirstOrThrow()
    for (const [place, one] of indicators.entries()) {
      const { star_type_id, step, sign, subject_kind } = await db
        .insertInto('star_type')
        .values({ school_id, superior_id, colour: dimension.colour, show_order: place + 1, ...one })
        .returning(['star_type_id', 'step', 'sign', 'subject_kind'])
        .executeTakeFirstOrThrow()
      made.set(one.star_name, { star_type_id, milli: step * sign, subject_kind })
    }
  }
  return made
}

async function createRecords(work: Work, types: ReadonlyMap<string, MadeType>, records: readonly PlannedRecord[]): Promise<void> {
  const { db, school_id, now } = work
  const days = records.map(one => one.day).toSorted()
  const [first = schoolDay(now), last = schoolDay(now)] = [days[0], days.at(-1)]
  const ends = new Map<string, string | null>()
  for (const day of daysFrom(first, last)) ends.set(day, await termEnd(db, school_id, day))
  const rows = records.flatMap((one, at) => {
    const type = types.get(one.star_name)
    const happened_at = new Date(`${one.day}T${one.clock}:00+08:00`)
    return type
      ? [
          {
            school_id,
            record_date: one.day,
            happened_at,
            subject_kind: type.subject_kind,
            subject_id: one.subject_id,
            dept_id: one.dept_id,
            star_type_id: type.star_type_id,
            milli: type.milli * one.times,
            times: one.times,
            reason: one.reason,
            source: 1,
            given_by: one.given_by,
            as_role: 2,
            batch_no: `seed-${at}`,
            state: one.state ?? 1,
            visible_at: one.state === 0 ? null : happened_at,
            term_end: ends.get(one.day) ?? null,
            idem_key: `seed-${at}`,
          },
        ]
      : []
  })
  await insertMany(db, 'star_record', rows)
  const under_appeal = rows.filter(row => row.state === appealed).map(row => row.idem_key)
  if (under_appeal.length === 0) return
  const kept = await db
    .selectFrom('star_record')
    .select(['record_id', 'record_date', 'dept_id', 'idem_key', 'happened_at'])
    .where('school_id', '=', school_id)
    .where('idem_key', 'in', under_appeal)
    .execute()
  for (const record of kept) await createAppeal(work, record, records[Number(record.idem_key.slice('seed-'.length))])
}

async function createAppeal(
  work: Work,
  record: { record_id: string; record_date: string; dept_id: string; happened_at: Date },
  planned: PlannedRecord | undefined,
): Promise<void> {
  if (!planned?.appeal) return
  const { asked_by, text, step } = planned.appeal
  const due_at = new Date(work.now.getTime() + (step === 1 ? head_days - 1 : office_days - 1) * day_ms)
  const { appeal_id } = await work.db
    .insertInto('star_appeal')
    .values({
      school_id: work.school_id,
      record_id: record.record_id,
      record_date: record.record_date,
      dept_id: record.dept_id,
      asked_by,
      asked_at: new Date(record.happened_at.getTime() + day_ms / 8),
      text,
      step,
      due_at,
    })
    .returning('appeal_id')
    .executeTakeFirstOrThrow()
  await planAppeal(work, appeal_id, step, due_at)
}
