import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { dayEnd, dayStart, staff_shard } from './group.ts'
import type { Group } from './group.ts'
import type { Member } from './people.ts'

/** Who should be where: one person and one lesson or clock slot of a date. */
export type Expected = {
  user_id: string
  expect_kind: number
  occurrence_id: string
  person_kind: number
  section: number
  title: string
  begin: number
  end: number
  subject: string | null
  course_id: string | null
  class_id: string | null
  place_id: string | null
  dept_id: string
  grade_dept_id: string | null
  stage: string | null
  role: number | null
  /** clock slots come from their arrange */
  arrange_id: string | null
  need_out: boolean
}
type Lesson = { lesson_day_id: string; section: number; begin_at: Date; end_at: Date; subject: string; course_id: string; class_id: string; place_id: string | null; course_name: string }
export type Slot = { slot_id: string; arrange_id: string; slot_no: number; slot_name: string; begin_min: number; end_min: number; day_kinds: number[]; need_out: boolean; scope_kind: number; scope_id: string; person_kind: number }

const [lesson_kind, clock_kind, exam_kind, student, staff] = [1, 2, 3, 1, 2] as const
const [lead, assistant, laboratory, cover] = [1, 2, 3, 4]
const [minute_ms, day_min] = [60_000, 1440] as const

/** Lessons of the people of a group: as pupils of them, or as those who give them (a covered teacher is not expected, chapter 55 §3.1). */
export async function readLessons(db: Db, school_id: number, { date, shard }: Group, members: readonly Member[]): Promise<Expected[]> {
  const user_ids = members.map(member => member.user_id)
  if (user_ids.length === 0) return []
  const pairs = shard === staff_shard
    ? sql<{ lesson_day_id: string; user_id: string; role: number | null }>`
      select s.lesson_day_id::text as lesson_day_id, s.user_id::text as user_id, min(s.role)::int as role from lesson_day_teacher_v s
      where s.school_id = ${school_id} and s.date = ${date}::date and s.user_id = any(${user_ids}::bigint[])
        and s.role = any(${[lead, assistant, laboratory, cover]}::int[]) group by s.lesson_day_id, s.user_id`
    : sql<{ lesson_day_id: string; user_id: string; role: number | null }>`
      select s.lesson_day_id::text as lesson_day_id, s.user_id::text as user_id, null::int as role from lesson_student_v s
      where s.school_id = ${school_id} and s.date = ${date}::date and s.user_id = any(${user_ids}::bigint[])`
  const lessons = new Map((await lessonsOn(db, school_id, date)).map(one => [one.lesson_day_id, one]))
  const by_user = new Map(members.map(member => [member.user_id, member]))
  return (await pairs.execute(db)).rows.flatMap(({ lesson_day_id, user_id, role }): Expected[] => {
    const [lesson, member] = [lessons.get(lesson_day_id), by_user.get(user_id)]
    if (!lesson || !member) return []
    const { section, subject, course_id, class_id, place_id, course_name, begin_at, end_at } = lesson
    const { dept_id, grade_dept_id, stage } = member
    return [{
      user_id, expect_kind: lesson_kind, occurrence_id: lesson_day_id, person_kind: shard === staff_shard
        ? staff
        : student, section, title: `第${section}节 ${course_name}`, begin: begin_at.getTime(), end: end_at.getTime(),
      subject, course_id, class_id, place_id, dept_id, grade_dept_id, stage, role, arrange_id: null, need_out: false,
    }]
  })
}

async function lessonsOn(db: Db, school_id: number, date: string): Promise<Lesson[]> {
  const { rows } = await sql<Lesson>`
    select d.lesson_day_id::text as lesson_day_id, d.section::int as section, d.begin_at, d.end_at, d.subject,
      d.course_id::text as course_id, d.class_id::text as class_id, d.place_id::text as place_id,
      coalesce((select i.name from dictionary_v i where i.school_id = ${school_id} and i.sc_code_type = 'SUBJECT'
        and i.sc_code_item = d.subject limit 1), '课程') as course_name
    from lesson_day_v d where d.school_id = ${school_id} and d.date = ${date}::date and d.state not in (4, 5)`.execute(db)
  return rows
}

/**
 * Exam sittings of the pupils of a group, each at the seat's own time and room; of staff the sessions that they watch (chapter 55 §3.1).
 */
export async function readSittings(db: Db, school_id: number, { date, shard }: Group, members: readonly Member[]): Promise<Expected[]> {
  const user_ids = members.map(member => member.user_id)
  if (user_ids.length === 0) return []
  const is_staff = shard === staff_shard
  const view = is_staff ? sql`exam_duty_v` : sql`exam_expect_v`
  const { rows } = await sql<{ session_id: string; user_id: string; place_id: string; begin_at: Date; end_at: Date; name: string }>`
    select x.session_id::text as session_id, x.user_id::text as user_id, x.place_id::text as place_id, x.begin_at, x.end_at,
      ${is_staff ? '监考 ' : ''} || s.exam_name || ' ' || s.session_name as name
    from ${view} x join exam_session_v s on s.school_id = ${school_id} and s.session_id = x.session_id
    where x.school_id = ${school_id} and x.begin_at >= ${dayStart(date)} and x.begin_at < ${dayEnd(date)}
      and x.user_id = any(${user_ids}::bigint[]) order by x.session_id, x.user_id`.execute(db)
  const by_user = new Map(members.map(member => [member.user_id, member]))
  return rows.flatMap(({ session_id, user_id, place_id, begin_at, end_at, name }): Expected[] => {
    const member = by_user.get(user_id)
    if (!member) return []
    const { dept_id, grade_dept_id, stage } = member
    return [{
      user_id, expect_kind: exam_kind, occurrence_id: session_id, person_kind: is_staff ? staff : student, section: 0, title: name,
      begin: begin_at.getTime(), end: end_at.getTime(), subject: null, course_id: null, class_id: null, place_id, dept_id, grade_dept_id,
      stage, role: null, arrange_id: null, need_out: false,
    }]
  })
}

/** Lessons and slots that lie over somebody's own sitting are not expected of him; those of others of his class are. */
export function besideSittings(expected: readonly Expected[], sittings: readonly Expected[]): Expected[] {
  const of_user = Map.groupBy(sittings, one => one.user_id)
  const isOver = (one: Expected) => of_user.get(one.user_id)?.some(sitting => one.begin < sitting.end && one.end > sitting.begin) === true
  return [...expected.filter(one => !isOver(one)), ...sittings]
}

/** Slots of the arranges of clocking that hold on a date. */
export async function readSlots(db: Db, school_id: number, date: string): Promise<Slot[]> {
  const { rows } = await sql<Slot>`
    select s.slot_id::text as slot_id, s.arrange_id::text as arrange_id, s.slot_no::int as slot_no, s.slot_name,
      s.begin_min::int as begin_min, s.end_min::int as end_min, s.day_kinds, s.need_out,
      a.scope_kind::int as scope_kind, a.scope_id::text as scope_id, a.person_kind::int as person_kind
    from attend_slot s join attend_arrange a on a.school_id = ${school_id} and a.arrange_id = s.arrange_id and a.enabled
      and a.kind = 'clock' and a.valid_from <= ${date}::date and a.valid_to > ${date}::date
    where s.school_id = ${school_id} and s.live order by s.slot_id`.execute(db)
  return rows
}

/** What a date is to each grade; `00` is the whole unit. */
export async function readDayKinds(db: Db, school_id: number, date: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db.selectFrom('school_day_v').select(['grade', 'day_kind']).where('school_id', '=', school_id).where('date', '=', date)
    .execute()
  return new Map(rows.map(row => [row.grade, row.day_kind]))
}

/** The clock slots of one person: those of the most specific arrange that reaches him, on days of their kinds. */
export function slotsOf(
  member: Member, slots: readonly Slot[],
  { person_kind, day_kind, date, home }: { person_kind: number; day_kind: number; date: string; home: string | null },
): Expected[] {
  const ids = [null, '0', member.stage, member.grade_dept_id, member.dept_id, null, null, null, member.user_id]
  const reaching = slots.filter(slot => slot.person_kind === person_kind && ids[slot.scope_kind] === slot.scope_id)
  const most = Math.max(0, ...reaching.map(slot => slot.scope_kind))
  return reaching.filter(slot => slot.scope_kind === most && slot.day_kinds.includes(day_kind)).map(slot => {
    const begin = dayStart(date).getTime() + slot.begin_min * minute_ms
    const end = dayStart(date).getTime() + (slot.end_min > slot.begin_min ? slot.end_min : slot.end_min + day_min) * minute_ms
    const { user_id, dept_id, grade_dept_id, stage } = member
    return {
      user_id, expect_kind: clock_kind, occurrence_id: slot.slot_id, person_kind, section: slot.slot_no, title: slot.slot_name, begin, end, subject: null, course_id: null, class_id: null, place_id: home,
      dept_id, grade_dept_id, stage, role: null, arrange_id: slot.arrange_id, need_out: slot.need_out,
    }
  })
}
