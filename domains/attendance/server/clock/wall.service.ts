import { attend_states as states, Seat, Tile } from '@campus/attendance/contract'
import type { clockApi, SlotTab } from '@campus/attendance/contract'
import { deptScope, inScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { AttendanceCtx } from '../db.ts'

type Of = { date: string; slot: string | null }
const class_type = 4
const [lesson, clock] = ['l', 'c'] as const

/** The tabs of a day: its lessons by section, then the clock slots; what runs now is marked. */
export async function daySlots(ctx: AttendanceCtx, asked: Input<typeof clockApi.now>): Promise<Reply<typeof clockApi.now>> {
  ctx.scoped()
  const date = asked.date ?? schoolDay(ctx.now)
  return { date, slots: await slotsOf(ctx, date) }
}

async function slotsOf({ db, school_id, now }: AttendanceCtx, date: string): Promise<SlotTab[]> {
  const { rows } = await sql<{ key: string; name: string; begin: string; end: string; is_now: boolean; at: number }>`
    select x.key, x.name, to_char(x.begin_at at time zone 'Asia/Shanghai', 'HH24:MI') as begin,
      to_char(x.end_at at time zone 'Asia/Shanghai', 'HH24:MI') as end, x.begin_at <= ${now} and x.end_at > ${now} as is_now
    from (
      select 'l' || d.section as key, '第' || d.section || '节' as name, min(d.begin_at) as begin_at, max(d.end_at) as end_at
        from lesson_day_v d
      where d.school_id = ${school_id} and d.date = ${date}::date and d.state not in (4, 5) group by d.section
      union all
      select 'c' || s.slot_id, s.slot_name, (${date}::date + s.begin_min * interval '1 minute') at time zone 'Asia/Shanghai',
        (${date}::date + (case when s.end_min > s.begin_min then s.end_min
          else s.end_min + 1440 end) * interval '1 minute') at time zone 'Asia/Shanghai'
      from attend_slot s join attend_arrange a on a.school_id = ${school_id} and a.arrange_id = s.arrange_id and a.enabled
        and a.person_kind = 1 and a.valid_from <= ${date}::date and a.valid_to > ${date}::date
      where s.school_id = ${school_id} and s.live) x
    order by x.begin_at, x.key`.execute(db)
  return rows.map(({ key, name, begin, end, is_now }) => ({ key, name, begin, end, is_now }))
}

/** What is looked at: the slot that is asked for, what runs now, the last that ended, or the first of the day. */
async function lookedAt(ctx: AttendanceCtx, asked: { date?: string | undefined; slot?: string | undefined }): Promise<Of> {
  const date = asked.date ?? schoolDay(ctx.now)
  if (asked.slot !== undefined) return { date, slot: asked.slot }
  const slots = await slotsOf(ctx, date)
  const clock_now = new Date(ctx.now.getTime() + 8 * 3_600_000).toISOString().slice(11, 16)
  const running = slots.find(one => one.is_now) ?? (date === schoolDay(ctx.now) ? slots.findLast(one => one.begin <= clock_now) : undefined) ?? slots[0]
  return { date, slot: running?.key ?? null }
}

function ofSlot({ slot }: Of): RawBuilder<boolean> {
  const number = slot?.slice(1) ?? '0'
  if (slot?.startsWith(clock) === true) return sql<boolean>`r.expect_kind = 2 and r.occurrence_id = ${number}`
  if (slot?.startsWith(lesson) === true) return sql<boolean>`r.expect_kind = 1 and r.section = ${Number(number) % 100}`
  return sql<boolean>`false`
}

/** One tile a class the acting identity may see. */
export async function wallTiles(ctx: AttendanceCtx, asked: Input<typeof clockApi.page>): Promise<Reply<typeof clockApi.page>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  const of = await lookedAt(ctx, asked)
  const among = (codes: readonly number[]) => sql`(count(*) filter (where r.state = any(${[...codes]}::int[])))::int`
  const { rows } = await sql`
    select d.id::text as dept_id, d.dept_name, coalesce(d.pname, '') as grade_name, coalesce(x.expected, 0) as expected, coalesce(x.present,
      0) as present, coalesce(x.late, 0) as late, coalesce(x.absent, 0) as absent,
      coalesce(x.leave, 0) as leave, coalesce(x.waiting, 0) as waiting, coalesce(x.unverified, 0) as unverified, coalesce(m.n,
        0) as missing, coalesce(x.unverified, 0) > 0 as has_outage, x.lesson_day_id, coalesce(x.title, '') as title
    from dept_now d
    left join (
      select r.dept_id, count(*)::int as expected, ${among([states.present, states.late, states.early, states.made_up, states.outside])} as present, ${among([states.late])} as late, ${among([states.absent])} as absent,
        ${among([states.leave])} as leave, ${among([states.early_to_say])} as waiting, ${among([states.unverified])} as unverified,
        case when count(distinct r.occurrence_id) = 1 and min(r.expect_kind) = 1 then min(r.occurrence_id)::text end as lesson_day_id, case
          when count(distinct r.subject) = 1 then min(i.name) end as title
      from attend_result r left join dictionary_v i on i.school_id = ${school_id} and i.sc_code_type = 'SUBJECT'
        and i.sc_code_item = r.subject
      where r.school_id = ${school_id} and r.lesson_date = ${of.date}::date and r.person_kind = 1 and ${ofSlot(of)} group by r.dept_id) x
        on x.dept_id = d.id
    left join (select a.dept_id, count(*)::int as n from attend_alert a where a.school_id = ${school_id}
      and a.alert_date = ${of.date}::date and a.closed_at is null and a.kind = 'missing_in_school' group by a.dept_id) m on m.dept_id = d.id
    where d.school_id = ${school_id} and d.dept_type = ${class_type} and d.tree = 'student' and ${inScope('d.id', scope)}
    order by d.grade nulls last, d.class_no nulls last, d.id`.execute(db)
  return { ...of, list: z.array(Tile).parse(rows) }
}

/** Pupils of a class in the slot. @throws Refusal 404 */
export async function classSeats(
  ctx: AttendanceCtx, { dept_id, ...asked }: Input<typeof clockApi.ofClass>,
): Promise<Reply<typeof clockApi.ofClass>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  const dept = await db.selectFrom('dept_now').select('dept_name').where('school_id', '=', school_id).where('id', '=', dept_id)
    .executeTakeFirst()
  if (!dept || (scope !== 'all' && !scope.includes(dept_id))) throw fail(commonErrors.notFound)
  const of = await lookedAt(ctx, asked)
  const { rows } = await sql<{ occurrence_id: string; expect_kind: number }>`
    select r.user_id::text as user_id, l.display_name as user_name, r.state::int as state, r.late_min::int as late_min, r.in_at,
      r.identify_type::int as identify_type, r.flags::int as flags, r.provisional,
      r.occurrence_id::text as occurrence_id, r.expect_kind::int as expect_kind
    from attend_result r join person_label l on l.school_id = ${school_id} and l.user_id = r.user_id
    where r.school_id = ${school_id} and r.lesson_date = ${of.date}::date and r.person_kind = 1 and r.dept_id = ${dept_id} and ${ofSlot(of)}
    order by case r.state when 4 then 0 when 10 then 1 when 2 then 2 when 6 then 3 else 4 end, l.display_name, r.user_id`.execute(db)
  const lessons = new Set(rows.filter(row => row.expect_kind === 1).map(row => row.occurrence_id))
  const list = z.array(Seat.extend({ in_at: z.date().nullable().transform(at => at?.toISOString() ?? null) })).parse(rows)
  return { dept_name: dept.dept_name, lesson_day_id: lessons.size === 1 ? ([...lessons][0] ?? null) : null, list }
}
