import { sql } from 'kysely'
import type { Work } from './db.ts'

const [often, no_exit, no_entry, is_often, came_late, by_hand] = [2, 1, 2, 4, 8, 16] as const

type Passed = { event_date: string; subject_kind: number; subject_id: string | null; event_time: Date | null }

/**
 * Computes the days of these people anew from all their passes (chapter 35 §1.4): the same for passes that came at once, late or twice. Only doors of the perimeter count as in and
 * out; minutes inside lie between an entry and the next exit.
 */
export async function computeDays({ db, school_id, now }: Work, passes: readonly Passed[]): Promise<void> {
  const days = new Map<string, { date: string; subject_kind: number; subject_id: string }>()
  for (const { subject_kind, subject_id, event_time } of passes) {
    if (subject_id === null || event_time === null) continue
    const date = new Date(event_time.getTime() + 8 * 3_600_000).toISOString().slice(0, 10)
    days.set(`${date}/${subject_kind}/${subject_id}`, { date, subject_kind, subject_id })
  }
  if (days.size === 0) return
  const dates = [...days.values()].map(day => day.date).toSorted()
  await sql`
    with day as (select d.date, d.subject_kind, d.subject_id from jsonb_to_recordset(${JSON.stringify([...days.values()])}::jsonb) d(date date, subject_kind smallint, subject_id bigint)),
    pass as (
      select d.date, d.subject_kind, d.subject_id, p.event_time, p.dept_id, p.direction, p.is_late, p.source, p.result = 1 as ok, p.result = 1 and p.is_perimeter and not p.is_repeat as counts,
        lead(p.event_time) over w as next_at, lead(p.direction) over w as next_direction
      from day d join access_pass p on p.school_id = ${school_id} and p.subject_kind = d.subject_kind and p.subject_id = d.subject_id
        and p.event_date between ${dates[0]}::date - 2 and ${dates.at(-1)}::date + 2
        and p.event_time >= d.date::timestamp at time zone 'Asia/Shanghai' and p.event_time < (d.date + 1)::timestamp at time zone 'Asia/Shanghai'
      window w as (partition by d.date, d.subject_kind, d.subject_id, p.result = 1 and p.is_perimeter and not p.is_repeat order by p.event_time, p.device_id, p.device_seq)),
    figure as (
      select date, subject_kind, subject_id, (array_agg(dept_id order by event_time))[1] as dept_id,
        min(event_time) filter (where counts and direction = 1) as first_in, max(event_time) filter (where counts and direction = 2) as last_out,
        count(*) filter (where counts and direction = 1)::int as in_count, count(*) filter (where counts and direction = 2)::int as out_count, count(*) filter (where not ok)::int as denied_count,
        (sum(extract(epoch from next_at - event_time)) filter (where counts and direction = 1 and next_direction = 2) / 60)::int as minutes_inside,
        (array_agg(direction order by event_time desc) filter (where counts))[1] as last_way, (array_agg(direction order by event_time) filter (where counts))[1] as first_way,
        bool_or(is_late) as is_late, bool_or(source = 3) as by_hand
      from pass group by date, subject_kind, subject_id)
    insert into access_user_day (school_id, date, subject_kind, subject_id, dept_id, first_in, last_out, in_count, out_count, denied_count, minutes_inside, flags, computed_at)
    select ${school_id}::int, date, subject_kind, subject_id, dept_id, first_in, last_out, in_count, out_count, denied_count, minutes_inside,
      (case when last_way = 1 then ${no_exit}::int else 0 end) + (case when first_way = 2 then ${no_entry}::int else 0 end)
        + (case when in_count > ${often}::int or out_count > ${often}::int then ${is_often}::int else 0 end)
        + (case when is_late then ${came_late}::int else 0 end) + (case when by_hand then ${by_hand}::int else 0 end),
      ${now}::timestamptz
    from figure
    on conflict (school_id, date, subject_kind, subject_id) do update set dept_id = excluded.dept_id, first_in = excluded.first_in, last_out = excluded.last_out, in_count = excluded.in_count,
      out_count = excluded.out_count, denied_count = excluded.denied_count, minutes_inside = excluded.minutes_inside, flags = excluded.flags, computed_at = excluded.computed_at`.execute(db)
}
