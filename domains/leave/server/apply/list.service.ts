import { LeaveRow } from '@campus/leave/contract'
import type { applyApi } from '@campus/leave/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db, LeaveCtx } from '../db.ts'
import { isSeen, scopesOf } from '../people.ts'

type Query = Input<typeof applyApi.page>
const detail_code = 'leave.apply.detail'
const [outside, waiting, late] = [[2, 6, 8], [1], 8] as const
const most_days = 366

/** 学生请假记录: one line a person on leave, the latest first. */
export async function pageLeaves(ctx: LeaveCtx, query: Query): Promise<Reply<typeof applyApi.page>> {
  const { db, school_id, me } = ctx
  const scopes = await scopesOf(ctx)
  const where = await conditionsOf(ctx, query, isSeen(scopes))
  const from = sql`leave_member m
    join leave_apply a on a.school_id = ${school_id} and a.leave_id = m.leave_id
    join leave_reason r on r.school_id = ${school_id} and r.reason_code = a.reason_code
    join person_label p on p.school_id = ${school_id} and p.user_id = m.user_id
    left join live_person l on l.school_id = ${school_id} and l.user_id = m.user_id and l.person_kind = a.person_kind
    left join dept_now d on d.school_id = ${school_id} and d.id = m.dept_id
    left join person_label h on h.school_id = ${school_id} and h.user_id = a.apply_by
    join lateral (select min(s.begin_at) as begin_at, max(s.end_at) as end_at, count(*)::int as spans, sum(s.school_days)::float8 as school_days, sum(s.lessons)::int as lessons
      from leave_span s where s.school_id = ${school_id} and s.leave_id = m.leave_id and s.user_id = m.user_id) x on true
    where ${sql.join(where, sql` and `)}`
  const { rows } = await sql`
    select m.leave_id::text || '-' || m.user_id::text as row_id, m.leave_id::text as leave_id, a.leave_no, m.user_id::text as user_id, p.display_name as user_name, coalesce(l.user_no, '') as user_no,
      m.dept_id::text as dept_id, d.dept_name, a.person_kind::int as person_kind, a.leave_type, r.reason_name, ${me.codes.has(detail_code) ? sql`a.reason` : sql`null::text`} as reason,
      x.begin_at, x.end_at, x.spans, x.school_days, x.lessons, a.members::int as members, m.state::int as state,
      exists (select 1 from leave_version v where v.school_id = ${school_id} and v.leave_id = m.leave_id and v.state = 0 and v.kind <> 1) as changing,
      m.out_at, m.back_at, h.display_name as handler, a.submitted_at,
      (select count(*)::int from leave_effect e where e.school_id = ${school_id} and e.leave_id = m.leave_id and e.state in (2, 5)) as effects_done,
      (select count(*)::int from leave_effect e where e.school_id = ${school_id} and e.leave_id = m.leave_id) as effects
    from ${from}
    order by x.begin_at desc, m.leave_id desc, m.user_id limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from ${from}`.execute(db)
  return { list: Shown.parse(rows), total: counted.rows[0]?.total ?? 0 }
}

const instant = z.date().transform(at => at.toISOString())
const Shown = z.array(LeaveRow.extend({ begin_at: instant, end_at: instant, out_at: instant.nullable(), back_at: instant.nullable(), submitted_at: instant }))

async function conditionsOf({ db, school_id, now }: LeaveCtx, query: Query, seen: RawBuilder<boolean>): Promise<RawBuilder<unknown>[]> {
  const today = schoolDay(now)
  const where: RawBuilder<unknown>[] = [sql`m.school_id = ${school_id} and a.person_kind = ${Number(query.kind ?? 1)}`, seen]
  if (query.tab === 'out') where.push(sql`m.state = any(${[...outside]}::int[]) and ${touchesDays(school_id, today, today)}`)
  if (query.tab === 'wait') where.push(sql`m.state = any(${[...waiting]}::int[])`)
  if (query.state !== undefined) where.push(sql`m.state = ${Number(query.state)}`)
  if (query.type !== undefined) where.push(sql`a.leave_type = ${query.type}`)
  if (query.overdue === true) where.push(sql`m.state = ${late}`)
  if (query.overdue === false) where.push(sql`m.state <> ${late}`)
  if (query.user_id !== undefined) where.push(sql`m.user_id = ${query.user_id}`)
  if (query.keyword !== undefined) where.push(sql`(strpos(p.display_name, ${query.keyword}) > 0 or a.leave_no = ${query.keyword} or m.user_id in (select k.user_id from live_person k where k.school_id = ${school_id} and k.user_no = ${query.keyword}))`)
  if (query.user_id !== undefined) await requirePerson(db, school_id, query.user_id)
  if (query.dept_id !== undefined) where.push(await inDept(db, school_id, query.dept_id))
  if (query.from !== undefined || query.to !== undefined) where.push(daysAsked(school_id, query))
  return where
}

async function requirePerson(db: Db, school_id: number, user_id: string): Promise<void> {
  const found = await db.selectFrom('person_label').select('user_id').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
}

/** @throws Refusal 422 for days that are reversed or more than a year */
function daysAsked(school_id: number, { from, to }: Pick<Query, 'from' | 'to'>): RawBuilder<unknown> {
  const [first, last] = [from ?? to ?? '', to ?? from ?? '']
  const days = (Date.parse(last) - Date.parse(first)) / 86_400_000
  if (days < 0) throw fail(commonErrors.rangeReversed, { errors: [{ field: 'to', msg: commonErrors.rangeReversed.msg }] })
  if (days >= most_days) throw fail(commonErrors.rangeTooLong, { params: { n: most_days } })
  return touchesDays(school_id, first, last)
}

/** That a span of the member lies in these days, both included. */
function touchesDays(school_id: number, from: string, to: string): RawBuilder<unknown> {
  const [begin, end] = [new Date(`${from}T00:00:00+08:00`), new Date(new Date(`${to}T00:00:00+08:00`).getTime() + 86_400_000)]
  return sql`exists (select 1 from leave_span t where t.school_id = ${school_id} and t.leave_id = m.leave_id and t.user_id = m.user_id and t.begin_at < ${end}::timestamptz and t.end_at > ${begin}::timestamptz)`
}

/** That the member's class is this one or lies below it. @throws Refusal 404 */
export async function inDept(db: Db, school_id: number, dept_id: string, column = 'm.dept_id'): Promise<RawBuilder<unknown>> {
  const found = await db.selectFrom('dept_now').select('node_path').where('school_id', '=', school_id).where('id', '=', dept_id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  const { node_path } = found
  return sql`${sql.ref(column)} in (select n.id from dept_now n where n.school_id = ${school_id} and n.node_path >= ${node_path} and n.node_path < left(${node_path}, -1) || '0')`
}

/** What stands above the list: pupils who are on leave today, outside, wait, are late. */
export async function readToday(ctx: LeaveCtx, { dept_id }: Input<typeof applyApi.today>): Promise<Reply<typeof applyApi.today>> {
  const { db, school_id, now } = ctx
  const seen = isSeen(await scopesOf(ctx))
  const today = schoolDay(now)
  const where = sql`m.school_id = ${school_id} and a.person_kind = 1 and ${seen} and ${dept_id === undefined ? sql`true` : await inDept(db, school_id, dept_id)}`
  const from = sql`leave_member m join leave_apply a on a.school_id = ${school_id} and a.leave_id = m.leave_id`
  const on_leave = sql`m.state in (2, 5, 6, 7, 8) and ${touchesDays(school_id, today, today)}`
  const by_type = await sql<{ leave_type: string; people: number }>`select a.leave_type, count(distinct m.user_id)::int as people from ${from} where ${where} and ${on_leave} group by a.leave_type order by 2 desc`.execute(db)
  const by_grade = await sql<{ grade: string; people: number }>`
    select coalesce(d.grade, '') as grade, count(distinct m.user_id)::int as people from ${from} left join dept_now d on d.school_id = ${school_id} and d.id = m.dept_id
    where ${where} and ${on_leave} group by 1 order by 1`.execute(db)
  const counts = await sql<{ people: number; outside: number; waiting: number; overdue: number }>`
    select count(distinct m.user_id) filter (where ${on_leave})::int as people, count(*) filter (where m.state = 6)::int as outside,
      count(*) filter (where m.state = 1)::int as waiting, count(*) filter (where m.state = 8)::int as overdue
    from ${from} where ${where}`.execute(db)
  return { by_type: by_type.rows, by_grade: by_grade.rows, people: 0, outside: 0, waiting: 0, overdue: 0, ...counts.rows[0] }
}
