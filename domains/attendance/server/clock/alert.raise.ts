import { attend_states as states } from '@campus/attendance/contract'
import { insertReturning } from '@kit/server/db'
import { sql } from 'kysely'
import type { Step } from '../db.ts'
import { markUnits } from '../recompute/dirty.ts'
import { readSetting } from '../rule/setting.service.ts'

const week_days = 7
/** Two people at one reader so close together, so often a week, may be one person with two cards (chapter 55 §3.6). */
const [twin_seconds, twin_times] = [2, 3] as const

/** 连续缺勤: pupils of a settled unit who were absent all day on each of the last days that were judged. */
export async function raiseConsecutive({ db, school_id, now }: Step, date: string, shard: string): Promise<void> {
  const { consecutive_absent: most } = await readSetting(db, school_id)
  const { rows: days } = await sql<{ lesson_date: string }>`
    select u.lesson_date::text as lesson_date from attend_unit u where u.school_id = ${school_id} and u.shard = ${shard}
      and u.lesson_date <= ${date}::date and u.expected > 0 order by u.lesson_date desc limit ${most}`.execute(db)
  const first = days.at(-1)?.lesson_date
  if (days.length < most || first === undefined) return
  const { rows } = await sql<{ user_id: string; dept_id: string | null }>`
    select r.user_id::text as user_id, max(r.dept_id)::text as dept_id from attend_result r
    where r.school_id = ${school_id} and r.person_kind = 1 and r.lesson_date >= ${first}::date and r.lesson_date <= ${date}::date
    group by r.user_id
    having count(*) = count(*) filter (where r.state = ${states.absent}) and count(distinct r.lesson_date) = ${most}`.execute(db)
  const alerts = rows.map(row => ({
    ...row,
    school_id,
    kind: 'consecutive',
    alert_date: date,
    text: `连续${most}个上课日缺勤（${first}起）`,
    raised_at: now,
  }))
  await insertReturning(db, 'attend_alert', alerts, 'alert_id', {})
}

/** 疑似代打卡: the same two people one behind the other at one reader, several times in the week before a date. */
export async function raiseTwins({ db, school_id, now }: Step, date: string): Promise<void> {
  const { rows } = await sql<{ user_id: string; other_name: string; n: number; dept_id: string | null }>`
    with seen as (
      select e.device_id, e.user_id, e.event_time, lag(e.user_id) over w as before_id,
        lag(e.event_time) over w as before_at
      from attend_event e
      where e.school_id = ${school_id} and e.event_date >= ${date}::date - ${week_days}::int and e.event_date < ${date}::date
        and e.source = 1 and e.device_id is not null and e.event_time is not null and e.person_kind = 1
      window w as (partition by e.device_id order by e.event_time, e.user_id)),
    pairs as (
      select least(s.user_id, s.before_id) as user_id, greatest(s.user_id, s.before_id) as other_id, count(*)::int as n from seen s
      where s.before_id <> s.user_id and s.event_time - s.before_at <= ${twin_seconds}::int * interval '1 second'
      group by 1, 2 having count(*) >= ${twin_times}::int)
    select p.user_id::text as user_id, coalesce(o.display_name, '') as other_name, p.n, s.dept_id::text as dept_id from pairs p
    join live_student s on s.school_id = ${school_id} and s.user_id = p.user_id
    left join person_label o on o.school_id = ${school_id} and o.user_id = p.other_id order by p.user_id, p.n desc`.execute(db)
  const once = new Map(rows.toReversed().map(row => [row.user_id, row]))
  const alerts = [...once.values()].map(({ user_id, dept_id, other_name, n }) => ({
    school_id,
    kind: 'proxy_suspect',
    alert_date: date,
    user_id,
    dept_id,
    text: `一周内与${other_name}${n}次在同一设备先后2秒内打卡`,
    raised_at: now,
  }))
  await insertReturning(db, 'attend_alert', alerts, 'alert_id', {})
}

/** 考勤未结算: units of earlier days that are past the time in which a day settles and still hold 待核实, once each; they are judged once more. */
export async function raiseStuck(step: Step, date: string): Promise<void> {
  const { db, school_id, now } = step
  const { settle_hours } = await readSetting(db, school_id)
  const days = Math.ceil(settle_hours / 24) + 1
  const { rows } = await sql<{ lesson_date: string; shard: string; unverified: number }>`
    select u.lesson_date::text as lesson_date, u.shard::text as shard, u.counts[10]::int as unverified from attend_unit u
    where u.school_id = ${school_id} and u.lesson_date < ${date}::date - ${days}::int and u.lesson_date >= ${date}::date - 40
      and (u.dirty or u.state in ('open', 'provisional') or u.counts[10] > 0) and not exists (
        select 1 from attend_alert a where a.school_id = ${school_id} and a.kind = 'unit_stuck' and a.alert_date = u.lesson_date
          and a.dept_id = u.shard)
    order by u.lesson_date, u.shard`.execute(db)
  const alerts = rows.map(({ lesson_date, shard, unverified }) => ({
    school_id,
    kind: 'unit_stuck',
    alert_date: lesson_date,
    dept_id: shard,
    text: `${lesson_date}的考勤超过结算期限，还有${unverified}条待核实，请由任课教师批量补录或人工核实`,
    raised_at: now,
  }))
  await insertReturning(db, 'attend_alert', alerts, 'alert_id', {})
  await markUnits(
    step,
    rows.map(({ lesson_date, shard }) => ({ date: lesson_date, shard })),
    'autochange',
  )
}
