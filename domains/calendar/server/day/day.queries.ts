import type { SchoolDay } from '@campus/calendar/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { World } from './resolve.ts'

/** One change of a school's calendar at a time: what is stored of its days follows from all of it. */
export async function lockCalendar(db: Db, school_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock_space}::int, ${school_id}::int)`.execute(db)
}
const lock_space = 5_000_101

/** Terms, what is set upon days, and bells of a school. */
export async function loadWorld(db: Db, school_id: number): Promise<World> {
  const terms = await db.selectFrom('semester').select(['id', 'term', 'begin_date', 'end_date', 'odd_first']).where('school_id', '=', school_id).orderBy('begin_date').execute()
  const specials = await db.selectFrom('calendar_special').selectAll().where('school_id', '=', school_id).orderBy('begin_date').orderBy('id').execute()
  const uses = await db.selectFrom('bell_use').select(['bell_id', 'grade', 'weekday', 'valid_from', 'valid_to']).where('school_id', '=', school_id).execute()
  return { terms, specials, uses }
}

/** Days of all grades or of one, as they are stored. */
export async function readDays(db: Db, school_id: number, { from, to, grade }: { from: string; to: string; grade?: string | undefined }): Promise<(SchoolDay & { rev: number })[]> {
  const rows = await db
    .selectFrom('school_day')
    .selectAll()
    .where('school_id', '=', school_id)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .$if(grade !== undefined, query => query.where('grade', '=', grade ?? ''))
    .orderBy('date')
    .orderBy('grade')
    .execute()
  return rows.map(({ school_id: _school, closed, ...row }) => ({ ...row, closed: spansOf(closed) }))
}

/** The pairs of `{[480,525),[600,645)}`. */
function spansOf(closed: string): [number, number][] {
  return [...closed.matchAll(/\[(\d+),(\d+)\)/g)].map(([, from, to]) => [Number(from), Number(to)])
}

/** Writes days over what was stored of them. */
export async function writeDays(db: Db, school_id: number, days: readonly SchoolDay[], rev: number): Promise<void> {
  const rows = days.map(({ closed, ...day }) => ({ ...day, school_id, rev, closed: `{${closed.map(([from, to]) => `[${from},${to})`).join(',')}}` }))
  await sql`
    insert into school_day (school_id, date, grade, semester_id, week_no, day_kind, is_school_day, plan_date, plan_weekday, plan_week_no, plan_week_kind, bell_id, closed, label, rev)
    select ${school_id}::int, d.date, d.grade, d.semester_id, d.week_no, d.day_kind, d.is_school_day, d.plan_date, d.plan_weekday, d.plan_week_no, d.plan_week_kind, d.bell_id, d.closed, d.label, d.rev
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(date date, grade text, semester_id int, week_no smallint, day_kind smallint, is_school_day boolean, plan_date date,
      plan_weekday smallint, plan_week_no smallint, plan_week_kind smallint, bell_id bigint, closed int4multirange, label text, rev int)
    on conflict (school_id, date, grade) do update set semester_id = excluded.semester_id, week_no = excluded.week_no, day_kind = excluded.day_kind, is_school_day = excluded.is_school_day,
      plan_date = excluded.plan_date, plan_weekday = excluded.plan_weekday, plan_week_no = excluded.plan_week_no, plan_week_kind = excluded.plan_week_kind, bell_id = excluded.bell_id,
      closed = excluded.closed, label = excluded.label, rev = excluded.rev`.execute(db)
}

/** The number of the last change of a school's days. */
export async function lastRev(db: Db, school_id: number): Promise<number> {
  const row = await db.selectFrom('school_day').select(eb => eb.fn.max('rev').as('rev')).where('school_id', '=', school_id).executeTakeFirst()
  return row?.rev ?? 0
}
