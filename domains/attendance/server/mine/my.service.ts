import { attend_states as states } from '@campus/attendance/contract'
import type { MyRow, myAttendApi } from '@campus/attendance/contract'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { AttendanceCtx } from '../db.ts'
import { dayEvidence } from '../recompute/evidence.ts'
import { correctionWindows } from '../rule/setting.service.ts'

const [pupil, staff] = [1, 2] as const
const appealable: readonly number[] = [states.late, states.early, states.absent, states.unverified]

/** Myself where I am a pupil or of the staff, and my children. */
export async function mySubjects(ctx: AttendanceCtx): Promise<Reply<typeof myAttendApi.subjects>> {
  const { db, school_id, me } = ctx
  const ids = await selfScope(ctx)
  const { rows } = await sql<Reply<typeof myAttendApi.subjects>['list'][number]>`
    select x.user_id, x.user_name, x.dept_name, x.person_kind from (
      select s.user_id::text as user_id, s.user_name, s.dept_name, ${pupil}::int as person_kind from live_student s
        where s.school_id = ${school_id} and s.user_id = any(${ids}::bigint[])
      union all
      select l.user_id::text, l.display_name, l.last_dept_name, ${staff}::int from person_label l
        where l.school_id = ${school_id} and l.user_id = ${me.user_id} and l.person_kind in (2, 6, 7)) x
    order by x.person_kind desc, x.user_id`.execute(db)
  return { list: rows }
}

/** The days of a month that have results, in order. @throws Refusal 404 for somebody who is none of mine */
export async function myMonth(
  ctx: AttendanceCtx,
  { user_id, month }: Input<typeof myAttendApi.month>,
): Promise<Reply<typeof myAttendApi.month>> {
  const { db, school_id } = ctx
  await requireMine(ctx, user_id)
  const among = (codes: readonly number[]) => sql`(count(*) filter (where r.state = any(${[...codes]}::int[])))::int`
  const { rows } = await sql<Reply<typeof myAttendApi.month>['list'][number]>`
    select r.lesson_date::text as date, count(*)::int as expected,
      ${among([states.present, states.late, states.early, states.made_up, states.outside])} as present, ${among([states.late])} as late,
      ${among([states.absent])} as absent, ${among([states.leave])} as leave, ${among([states.unverified])} as unverified
    from attend_result r where r.school_id = ${school_id} and r.user_id = ${user_id} and r.lesson_date >= ${`${month}-01`}::date
      and r.lesson_date < ${`${month}-01`}::date + interval '1 month' group by r.lesson_date order by r.lesson_date`.execute(db)
  return { list: rows }
}

type Found = Omit<MyRow, 'title' | 'begin' | 'end' | 'sentence' | 'in_at' | 'may_appeal' | 'appeal'> & {
  section: number
  begin_at: Date
  end_at: Date
  in_at: Date | null
  asked_at: Date | null
  to_state: number | null
  asked_state: number | null
  opinion: string | null
}

/** A day of mine or of my child, with why each row says what it says. @throws Refusal 404 for somebody who is none of mine */
export async function myDay(ctx: AttendanceCtx, { user_id, date }: Input<typeof myAttendApi.day>): Promise<Reply<typeof myAttendApi.day>> {
  const { db, school_id, now } = ctx
  await requireMine(ctx, user_id)
  const { rows } = await sql<Found>`
    select r.lesson_date::text as lesson_date, r.expect_kind::int as expect_kind, r.occurrence_id::text as occurrence_id,
      r.user_id::text as user_id, r.section::int as section, r.state::int as state, r.late_min::int as late_min,
      r.early_min::int as early_min, r.in_at, r.provisional, w.place_name,
      coalesce(l.begin_at, r.lesson_date::timestamp at time zone 'Asia/Shanghai') as begin_at,
      coalesce(l.end_at, (r.lesson_date + 1)::timestamp at time zone 'Asia/Shanghai') as end_at,
      c.asked_at, c.to_state::int as to_state, c.state::int as asked_state, c.opinion
    from attend_result r
    left join lesson_day_v l on l.school_id = ${school_id} and l.date = r.lesson_date
      and l.lesson_day_id = case when r.expect_kind = 1 then r.occurrence_id end
    left join place_path_v w on w.school_id = ${school_id} and w.place_id = r.place_id
    left join (select distinct on (a.expect_kind, a.occurrence_id) a.* from attend_correction a where a.school_id = ${school_id}
        and a.lesson_date = ${date}::date and a.user_id = ${user_id} and a.state <> 3
        order by a.expect_kind, a.occurrence_id, a.correction_id desc) c
      on c.expect_kind = r.expect_kind and c.occurrence_id = r.occurrence_id
    where r.school_id = ${school_id} and r.user_id = ${user_id} and r.lesson_date = ${date}::date`.execute(db)
  const known = await dayEvidence(db, school_id, { date, user_id }, now)
  const { head: window_ms } = await correctionWindows(db, school_id)
  const list = rows.map(({ section, begin_at, end_at, in_at, asked_at, to_state, asked_state, opinion, ...row }): MyRow => {
    const one = known.get(`${row.expect_kind}/${row.occurrence_id}`)
    const [begin, end] = one ? [new Date(one.expected.begin), new Date(one.expected.end)] : [begin_at, end_at]
    const is_live = asked_state === 0 || asked_state === 1
    const is_in_time = now >= begin && now.getTime() - end.getTime() <= window_ms
    return {
      ...row,
      title: one?.expected.title ?? `第${section}节`,
      begin: begin.toISOString(),
      end: end.toISOString(),
      in_at: in_at?.toISOString() ?? null,
      sentence: one?.verdict.sentence ?? '',
      may_appeal: appealable.includes(row.state) && is_in_time && !is_live,
      appeal: asked_at === null ? null : { to_state: to_state ?? 0, state: asked_state ?? 0, asked_at: asked_at.toISOString(), opinion },
    }
  })
  return { list: list.toSorted((a, b) => (a.begin < b.begin ? -1 : a.begin > b.begin ? 1 : a.expect_kind - b.expect_kind)) }
}

async function requireMine(ctx: AttendanceCtx, user_id: string): Promise<void> {
  if (!(await selfScope(ctx)).includes(user_id)) throw fail(commonErrors.notFound)
}
