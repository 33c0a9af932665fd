import type { ReadStep } from '@campus/jobs/server'
import { inScope, visibleDepts } from '@campus/people/server'
import { sql } from 'kysely'
import type { AttendanceDb } from '../db.ts'
import { zone_ms } from '../judge/window.ts'
import { teacher_code } from '../result/scope.ts'
import { correctionWindows } from '../rule/setting.service.ts'

type Person = { user_id: string; user_name: string }
/** A result that a line would correct; `corrected`: who has done so already, and when. */
export type Fix = { occurrence_id: string; state: number; late_min: number; begin_at: Date; end_at: Date; corrected: string | null }
export type Snapshot = {
  /** by number of pupil or staff */
  people: ReadonlyMap<string, Person>
  /** by `day section user_id` */
  fixes: ReadonlyMap<string, Fix>
  /** months that are sealed */
  sealed: ReadonlySet<string>
  now: Date
  /** results that ended before may not be corrected any more */
  since: Date
  me: string
}
type Asked = { day: string; section: number; no: string }
type Step = Pick<ReadStep<AttendanceDb>, 'db' | 'school_id' | 'me' | 'now'>

/** What the lines of a sheet of corrections are judged by: results of people whom the importer sees. */
export async function readFixes(step: Step, asked: readonly Asked[]): Promise<Snapshot> {
  const { db, school_id, me, now } = step
  const people = await readPeople(step, [...new Set(asked.map(one => one.no))])
  const wanted = asked.flatMap(({ day, section, no }) => {
    const found = people.get(no)
    return found ? [{ day, section, user_id: found.user_id }] : []
  })
  const sealed = await db.selectFrom('attend_seal').select('month').where('school_id', '=', school_id).where('state', '=',
    'sealed').execute()
  const windows = await correctionWindows(db, school_id)
  return {
    people, fixes: await readResults(step, wanted), sealed: new Set(sealed.map(row => row.month)), now,
      since: new Date(now.getTime() - windows.office),
    me: me.user_id,
  }
}

async function readPeople(step: Step, numbers: readonly string[]): Promise<Map<string, Person>> {
  const { db, school_id, me } = step
  const pupils = await visibleDepts(step, 'student')
  const staff = await visibleDepts(step, 'staff')
  const { rows } = await sql<Person & { no: string }>`
    select s.user_id::text as user_id, s.user_name, s.student_no as no from live_student s
    where s.school_id = ${school_id} and s.student_no = any(${[...numbers]}::text[]) and ${inScope('s.dept_id', pupils)}
    union all
    select t.user_id::text as user_id, t.user_name, t.teacher_no as no from live_staff t
    where t.school_id = ${school_id} and t.teacher_no = any(${[...numbers]}::text[]) and ${me.codes.has(teacher_code)}::boolean
      and ${inScope('t.primary_dept_id', staff)}`.execute(db)
  return new Map(rows.map(({ no, ...person }) => [no, person]))
}

type Row = Omit<Fix, 'corrected'> & { day: string; section: number; user_id: string; by_name: string | null; asked_at: Date | null }

async function readResults({ db, school_id }: Step,
  wanted: readonly { day: string; section: number; user_id: string }[]): Promise<Map<string, Fix>> {
  if (wanted.length === 0) return new Map()
  const days = wanted.map(one => one.day).toSorted()
  const { rows } = await sql<Row>`
    select k.day::text as day, k.section::int as section, k.user_id::text as user_id, r.occurrence_id::text as occurrence_id,
      r.state::int as state,
      r.late_min::int as late_min, l.begin_at, l.end_at, p.display_name as by_name, c.asked_at
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) k(day date, section smallint, user_id bigint)
    join attend_result r on r.school_id = ${school_id} and r.lesson_date between ${days[0]}::date and ${days.at(-1)}::date
      and r.lesson_date = k.day and r.user_id = k.user_id and r.section = k.section and r.expect_kind = 1
    join lesson_day_v l on l.school_id = ${school_id} and l.date = k.day and l.lesson_day_id = r.occurrence_id
    left join attend_correction c on c.school_id = ${school_id} and c.lesson_date = r.lesson_date and c.expect_kind = r.expect_kind
      and c.occurrence_id = r.occurrence_id and c.user_id = r.user_id and c.state in (0, 1)
    left join person_label p on p.school_id = ${school_id} and p.user_id = c.asked_by`.execute(db)
  const minute = (at: Date) => new Date(at.getTime() + zone_ms).toISOString().slice(0, 16).replace('T', ' ')
  return new Map(rows.map(({ day, section, user_id, by_name, asked_at, ...fix }) => [
    `${day} ${section} ${user_id}`, { ...fix, corrected: asked_at === null ? null : `${by_name ?? ''} ${minute(asked_at)}` },
  ]))
}
