import type { RuleBody } from '@campus/attendance/contract'
import { addDays } from '@campus/calendar/contract'
import { asTables, refreshStatistics } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { AttendanceDb, Step } from './db.ts'
import { markUnits } from './recompute/dirty.ts'
import { allShards } from './recompute/people.ts'
import { beginDay } from './recompute/timers.ts'
import { hashOf } from './rule/rule.service.ts'

type Slot = { slot_name: string; begin_min: number; end_min: number; need_out: boolean }
type PlannedRule = { rule_name: string; person_kind: 1 | 2; kind: 'course' | 'clock'; note: string; body: RuleBody }
/** `rule`: the name of its rule; `scope`: kind and id. */
type PlannedArrange = { arrange_name: string; rule: string; scope: readonly [kind: number, id: string]; sections?: readonly [from: number, to: number]; slots?: readonly Slot[] }
type PlannedExempt = { user_id: string; reason: string; valid_to: string }
/** Attendance of a school that is made with a past: rules, where they hold, and the days on which pupils came and clocked. */
export type AttendancePlan = { semester_id: number; from: string; to: string; rules: readonly PlannedRule[]; arranges: readonly PlannedArrange[]; exempts: readonly PlannedExempt[]; days: readonly { date: string; grades: readonly string[] }[] }
type Desk = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/**
 * Writes rules, arranges and claims of past days; results come of the recompute alone, which the server begins when it runs. Who comes when
 * follows from
 * his number and the day, so that the same day is the same however often it is made.
 */
export async function createAttendance({ app, db: handle, school_id, now }: Desk, plan: AttendancePlan): Promise<void> {
  const step: Step = { app, db: asTables<AttendanceDb>(handle), school_id, now }
  const rules = await insertRules(step, plan)
  await insertArranges(step, plan, rules)
  const { db } = step
  const exempts = plan.exempts.map(({ valid_to, ...one }) => ({
    ...one, school_id, person_kind: 1, valid_from: plan.from, valid_to: addDays(valid_to, 1), created_at: now
  }))
  if (exempts.length > 0) await db.insertInto('attend_exempt').values(exempts).execute()
  // The timetable was filled a moment ago: the planner does not know yet that its tables are large.
  await refreshStatistics(db)
  for (const day of plan.days) {
    await insertClocks(step, day)
    await insertAbsences(step, day)
  }
  await markPast(step, plan)
  await beginDay(step)
}

async function insertRules(
  { db, school_id, now }: Step, { rules, from }: AttendancePlan
): Promise<ReadonlyMap<string, { rule_id: string } & PlannedRule>> {
  const made = new Map<string, { rule_id: string } & PlannedRule>()
  for (const rule of rules) {
    const { body, ...row } = rule
    const { rule_id } = await db.insertInto('attend_rule').values({ ...row, school_id, updated_at: now }).returning('rule_id')
      .executeTakeFirstOrThrow()
    await db.insertInto('attend_rule_version')
      .values({
        school_id, rule_id, version_no: 1, effective_from: from, body: JSON.stringify(body), body_hash: hashOf(body), created_at: now,
      })
      .execute()
    made.set(rule.rule_name, { rule_id, ...rule })
  }
  return made
}

async function insertArranges(
  { db, school_id, now }: Step, { arranges, semester_id, from, to }: AttendancePlan, rules: ReadonlyMap<string,
  { rule_id: string } & PlannedRule>
): Promise<void> {
  for (const { arrange_name, rule: name, scope: [scope_kind, scope_id], sections, slots = [] } of arranges) {
    const rule = rules.get(name)
    if (!rule) throw new Error(`no rule ${name} in the plan`)
    const { rule_id, person_kind, kind } = rule
    const row = {
      school_id, arrange_name, rule_id, person_kind, kind, scope_kind, scope_id, section_from: sections?.[0] ?? null,
      section_to: sections?.[1] ?? null, semester_id, valid_from: from, valid_to: addDays(to, 1), updated_at: now,
    }
    const { arrange_id } = await db.insertInto('attend_arrange').values(row).returning('arrange_id').executeTakeFirstOrThrow()
    if (slots.length > 0) await db.insertInto('attend_slot')
      .values(slots.map((slot, at) => ({ ...slot, school_id, arrange_id, slot_no: at + 1 }))).execute()
  }
}

type Day = AttendancePlan['days'][number]

/** Half days of pupils with their first lesson, and a number that decides who comes: `h` in a thousand. */
function halfDays(school_id: number, { date, grades }: Day) {
  return sql`(
    select s.user_id, case when extract(hour from d.begin_at at time zone 'Asia/Shanghai') < 12 then 'am' else 'pm' end as half,
      min(d.begin_at) as begin_at, min(d.place_id) as place_id,
      (hashtextextended(s.user_id || ${date} || case when extract(hour from min(d.begin_at) at time zone 'Asia/Shanghai') < 12 then 'am'
        else 'pm' end, 55) & 2147483647) % 1000 as h
    from lesson_student_v s
    join lesson_day_v d on d.school_id = ${school_id} and d.date = ${date}::date and d.lesson_day_id = s.lesson_day_id
    join dept_on_date v on v.school_id = ${school_id} and v.id = d.dept_id and v.valid_from <= ${date}::date and (v.valid_to is null
      or v.valid_to > ${date}::date) and v.grade = any(${[...grades]}::text[])
    where s.school_id = ${school_id} and s.date = ${date}::date
    group by s.user_id, case when extract(hour from d.begin_at at time zone 'Asia/Shanghai') < 12 then 'am' else 'pm' end)`
}

/** Of a thousand so many clock, and of these so many late: the board of the class room sees them before the first lesson. */
async function insertClocks({ db, school_id, now }: Step, day: Day): Promise<void> {
  const [come, late] = [975, 30]
  await sql`
    insert into attend_event (school_id, event_date, source, source_key, user_id, person_kind, event_time, device_time, received_at,
      time_state, place_id, direction, identify_type, claim)
    select ${school_id}::int, ${day.date}::date, 1, 'past/' || x.user_id || '/' || x.half, x.user_id, 1, x.at, x.at,
      x.at + interval '2 seconds', 0, x.place_id, 1, 5, 'seen'
    from (select p.*, p.begin_at + (case when p.h < ${late}::int then 1 + p.h % 11
      else -2 - p.h % 12 end) * interval '1 minute' + (p.h % 60) * interval '1 second' as at from ${halfDays(school_id, day)} p
      where p.h < ${come}::int) x
    where x.at < ${now}::timestamptz
    on conflict do nothing`.execute(db)
}

/** Who did not clock is called by his teachers, who mark most of them absent; the rest waits to be verified. */
async function insertAbsences({ db, school_id, now }: Step, day: Day): Promise<void> {
  const [come, marked] = [975, 996]
  await sql`
    insert into attend_event (school_id, event_date, source, source_key, user_id, person_kind, event_time, received_at, time_state,
      place_id, direction, identify_type, claim, lesson_day_id, by)
    select ${school_id}::int, ${day.date}::date, 2, d.lesson_day_id || '/1/' || p.user_id, p.user_id, 1, d.begin_at + interval '5 minutes',
      d.begin_at + interval '5 minutes', 0, d.place_id, 0, 4, 'absent', d.lesson_day_id, d.teacher_ids[1]
    from ${halfDays(school_id, day)} p
    join lesson_student_v s on s.school_id = ${school_id} and s.date = ${day.date}::date and s.user_id = p.user_id
    join lesson_day_v d on d.school_id = ${school_id} and d.date = ${day.date}::date and d.lesson_day_id = s.lesson_day_id
      and (extract(hour from d.begin_at at time zone 'Asia/Shanghai') < 12) = (p.half = 'am')
    where p.h >= ${come}::int and p.h < ${marked}::int and d.begin_at + interval '5 minutes' < ${now}::timestamptz
    on conflict do nothing`.execute(db)
}

async function markPast(step: Step, { days }: AttendancePlan): Promise<void> {
  const { db, school_id } = step
  for (const { date, grades } of days) {
    const shards = new Set(await allShards(db, school_id, date))
    const of_grades = await db.selectFrom('dept_on_date').select('id').where('school_id', '=', school_id).where('dept_type', '=', 3)
      .where('grade', 'in', [...grades, '']).where('valid_from', '<=', date)
      .where(eb => eb.or([eb('valid_to', 'is', null), eb('valid_to', '>', date)])).execute()
    await markUnits(step, of_grades.filter(one => shards.has(one.id)).map(one => ({ date, shard: one.id })), 'engine')
  }
}
