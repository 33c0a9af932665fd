import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { bellApi, semesterApi } from '@campus/calendar/contract'
import { defineRole, grantRole, setRolePermissions, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { createDepts, hireStaff } from '@campus/people/server'
import { courseApi, teachingApi, timetableApi, versionApi } from '@campus/teaching/contract'
import { sql } from 'kysely'

export const { a: school_id } = test_schools
const semester_id = 20261
let roles = 0
type Handle = Parameters<typeof createDepts>[0]

/** A school with two classes, three teachers (张伟, 李娜, 王芳) and a published timetable from 2026-09-03 on. */
export type Timetabled = { app: TestApp; me: TestUser; teachers: string[]; classes: string[];
  tenant: <R>(act: (db: Handle) => Promise<R>) => Promise<R> }

/** Starts it on 2026-09-02. */
export async function startTimetabled(): Promise<Timetabled> {
  const app = await startTestApp()
  app.clock.setTo('2026-09-02T10:00:00+08:00')
  const me = await app.as({ school_id, codes: 'all', places: 'all' })
  const tenant = <R>(act: (db: Handle) => Promise<R>) => app.running.database.tenant(school_id, act)
  const as = { token: me.token }
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  const { depts, teachers } = await tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const made = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'c1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
        { key: 'c2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
    const staff = ['张伟', '李娜', '王芳']
      .map((user_name, at) => ({ user_name, sex: '1', teacher_no: `T00${at}`, mobile: `1691000000${at}`, kind: '11', join_month: '202609',
      from: '2026-09-01', depts: [{ dept_id: root.id }] }))
    return { depts: made, teachers: await hireStaff(db, app.running.app.secrets, school_id, staff) }
  })
  await app.call(semesterApi.add,
    { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01', end_date: '2027-01-29' }, as)
  const sections = [['08:00', '08:45'], ['08:55', '09:40']]
    .map(([begin = '', end = ''], at) => ({ name: `第${at + 1}节`, section_kind: 2, section: at + 1, begin, end }))
  const { bell } = dataOf(bellApi.add, await app.call(bellApi.add, { name: '小学作息', sections }, as))
  await app.call(bellApi.switch,
    { bell_id: bell.id, grades: ['13'], week_flags: [true, true, true, true, true, false, false], from: '2026-09-02', to: null }, as)
  const classes = await plan({ app, me, teachers, tenant }, depts)
  return { app, me, teachers, classes, tenant }
}

/** On Monday 张伟 teaches class 1 and then class 2, 李娜 the other way round; 王芳 teaches Chinese to class 2 on Tuesday. */
async function plan({ app, me, teachers, tenant }: Omit<Timetabled, 'classes'>, depts: Map<string, string>): Promise<string[]> {
  const as = { token: me.token }
  const add = async (course_no: string, subject: string) => dataOf(courseApi.add,
    await app.call(courseApi.add, { course_no, course_name: course_no, subject, grades: ['13'], course_type: '1', weekly: 1 }, as)).row.id
  const [chinese, maths, art] = [await add('YW', '13'), await add('SX', '14'), await add('MS', '13')]
  const cell = (key: string, course_id: string,
    at: number) => ({ dept_id: depts.get(key) ?? '', course_id, weekly_odd: 1, weekly_even: 1, teacher_ids: [teachers[at] ?? ''] })
  await app.call(teachingApi.save,
    { semester_id, cells: [cell('c1', chinese, 0), cell('c2', chinese, 0), cell('c1', maths, 1), cell('c2', maths, 1),
    cell('c2', art, 2)] }, as)
  const { timetable } = dataOf(timetableApi.create, await app.call(timetableApi.create, { name: '课表', semester_id }, as))
  const id = timetable.versions[0]?.id ?? ''
  const { rows } = await tenant(db => sql<{ id: string }>`select id::text as id from teaching_class where school_id = ${school_id}
    order by name`.execute(db))
  const classes = rows.map(row => row.id)
  const cells: Record<string, [number, number]> = { '0 YW': [1, 1], '1 YW': [1, 2], '0 SX': [1, 2], '1 SX': [1, 1], '1 MS': [2, 1] }
  for (const [at, target_id] of classes.entries()) {
    const { lessons, rev } = dataOf(versionApi.grid, await app.call(versionApi.grid, { id, view: 'class', target_id }, as))
    const commands = lessons
      .map(one => ({ kind: 'place' as const, lesson_id: one.id, weekday: cells[`${at} ${one.course_name}`]?.[0] ?? 5,
      section: cells[`${at} ${one.course_name}`]?.[1] ?? 1 }))
    await app.call(versionApi.command, { id, rev, commands }, as)
  }
  dataOf(versionApi.publish, await app.call(versionApi.publish, { id, effective_on: '2026-09-03' }, as))
  return classes
}

/** Signs a teacher in who has no permission but his own. */
export async function signIn({ app: { running, clock }, tenant }: Timetabled, user_id: string): Promise<string> {
  roles += 1
  const role_no = await tenant(async db => {
    const role_id = await defineRole(db, school_id, { code: `CONSENT${roles}`, name: `任课教师${roles}`, group_code: 'SYS002' })
    await setRolePermissions(db, running.app, school_id, role_id, [])
    const [number = ''] = await grantRole(db, school_id, [{ role_id, user_id, valid_from: clock.now() }])
    return number
  })
  const own: Own = (id, act) => running.database.tenant(id, act)
  const session = { school_id, user_id, role_no, device_label: '测试', ip: '127.0.0.1' }
  return (await startSession({ app: running.app, now: clock.now(), own }, session)).token
}
