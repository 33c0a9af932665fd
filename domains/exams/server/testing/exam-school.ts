import { createHash } from 'node:crypto'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { semesterApi } from '@campus/calendar/contract'
import { examApi } from '@campus/exams/contract'
import { createDepts, enrolStudents, hireStaff } from '@campus/people/server'
import { createPlaces } from '@campus/places/server'
import { sql } from 'kysely'

export const { a: school_id } = test_schools
export const semester_id = 20261
export const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]

/** A school with one senior grade of two classes, a primary grade, two rooms and four teachers; today is 2 November 2026. */
export type ExamSchool = { app: TestApp; me: TestUser; as: { token: string }; depts: Map<string, string>; pupils: Map<string, string[]>; teachers: string[]; places: string[] }

export async function examSchool(per_class: number): Promise<ExamSchool> {
  const app = await startTestApp()
  app.clock.setTo('2026-11-02T10:00:00+08:00')
  const me = await app.as({ school_id, codes: 'all', places: 'all' })
  const as = { token: me.token }
  await app.call(semesterApi.add, { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01', end_date: '2027-01-29' }, as)
  return { app, me, as, ...(await people(app, per_class)), places: await rooms(app) }
}

async function people(app: TestApp, per_class: number) {
  const { secrets } = app.running.app
  type Handle = Parameters<typeof createDepts>[0]
  return app.running.database.tenant(school_id, async (db: Handle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const of = (grade: string, stage: string) => ({ tree: 'student' as const, grade, enrol_year: 2026, stage })
    const depts = await createDepts(db, school_id, [
      { key: 'senior', parent: root.id, dept_name: '高一', dept_type: 3, ...of('31', '3') },
      { key: 'c1', parent: 'senior', dept_name: '高一1班', dept_type: 4, class_no: 1, ...of('31', '3') },
      { key: 'c2', parent: 'senior', dept_name: '高一2班', dept_type: 4, class_no: 2, ...of('31', '3') },
      { key: 'junior', parent: root.id, dept_name: '七年级', dept_type: 3, ...of('21', '2') },
      { key: 'j1', parent: 'junior', dept_name: '七年级1班', dept_type: 4, class_no: 1, ...of('21', '2') },
    ], '2026-09-01')
    const pupils = new Map<string, string[]>()
    for (const key of ['c1', 'c2', 'j1']) {
      const rows = Array.from({ length: per_class }, (_, at) => ({ user_name: `学生${key}${at + 1}`, sex: '1', student_no: `${key}${String(at + 1).padStart(2, '0')}`, enrol_month: '202609', dept_id: depts.get(key) ?? '', from: '2026-09-01' }))
      pupils.set(key, await enrolStudents(db, secrets, school_id, rows))
    }
    const staff = ['张伟', '李娜', '王芳', '赵敏'].map((user_name, at) => ({ user_name, sex: '1', teacher_no: `T00${at}`, mobile: `1691000000${at}`, kind: '11', join_month: '202609', from: '2026-09-01', depts: [{ dept_id: root.id }] }))
    return { depts, pupils, teachers: await hireStaff(db, secrets, school_id, staff) }
  })
}

async function rooms(app: TestApp): Promise<string[]> {
  const rows = ['A101', 'A102', 'A103'].map(place_name => ({ key: place_name, superior: null, place_name, place_kind: 4, capacity: 40 }))
  const ids = await app.running.database.tenant<unknown, Map<string, string>>(school_id, db => createPlaces(db, school_id, rows, '2026-09-01'))
  return [...ids.values()]
}

/** A day of the exam at a clock time. */
export const at = (day: string, time: string) => new Date(`${day}T${time}:00+08:00`).toISOString()

export const paperOf = (subject: string, full_score: number) => ({
  paper_id: null, subject, grade: '31' as const, dept_ids: [], exam_way: '1' as const, full_score, minutes: 120, excellent_pct: 85, good_pct: 75, pass_pct: 60, low_pct: 40, assign: 'none' as const, in_total: true,
})

/** An exam of the senior grade with 语文 and 数学 on two mornings. */
export async function plannedExam({ app, as }: ExamSchool, exam_name: string, from = '2026-11-10', to = '2026-11-11') {
  const { row } = dataOf(examApi.add, await app.call(examApi.add, { exam_name, exam_kind: '13', semester_id, grades: ['31'], begin_date: from, end_date: to }, as))
  const { exam_id } = row
  const { papers } = dataOf(examApi.savePapers, await app.call(examApi.savePapers, { exam_id, papers: [paperOf('13', 150), paperOf('14', 150)] }, as))
  const sessions = papers.map((paper, n) => {
    const day = n === 0 ? from : to
    return { session_id: null, session_name: n === 0 ? '语文' : '数学', begin_at: at(day, '08:30'), end_at: at(day, '10:30'), paper_ids: [paper.paper_id] }
  })
  const plan = dataOf(examApi.saveSessions, await app.call(examApi.saveSessions, { exam_id, sessions }, as))
  return { exam_id, papers: plan.papers, sessions: plan.sessions }
}

let made = 0

/** The proof that somebody has just typed his password. */
export async function recheckOf({ app }: ExamSchool, user_id: string): Promise<string> {
  const token = `recheck exams ${(made += 1)}`
  const expire_at = new Date(app.clock.now().getTime() + 60_000)
  const hash = createHash('sha256').update(token).digest()
  await app.running.database.tenant<unknown, unknown>(school_id, db =>
    sql`insert into ticket (ticket_hash, purpose, user_id, school_id, expire_at) values (${hash}, 'recheck', ${user_id}, ${school_id},
      ${expire_at})`.execute(db))
  return token
}
