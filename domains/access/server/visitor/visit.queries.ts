import { VisitRow } from '@campus/access/contract'
import type { visitList } from '@campus/access/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PassCtx } from '../pass/db.ts'
import { spanOf } from '../pass/pass.queries.ts'
import { maskMobile } from './seal.ts'
import { readReasons } from './setting.ts'

const [usual_days_ahead, most_days] = [31, 366] as const
const day_ms = 86_400_000
const instant = z.date().transform(at => at.toISOString())
const Found = VisitRow.omit({ mobile: true, reason_name: true }).extend({ mobile_tail: z.string(), reason_code: z.string(), begin_at: instant, end_at: instant, arrived_at: instant.nullable(), left_at: instant.nullable() })

/** Whose visits are seen: of receivers in the scope, and one's own, as host or for one who is away (chapter 35 §4). */
export async function visitsSeen(ctx: PassCtx): Promise<RawBuilder<boolean>> {
  const { school_id, me, now } = ctx
  const scope = await deptScope(ctx, 'staff')
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(a.receiver_user_id = ${me.user_id}
    or a.receiver_user_id in (select r.user_id from visitor_receiver r where r.school_id = ${school_id} and r.delegate_user_id = ${me.user_id} and r.delegate_until >= ${schoolDay(now)}::date)
    or a.receiver_user_id in (select m.user_id from live_staff m where m.school_id = ${school_id} and ${inScope('m.primary_dept_id', scope)}))`
}

/** Visits with the names of what they are about. `where` speaks of `a`, the visit, and `v`, the visitor. */
export async function readVisits({ db, school_id }: Pick<PassCtx, 'db' | 'school_id'>, where: RawBuilder<unknown>, { limit, offset = 0, order = sql`a.begin_at desc, a.apply_id desc` }: { limit: number; offset?: number; order?: RawBuilder<unknown> }): Promise<VisitRow[]> {
  const { rows } = await sql`
    select a.apply_id::text, a.apply_no, v.visitor_name, v.mobile_tail, v.company, a.reason_code, a.reason_text, a.receiver_user_id::text, r.display_name as receiver_name, r.last_dept_name as receiver_dept, s.display_name as student_name, a.followers::int, a.plate,
      a.begin_at, a.end_at, a.channel::int, a.state::int, a.overdue_at is not null and a.state = 4 as is_overdue, a.arrived_at, a.left_at, a.left_basis::int, a.refuse_reason, v.visit_count,
      case when a.state = 0 then 1 + (select count(*)::int from visitor_audit u where u.school_id = ${school_id} and u.apply_id = a.apply_id and u.verdict = 1) end as step,
      coalesce((select string_agg(w.place_name, '、' order by w.place_name) from visitor_apply_place p join place_path_v w on w.school_id = ${school_id} and w.place_id = p.place_id where p.school_id = ${school_id} and p.apply_id = a.apply_id), '') as route
    from visitor_apply a join visitor v on v.school_id = ${school_id} and v.visitor_id = a.visitor_id
    left join person_label r on r.school_id = ${school_id} and r.user_id = a.receiver_user_id
    left join person_label s on s.school_id = ${school_id} and s.user_id = a.student_id
    where a.school_id = ${school_id} and ${where} order by ${order} limit ${limit} offset ${offset}`.execute(db)
  const names = new Map((await readReasons(db, school_id)).map(reason => [reason.reason_code, reason.reason_name]))
  return z.array(Found).parse(rows).map(({ mobile_tail, reason_code, ...row }) => ({ ...row, mobile: maskMobile(mobile_tail), reason_name: names.get(reason_code) ?? '其他' }))
}

type Query = z.output<typeof visitList.query>

/** One page of visits, the latest first. */
export async function pageVisits(ctx: PassCtx, query: Query): Promise<{ list: VisitRow[]; total: number }> {
  const { db, school_id, me, now } = ctx
  const { keyword, state, only_mine, is_overdue, page_index, page_size } = query
  const ahead = schoolDay(new Date(now.getTime() + usual_days_ahead * day_ms))
  const { from, to } = spanOf(now, { from: query.from ?? schoolDay(new Date(now.getTime() - usual_days_ahead * day_ms)), to: query.to ?? ahead }, most_days)
  const where = sql.join([
    await visitsSeen(ctx),
    sql`a.begin_at >= ${from}::timestamptz and a.begin_at < ${to}::timestamptz`,
    ...(state === undefined ? [] : [sql`a.state = ${Number(state)}`]),
    ...(only_mine === undefined ? [] : [sql`a.receiver_user_id = ${me.user_id}`]),
    ...(is_overdue === undefined ? [] : [sql`a.overdue_at is not null and a.state = 4`]),
    ...(keyword === undefined ? [] : [sql`(a.apply_no = upper(${keyword}) or v.mobile_tail = ${keyword} or ${nameHas(sql<string>`v.name_key`, keyword)}
      or a.receiver_user_id in (select l.user_id from live_staff l where l.school_id = ${school_id} and ${nameHas(nameKeyOf('l.user_name'), keyword)}))`]),
  ], sql` and `)
  const list = await readVisits(ctx, where, { limit: page_size, offset: (page_index - 1) * page_size })
  const counted = await sql<{ n: number }>`select count(*)::int as n from (select 1 as one from visitor_apply a join visitor v on v.school_id = ${school_id} and v.visitor_id = a.visitor_id where a.school_id = ${school_id} and ${where} limit 100001) c`.execute(db)
  return { list, total: counted.rows[0]?.n ?? 0 }
}

/** Today's visits for the board at the gate: those to come, those inside, those who have left. */
export async function boardVisits(ctx: PassCtx): Promise<{ list: VisitRow[] }> {
  const { from, to } = spanOf(ctx.now, { from: schoolDay(ctx.now), to: schoolDay(ctx.now) })
  const today = sql`(a.state = 4 or (a.state in (1, 5) and a.begin_at >= ${from}::timestamptz and a.begin_at < ${to}::timestamptz))`
  return { list: await readVisits(ctx, sql`${await visitsSeen(ctx)} and ${today}`, { limit: 300, order: sql`a.begin_at, a.apply_id` }) }
}

/** A visit that the acting identity sees. @throws Refusal 404 */
export async function requireVisit(ctx: PassCtx, apply_id: string): Promise<VisitRow> {
  const [visit] = await readVisits(ctx, sql`a.apply_id = ${apply_id} and ${await visitsSeen(ctx)}`, { limit: 1 })
  if (!visit) throw fail(commonErrors.notFound)
  return visit
}
