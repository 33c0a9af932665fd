import { accessErrors, deptTurnover, most_counted, placeTurnover, UserDayRow } from '@campus/access/contract'
import type { deptTurnover as Dept, placeTurnover as Place, TurnoverKind, userDayList } from '@campus/access/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import { readReport } from '@kit/server/report'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { computeDays } from './day.ts'
import type { PassCtx } from './db.ts'
import { inDept, kinds_of, named, passesIn, requireRefs, seenOf, spanOf } from './pass.queries.ts'
import { readPasses } from './read-journal.ts'

type DayQuery = z.output<typeof userDayList.query>
const most_exported = 100_001
const [rebuilt_at_once, most_rebuilt_days] = [1000, 31] as const
const instant = z.date().transform(at => at.toISOString()).nullable()
const Found = UserDayRow.extend({ first_in: instant, last_out: instant })

async function daysSeen(ctx: PassCtx, kind: 'student' | 'teacher'): Promise<RawBuilder<boolean>> {
  const scope = await deptScope(ctx, kind === 'student' ? 'student' : 'staff')
  return sql<boolean>`p.school_id = ${ctx.school_id} and p.subject_kind = any(${[...kinds_of[kind]]}::smallint[]) and ${inScope('p.dept_id', scope)}`
}

/** People by day, the latest day first (chapter 35 §5 按人按日). @throws Refusal rangeTooWide, pageTooDeep, 404 */
export async function pageDays(ctx: PassCtx, kind: 'student' | 'teacher', query: DayQuery): Promise<{ list: UserDayRow[]; total: number }> {
  if (query.page_index * query.page_size > most_counted + query.page_size) throw fail(accessErrors.pageTooDeep)
  return readDays(ctx, kind, query, most_counted)
}

/** The same unpaged, for the sheet. */
export function sheetDays(ctx: PassCtx, kind: 'student' | 'teacher', query: DayQuery): Promise<{ list: UserDayRow[]; total: number }> {
  return readDays(ctx, kind, query, most_exported)
}

async function readDays(ctx: PassCtx, kind: 'student' | 'teacher', query: DayQuery, most: number): Promise<{ list: UserDayRow[]; total: number }> {
  const { db, school_id, now } = ctx
  const { keyword, dept_id, user_id, page_index, page_size } = query
  await requireRefs(ctx, query)
  const { from, to } = spanOf(now, query, user_id === undefined ? most_rebuilt_days : 366)
  const where = sql`${await daysSeen(ctx, kind)} and p.date >= ${schoolDay(from)}::date and p.date < ${schoolDay(to)}::date
    and ${named(school_id, sql`p.subject_id`, keyword)} and ${inDept(school_id, sql`p.dept_id`, dept_id)} and ${user_id === undefined ? sql`true` : sql`p.subject_id = ${user_id}`}`
  const { rows } = await sql`
    with p as materialized (select p.* from access_user_day p where ${where} order by p.date desc, p.subject_kind, p.subject_id limit ${page_size} offset ${(page_index - 1) * page_size})
    select p.date::text || '/' || p.subject_kind || '/' || p.subject_id as day_key, p.date::text, p.subject_kind::int, p.subject_id::text as user_id, l.display_name as user_name, u.user_no, d.dept_name, p.first_in, p.last_out,
      p.in_count, p.out_count, p.denied_count, p.minutes_inside, p.flags
    from p left join person_label l on l.school_id = ${school_id} and l.user_id = p.subject_id
    left join school_user_v u on u.school_id = ${school_id} and u.user_id = p.subject_id
    left join dept_now d on d.school_id = ${school_id} and d.id = p.dept_id
    order by p.date desc, p.subject_kind, p.subject_id`.execute(db)
  const counted = await sql<{ n: number }>`select count(*)::int as n from (select 1 as one from access_user_day p where ${where} limit ${most}) c`.execute(db)
  return { list: z.array(Found).parse(rows), total: counted.rows[0]?.n ?? 0 }
}

/** Departments of then by day. */
export async function summariseDepts(ctx: PassCtx, kind: 'student' | 'teacher', query: z.output<typeof Dept.query>): Promise<z.output<typeof Dept.reply>> {
  const { db, school_id } = ctx
  await requireRefs(ctx, query)
  const rows = sql`from access_user_day p where ${await daysSeen(ctx, kind)} and p.date >= ${query.from}::date and p.date <= ${query.to}::date and ${inDept(school_id, sql`p.dept_id`, query.dept_id)}`
  return readReport(db, deptTurnover, {
    rows, order: '-date',
    keys: { date: sql`p.date::text`, row_dept_id: sql`p.dept_id::text` },
    measures: {
      people: sql`count(*)`, in_count: sql`sum(p.in_count)`, out_count: sql`sum(p.out_count)`, denied_count: sql`sum(p.denied_count)`,
      no_exit: sql`count(*) filter (where p.flags & 1 > 0)`, no_entry: sql`count(*) filter (where p.flags & 2 > 0)`,
    },
    labels: { dept_name: { of: 'row_dept_id', names: ids => deptNames(ctx, ids) } },
  }, query)
}

async function deptNames({ db, school_id }: PassCtx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('dept_now').select(['id', 'dept_name']).where('school_id', '=', school_id).where(sql<boolean>`id = any(${[...ids]}::bigint[])`).execute()
  return new Map(rows.map(row => [row.id, row.dept_name]))
}

/** Doors by day, of those who have no department. */
export async function summarisePlaces(ctx: PassCtx, kind: Extract<TurnoverKind, 'stranger' | 'visitor'>, query: z.output<typeof Place.query>): Promise<z.output<typeof Place.reply>> {
  const { db, school_id } = ctx
  await requireRefs(ctx, query)
  const span = { from: new Date(`${query.from}T00:00:00+08:00`), to: new Date(`${query.to}T24:00:00+08:00`) }
  const place = query.place_id === undefined ? sql`true` : sql`p.place_id = ${query.place_id}`
  const rows = sql`from access_pass p where ${passesIn(school_id, span)} and p.subject_kind = any(${[...kinds_of[kind]]}::smallint[]) and ${await seenOf(ctx, kind)} and ${place}`
  return readReport(db, placeTurnover, {
    rows, order: '-date',
    keys: { date: sql`(p.event_time at time zone 'Asia/Shanghai')::date::text`, row_place_id: sql`p.place_id::text` },
    measures: {
      passes: sql`count(*)`, in_count: sql`count(*) filter (where p.direction = 1 and p.result = 1)`, out_count: sql`count(*) filter (where p.direction = 2 and p.result = 1)`,
      denied_count: sql`count(*) filter (where p.result <> 1)`,
    },
    labels: { place_name: { of: 'row_place_id', names: ids => placeNames(ctx, ids) } },
  }, query)
}

async function placeNames({ db, school_id }: PassCtx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.selectFrom('place_path_v').select(['place_id', 'node_path_name']).where('school_id', '=', school_id).where(sql<boolean>`place_id = any(${[...ids]}::bigint[])`).execute()
  return new Map(rows.map(row => [row.place_id, row.node_path_name]))
}

/** Reads what the journal of these days has and the passes have not, and computes the days of everybody anew (chapter 35 R37). @throws Refusal rangeTooWide */
export async function rebuildDays(ctx: PassCtx, { from, to }: { from: string; to: string }): Promise<{ read: number; days: number }> {
  const { db, school_id, now } = ctx
  const span = spanOf(now, { from, to }, most_rebuilt_days)
  let read = 0
  for (;;) {
    const keys = await unreadKeys(ctx, from, to)
    const fresh = await readPasses(ctx, keys, true)
    read += fresh.length
    if (keys.length < rebuilt_at_once || fresh.length === 0) break
  }
  const { rows } = await sql<{ event_date: string; subject_kind: number; subject_id: string; event_time: Date }>`
    select distinct on (day, p.subject_kind, p.subject_id) p.event_date::text as event_date, p.subject_kind::int as subject_kind, p.subject_id::text as subject_id, p.event_time, (p.event_time at time zone 'Asia/Shanghai')::date as day
    from access_pass p where ${passesIn(school_id, span)} and p.subject_id is not null`.execute(db)
  for (let at = 0; at < rows.length; at += rebuilt_at_once) await computeDays(ctx, rows.slice(at, at + rebuilt_at_once))
  ctx.note({ target_kind: 'access.turnover', target_name: `${from} 至 ${to}` })
  return { read, days: rows.length }
}

/** Records of these days that are no passes yet. */
export async function unreadKeys({ db, school_id }: Pick<PassCtx, 'db' | 'school_id'>, from: string, to: string) {
  const { rows } = await sql<{ event_date: string; device_id: string; device_seq: string }>`
    select e.event_date::text as event_date, e.device_id::text as device_id, e.device_seq from pass_event_v e
    where e.school_id = ${school_id} and e.event_date between ${from}::date and ${to}::date
      and not exists (select 1 from access_pass a where a.school_id = ${school_id} and a.event_date = e.event_date and a.device_id = e.device_id and a.device_seq = e.device_seq)
    order by e.event_time limit ${rebuilt_at_once}`.execute(db)
  return rows
}

