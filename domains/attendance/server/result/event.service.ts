import { EventRow, most_detail_days, most_term_days, resultErrors } from '@campus/attendance/contract'
import type { attendEventApi, EventQuery, Who } from '@campus/attendance/contract'
import { deptScope, inScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx } from '../db.ts'
import { markPeople } from '../recompute/dirty.ts'
import { daysOf, inDept, kind_of, named, requireFilters, teacher_code } from './scope.ts'

/** Rows that are counted one by one; beyond them a list says 10001. */
const most_counted = 10_001
/** Minutes before a lesson in which a claim may be meant for it. */
const before_min = 15
const memberships = { student: 'student_membership', teacher: 'staff_membership' } as const
const instant = z.date().transform(at => at.toISOString())
const Found = EventRow.extend({ at: instant, device_time: instant.nullable(), received_at: instant })

/** 原始打卡记录, the latest first, with what each was used for. @throws Refusal 404, 400, 422 attend.range */
export async function pageEvents(ctx: AttendanceCtx, who: Who, query: EventQuery): Promise<{ list: EventRow[]; total: number }> {
  const { db, school_id } = ctx
  const where = await whereOf(ctx, who, query)
  const page = sql`order by r.event_time desc nulls last, r.source,
    r.source_key limit ${query.page_size} offset ${(query.page_index - 1) * query.page_size}`
  const { rows } = await sql`
    with r as materialized (select r.* from attend_event r where ${where} ${page})
    select r.event_date::text || '/' || r.source || '/' || r.source_key as event_key, r.event_date::text as event_date,
      r.source::int as source, r.source_key,
      coalesce(r.event_time, r.device_time, r.received_at) as at, r.device_time, r.received_at, r.time_state::int as time_state,
      r.user_id::text as user_id, coalesce(p.display_name, '已注销人员') as user_name, u.user_no, ${deptThen(school_id, who)} as dept_name,
      r.place_id::text as place_id, w.place_name, v.device_name, r.direction::int as direction, r.identify_type::int as identify_type,
      ${matchOf(school_id)} as match, t.section::int as section, t.lesson_date::text as lesson_date,
        t.occurrence_id::text as occurrence_id, t.expect_kind::int as expect_kind
    from r
    left join attend_result t on t.school_id = ${school_id} and t.user_id = r.user_id and t.lesson_date = r.event_date
      and t.event_ref = ${refOf}
    left join person_label p on p.school_id = ${school_id} and p.user_id = r.user_id
    left join school_user_v u on u.school_id = ${school_id} and u.user_id = r.user_id
    left join place_path_v w on w.school_id = ${school_id} and w.place_id = r.place_id
    left join device_live_v v on v.school_id = ${school_id} and v.device_id = r.device_id
    order by r.event_time desc nulls last, r.source, r.source_key`.execute(db)
  const counted = await sql<{
    n: number
  }>`select count(*)::int as n from (select 1 as one from attend_event r where ${where} limit ${most_counted}) c`.execute(db)
  // A claim that serves several lessons of a chain is one row of the list.
  const list = [
    ...new Map(
      z
        .array(Found)
        .parse(rows)
        .map(row => [row.event_key, row]),
    ).values(),
  ]
  return { list, total: counted.rows[0]?.n ?? 0 }
}

const refOf = sql`r.event_date::text || '/' || r.source || '/' || r.source_key`

async function whereOf(ctx: AttendanceCtx, who: Who, query: EventQuery): Promise<RawBuilder<unknown>> {
  const { school_id, now } = ctx
  const { keyword, dept_id, classroom, identify_type, matched, clock, user_id } = query
  await requireFilters(ctx, { dept_id, classroom, user_id })
  const { from, to } = daysOf(now, query, user_id === undefined ? most_detail_days : most_term_days)
  const used = sql`exists (select 1 from attend_result t where t.school_id = ${school_id} and t.user_id = r.user_id
    and t.lesson_date = r.event_date and t.event_ref = ${refOf})`
  const where = [
    sql`r.school_id = ${school_id} and r.event_date >= ${from}::date and r.event_date <= ${to}::date and r.person_kind = ${kind_of[who]}`,
    await seenEvents(ctx, who),
  ]
  if (keyword !== undefined) where.push(named(school_id, sql`r.user_id`, keyword))
  if (dept_id !== undefined) where.push(memberThen(school_id, who, inDept(school_id, sql`m.dept_id`, dept_id)))
  if (classroom !== undefined) where.push(sql`r.place_id = ${classroom}`)
  if (identify_type !== undefined) where.push(sql`r.identify_type = ${Number(identify_type)}`)
  if (clock !== undefined) where.push(sql`r.time_state = ${Number(clock)}`)
  if (user_id !== undefined) where.push(sql`r.user_id = ${user_id}`)
  if (matched !== undefined) where.push(matched ? used : sql`not ${used}`)
  return sql.join(where, sql` and `)
}

/** Claims of pupils of one's classes and lessons; of staff with the right to it, and one's own (chapter 55 §3.21). */
async function seenEvents(ctx: AttendanceCtx, who: Who): Promise<RawBuilder<unknown>> {
  const { school_id, me } = ctx
  const own = sql`r.user_id = ${me.user_id}::bigint`
  const scope = await deptScope(ctx, who === 'student' ? 'student' : 'staff')
  if (who === 'teacher' && !me.codes.has(teacher_code)) return own
  if (scope === 'all') return sql`true`
  const mine =
    who === 'teacher'
      ? own
      : sql`r.lesson_day_id in (select l.lesson_day_id from lesson_day_v l
    where l.school_id = ${school_id} and l.date = r.event_date and ${me.user_id}::bigint = any(l.teacher_ids))`
  return sql`(${memberThen(school_id, who, inScope('m.dept_id', scope))} or ${mine})`
}

/** That the person was in such a class or department on the day of the claim. */
function memberThen(school_id: number, who: Who, of: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`exists (select 1 from ${sql.table(memberships[who])} m where m.school_id = ${school_id} and m.user_id = r.user_id
    and m.valid_from <= r.event_date and (m.valid_to is null or m.valid_to > r.event_date) and ${of})`
}

function deptThen(school_id: number, who: Who): RawBuilder<unknown> {
  return sql`(select d.dept_name from ${sql.table(memberships[who])} m join dept_now d on d.school_id = ${school_id} and d.id = m.dept_id
    where m.school_id = ${school_id} and m.user_id = r.user_id and m.valid_from <= r.event_date
      and (m.valid_to is null or m.valid_to > r.event_date) order by d.id limit 1)`
}

/** What a claim was used for, or why for nothing. */
function matchOf(school_id: number): RawBuilder<unknown> {
  const lesson = sql`from attend_result q join lesson_day_v l on l.school_id = ${school_id} and l.date = q.lesson_date
    and l.lesson_day_id = q.occurrence_id
    where q.school_id = ${school_id} and q.user_id = r.user_id and q.lesson_date = r.event_date and q.expect_kind = 1`
  const inWindow = sql`r.event_time >= l.begin_at - ${before_min}::int * interval '1 minute' and r.event_time < l.end_at`
  return sql`case
    when exists (select 1 from attend_event_void x where x.school_id = ${school_id} and x.event_date = r.event_date
      and x.source = r.source and x.source_key = r.source_key
      and x.closed_at is null) then 'voided'
    when r.event_time is null then 'clock'
    when t.user_id is not null then 'used'
    when exists (select 1 ${lesson} and ${inWindow} and l.place_id = r.place_id) then 'repeat'
    when exists (select 1 ${lesson} and ${inWindow}) then 'room'
    when exists (select 1 ${lesson}) then 'time'
    else 'none' end`
}

type EventKey = Input<typeof attendEventApi.unvoid>

/** Takes a wrong claim out of the judgement. @throws Refusal 404, 409 attend.voided */
export async function voidEvent(
  ctx: AttendanceCtx,
  { reason, ...key }: Input<typeof attendEventApi.void>,
): Promise<Reply<typeof attendEventApi.void>> {
  const { db, school_id, me, now } = ctx
  ctx.scoped()
  const user_id = await requireEvent(ctx, key)
  const made = await db
    .insertInto('attend_event_void')
    .values({ ...key, school_id, user_id, reason, by: me.user_id, at: now })
    .onConflict(on => on.columns(['school_id', 'event_date', 'source', 'source_key']).where('closed_at', 'is', null).doNothing())
    .returning('void_id')
    .executeTakeFirst()
  if (!made) throw fail(resultErrors.voided)
  await markPeople(ctx, key.event_date, [user_id], 'void')
  ctx.note({ target_kind: 'attendance.event', target_id: user_id, after: { ...key, reason } })
  return {}
}

/** Lets a voided claim count again. @throws Refusal 404 */
export async function unvoidEvent(ctx: AttendanceCtx, key: EventKey): Promise<Reply<typeof attendEventApi.unvoid>> {
  const { db, school_id, me, now } = ctx
  ctx.scoped()
  const user_id = await requireEvent(ctx, key)
  const { numUpdatedRows } = await db
    .updateTable('attend_event_void')
    .set({ closed_by: me.user_id, closed_at: now })
    .where('school_id', '=', school_id)
    .where('event_date', '=', key.event_date)
    .where('source', '=', key.source)
    .where('source_key', '=', key.source_key)
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw fail(commonErrors.notFound)
  await markPeople(ctx, key.event_date, [user_id], 'void')
  ctx.note({ target_kind: 'attendance.event', target_id: user_id, after: key })
  return {}
}

async function requireEvent({ db, school_id }: AttendanceCtx, { event_date, source, source_key }: EventKey): Promise<string> {
  const event = await db
    .selectFrom('attend_event')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where('event_date', '=', event_date)
    .where('source', '=', source)
    .where('source_key', '=', source_key)
    .executeTakeFirst()
  if (!event) throw fail(commonErrors.notFound)
  return event.user_id
}
