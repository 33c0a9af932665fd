import type { ExamRow, RoomRow, SessionRow } from '@campus/exams/contract'
import type { ReadStep } from '@campus/jobs/server'
import { sql } from 'kysely'
import type { ExamsDb } from '../db.ts'
import { readExams, readSessions, states } from '../exam/exam.queries.ts'
import { readRooms, readSeated } from '../plan/plan.queries.ts'
import type { StoredSeat } from '../plan/plan.queries.ts'

type Candidate = { user_id: string; user_name: string; student_no: string; exam_no: string | null; dept_id: string; papers: string[] }
/** An exam as the lines of a sheet of seats are judged by. */
export type Known = {
  exam: ExamRow
  sessions: ReadonlyMap<string, SessionRow>
  /** by number of pupil */
  candidates: ReadonlyMap<string, Candidate>
  /** by the name of their place */
  rooms: ReadonlyMap<string, RoomRow>
  seats: readonly StoredSeat[]
  names: ReadonlyMap<string, string>
  depts: ReadonlyMap<string, string>
  /** who has an exam number */
  numbers: ReadonlyMap<string, string>
}
type Teacher = { user_id: string; busy: { session_id: string | null; begin_at: Date; end_at: Date }[] }
export type Snapshot = { exams: ReadonlyMap<string, Known>; teachers: ReadonlyMap<string, Teacher> }
type Step = Pick<ReadStep<ExamsDb>, 'db' | 'school_id' | 'now'>

/**
 * Exams by the names that lines give them, with sessions, candidates, rooms and seats; teachers with their posts and lessons of those days.
 */
export async function readPlans(step: Step, asked: readonly { exam: string; watcher: string }[]): Promise<Snapshot> {
  const { db, school_id, now } = step
  const found = await readExams(db, school_id, now, sql`e.exam_name = any(${[...new Set(asked.map(row => row.exam))]}::text[])
    and e.state <> ${states.cancelled}`)
  const exams = new Map<string, Known>()
  for (const exam of found.toReversed()) exams.set(exam.exam_name, await readKnown(step, exam))
  const days = found.flatMap(exam => [exam.begin_date, exam.end_date]).toSorted()
  return { exams, teachers: await readTeachers(step, [...new Set(asked.map(row => row.watcher).filter(no => no !== ''))], days) }
}

async function readKnown({ db, school_id }: Step, exam: ExamRow): Promise<Known> {
  const { exam_id } = exam
  const { rows } = await sql<Candidate>`
    select c.user_id::text as user_id, p.display_name as user_name, coalesce(s.student_no, '') as student_no, c.exam_no,
      c.dept_id::text as dept_id,
      c.papers::text[] as papers
    from exam_candidate c join person_label p on p.school_id = ${school_id} and p.user_id = c.user_id
    left join live_student s on s.school_id = ${school_id} and s.user_id = c.user_id
    where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state = 0`.execute(db)
  return {
    exam, candidates: new Map(rows.map(row => [row.student_no, row])), seats: await readSeated(db, school_id, exam_id),
    sessions: new Map((await readSessions(db, school_id, exam_id)).map(one => [one.session_name, one])),
    rooms: new Map((await readRooms(db, school_id, exam_id)).map(room => [room.place_name, room])),
    names: new Map(rows.map(row => [row.user_id, row.user_name])), depts: new Map(rows.map(row => [row.user_id, row.dept_id])),
    numbers: new Map(rows.flatMap(row => (row.exam_no === null ? [] : [[row.exam_no, row.user_id] as const]))),
  }
}

async function readTeachers({ db, school_id }: Step, numbers: readonly string[], days: readonly string[]): Promise<Map<string, Teacher>> {
  const [from, to] = [days[0], days.at(-1)]
  if (numbers.length === 0 || from === undefined || to === undefined) return new Map()
  const staff = await db.selectFrom('live_staff').select(['user_id', 'teacher_no']).where('school_id', '=', school_id).where('teacher_no',
    'in', numbers).execute()
  const ids = staff.map(one => one.user_id)
  const { rows } = await sql<{ user_id: string; session_id: string | null; begin_at: Date; end_at: Date }>`
    select i.user_id::text as user_id, i.session_id::text as session_id, i.begin_at, i.end_at from exam_invigilator i
    where i.school_id = ${school_id} and i.user_id = any(${ids}::bigint[])
    union all
    select t.user_id::text as user_id, null, l.begin_at, l.end_at from lesson_day_teacher_v t
    join lesson_day_v l on l.school_id = ${school_id} and l.date = t.date and l.lesson_day_id = t.lesson_day_id and l.state not in (4, 5)
    where t.school_id = ${school_id} and t.date between ${from}::date and ${to}::date and t.role <> 5
      and t.user_id = any(${ids}::bigint[])`.execute(db)
  return new Map(staff.map(one => [one.teacher_no, { user_id: one.user_id, busy: rows.filter(row => row.user_id === one.user_id) }]))
}
