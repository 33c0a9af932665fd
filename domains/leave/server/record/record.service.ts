import { addDays, daysFrom, mondayOf } from '@campus/calendar/contract'
import { leaveReport } from '@campus/leave/contract'
import type { recordApi } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { readReport } from '@kit/server/report'
import { sql } from 'kysely'
import type { LeaveCtx } from '../db.ts'
import { inDept } from '../apply/list.service.ts'
import { isSeen, namesOf, scopesOf } from '../people.ts'

const sunday = 6

/** 请假汇总 of pupils by person and month. */
export async function pageReport(ctx: LeaveCtx, query: Input<typeof recordApi.page>): Promise<Reply<typeof recordApi.page>> {
  const { db, school_id } = ctx
  const seen = isSeen(await scopesOf(ctx))
  const [begin, end] = [new Date(`${query.from}T00:00:00+08:00`), new Date(Date.parse(`${query.to}T00:00:00+08:00`) + 86_400_000)]
  // The export may leave its days out; the page may not.
  if (Number.isNaN(begin.getTime()) || Number.isNaN(end.getTime())) throw fail(commonErrors.malformed, { errors: [{ field: 'from', msg: '请选择日期' }] })
  const rows = sql`
    from leave_member m
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = m.leave_id
    join lateral (select min(s.begin_at) as begin_at, sum(s.school_days) as school_days, sum(s.lessons) as lessons from leave_span s
      where s.school_id = ${school_id} and s.leave_id = m.leave_id and s.user_id = m.user_id and s.live) x on true
    left join dept_now d on d.school_id = ${school_id} and d.id = m.dept_id
    where m.school_id = ${school_id} and a.person_kind = 1 and m.state in (2, 5, 6, 7, 8) and x.begin_at >= ${begin}::timestamptz and x.begin_at < ${end}::timestamptz and ${seen}
      and ${query.type === undefined ? sql`true` : sql`a.leave_type = ${query.type}`} and ${query.dept_id === undefined ? sql`true` : await inDept(db, school_id, query.dept_id)}`
  return readReport(db, leaveReport, {
    rows,
    keys: { month: sql`to_char(x.begin_at at time zone 'Asia/Shanghai', 'YYYY-MM')`, dept_name: sql`d.dept_name`, user_id: sql`m.user_id::text` },
    measures: { times: sql`count(*)`, sick: sql`count(*) filter (where a.leave_type = '2')`, days: sql`sum(x.school_days)`, lessons: sql`sum(x.lessons)`, people: sql`count(distinct m.user_id)` },
    labels: { user_name: { of: 'user_id', names: ids => namesOf(db, school_id, ids) } },
    order: '-times',
  }, query)
}

/** 周视图: classes against the days of a week, how many are on leave of which type. */
export async function readWeek(ctx: LeaveCtx, { date, dept_id }: Input<typeof recordApi.week>): Promise<Reply<typeof recordApi.week>> {
  const { db, school_id } = ctx
  const seen = isSeen(await scopesOf(ctx))
  const from = mondayOf(date)
  const to = addDays(from, sunday)
  const [begin, end] = [new Date(`${from}T00:00:00+08:00`), new Date(`${addDays(to, 1)}T00:00:00+08:00`)]
  const { rows } = await sql<{ day: string; dept_id: string; dept_name: string; leave_type: string; people: number }>`
    select g.day::date::text as day, m.dept_id::text as dept_id, d.dept_name, a.leave_type, count(distinct m.user_id)::int as people
    from leave_span s
    join leave_member m on m.school_id = ${school_id} and m.leave_id = s.leave_id and m.user_id = s.user_id
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = s.leave_id
    join dept_now d on d.school_id = ${school_id} and d.id = m.dept_id
    cross join lateral generate_series(greatest((s.begin_at at time zone 'Asia/Shanghai')::date, ${from}::date), least((s.end_at at time zone 'Asia/Shanghai' - interval '1 microsecond')::date, ${to}::date), interval '1 day') g(day)
    where s.school_id = ${school_id} and s.live and s.begin_at < ${end}::timestamptz and s.end_at > ${begin}::timestamptz and a.person_kind = 1 and m.state in (2, 5, 6, 7, 8) and ${seen}
      and ${dept_id === undefined ? sql`true` : await inDept(db, school_id, dept_id)}
    group by 1, 2, 3, 4, d.node_path, d.show_order order by d.node_path, 1, 4`.execute(db)
  const classes = [...new Map(rows.map(row => [row.dept_id, row.dept_name]))].map(([id, dept_name]) => ({ dept_id: id, dept_name }))
  return { from, days: daysFrom(from, to), classes, cells: rows.map(({ dept_name: _name, ...cell }) => cell) }
}

/** Who stands behind a cell of the week. @throws Refusal 404 for an unknown class */
export async function readWeekPeople(ctx: LeaveCtx, { date, dept_id }: Input<typeof recordApi.people>): Promise<Reply<typeof recordApi.people>> {
  const { db, school_id } = ctx
  const seen = isSeen(await scopesOf(ctx))
  const dept = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst()
  if (!dept) throw fail(commonErrors.notFound)
  const [begin, end] = [new Date(`${date}T00:00:00+08:00`), new Date(`${addDays(date, 1)}T00:00:00+08:00`)]
  const { rows } = await sql<{ leave_id: string; user_id: string; user_name: string; leave_type: string; state: number }>`
    select distinct m.leave_id::text as leave_id, m.user_id::text as user_id, p.display_name as user_name, a.leave_type, m.state::int as state
    from leave_span s
    join leave_member m on m.school_id = ${school_id} and m.leave_id = s.leave_id and m.user_id = s.user_id
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = s.leave_id
    join person_label p on p.school_id = ${school_id} and p.user_id = m.user_id
    where s.school_id = ${school_id} and s.live and s.begin_at < ${end}::timestamptz and s.end_at > ${begin}::timestamptz and a.person_kind = 1 and m.dept_id = ${dept_id} and m.state in (2, 5, 6, 7, 8) and ${seen}
    order by 3`.execute(db)
  return { list: rows }
}

