import { dataOf, openLive, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { bellApi, semesterApi } from '@campus/calendar/contract'
import { defineRole, grantRole, setRolePermissions, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { applyApi } from '@campus/leave/contract'
import { createLeaves, open } from '@campus/leave/server'
import { createDepts, hireStaff } from '@campus/people/server'
import { changeApi, courseApi, lessonApi, teachingApi, timetableApi, versionApi } from '@campus/teaching/contract'
import type { DayLesson } from '@campus/teaching/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const semester_id = 20261
const day_ms = 86_400_000
const monday = '2026-09-07'
let app: TestApp
let me: TestUser
let teachers: string[]
let classes: string[]

const as = () => ({ token: me.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const tenant = <R>(act: (db: Handle) => Promise<R>) => app.running.database.tenant(school_id, act)
type Handle = Parameters<typeof createDepts>[0]

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-09-02T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  const depts = await tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const made = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'c1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
        { key: 'c2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
    const staff = ['张伟', '李娜', '王芳']
      .map((user_name, at) => ({ user_name, sex: '1', teacher_no: `T00${at}`, mobile: `1691000000${at}`, kind: '11', join_month: '202609',
      from: '2026-09-01', depts: [{ dept_id: root.id }] }))
    teachers = await hireStaff(db, app.running.app.secrets, school_id, staff)
    return made
  })
  await app.call(semesterApi.add,
    { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01', end_date: '2027-01-29' }, as())
  const sections = [['08:00', '08:45'], ['08:55', '09:40']]
    .map(([begin = '', end = ''], at) => ({ name: `第${at + 1}节`, section_kind: 2, section: at + 1, begin, end }))
  const { bell } = dataOf(bellApi.add, await app.call(bellApi.add, { name: '小学作息', sections }, as()))
  await app.call(bellApi.switch,
    { bell_id: bell.id, grades: ['13'], week_flags: [true, true, true, true, true, false, false], from: '2026-09-02', to: null }, as())
  await plan(depts)
})
afterAll(() => app.close())

/** On Monday 张伟 teaches class 1 and then class 2, 李娜 the other way round; 王芳 teaches Chinese to class 2 on Tuesday. */
async function plan(depts: Map<string, string>): Promise<void> {
  const add = async (course_no: string, subject: string) => dataOf(courseApi.add,
    await app.call(courseApi.add, { course_no, course_name: course_no, subject, grades: ['13'], course_type: '1', weekly: 1 }, as())).row.id
  const [chinese, maths, art] = [await add('YW', '13'), await add('SX', '14'), await add('MS', '13')]
  const cell = (key: string, course_id: string,
    at: number) => ({ dept_id: depts.get(key) ?? '', course_id, weekly_odd: 1, weekly_even: 1, teacher_ids: [teachers[at] ?? ''] })
  await app.call(teachingApi.save,
    { semester_id, cells: [cell('c1', chinese, 0), cell('c2', chinese, 0), cell('c1', maths, 1), cell('c2', maths, 1),
    cell('c2', art, 2)] }, as())
  const { timetable } = dataOf(timetableApi.create, await app.call(timetableApi.create, { name: '课表', semester_id }, as()))
  const id = timetable.versions[0]?.id ?? ''
  classes = (await tenant(async db => (await sql<{ id: string }>`select id::text as id from teaching_class where school_id = ${school_id} order by name`.execute(db)).rows)).map(row => row.id)
  const cells: Record<string, [number, number]> = { '0 YW': [1, 1], '1 YW': [1, 2], '0 SX': [1, 2], '1 SX': [1, 1], '1 MS': [2, 1] }
  for (const [at, target_id] of classes.entries()) {
    const { lessons, rev } = dataOf(versionApi.grid, await app.call(versionApi.grid, { id, view: 'class', target_id }, as()))
    const commands = lessons
      .map(one => ({ kind: 'place' as const, lesson_id: one.id, weekday: cells[`${at} ${one.course_name}`]?.[0] ?? 5,
      section: cells[`${at} ${one.course_name}`]?.[1] ?? 1 }))
    await app.call(versionApi.command, { id, rev, commands }, as())
  }
  dataOf(versionApi.publish, await app.call(versionApi.publish, { id, effective_on: '2026-09-03' }, as()))
}

const day = async (teacher_id: string, date = monday) => dataOf(lessonApi.list,
  await app.call(lessonApi.list, { from: date, to: date, teacher_id }, as())).list
const needs = async () => dataOf(changeApi.needs, await app.call(changeApi.needs, { from: monday, to: monday, state: 'all' }, as())).list

/** A leave of a teacher over a day, in force at once. */
async function onLeave(user_id: string, date = monday): Promise<string> {
  return tenant(async db => {
    const place = { app: app.running.app, db, school_id, now: app.clock.now() }
    const design = { leave_types: ['02'], fallback_user_ids: [user_id], steps: [] }
    const reasons = [{ reason_code: '1', reason_name: '就医', person_kinds: [2] }]
    if (date === monday) await createLeaves(place, { reasons, forms: [{ form_name: '教职工请假', person_kind: 2, design }], leaves: [],
      from: place.now })
    const span = { begin: new Date(`${date}T00:00:00+08:00`), end: new Date(`${date}T23:59:00+08:00`) }
    return open(place, { user_id, leave_type: '02', reason_code: '1', reason: '看病', ...span, by: null, apply_as: 5 })
  })
}

test('50-A15 a leave opens a need for each lesson; one button covers them with free teachers only; the leave taken back undoes all of it',
  async () => {
  const [zhang = '', , wang = ''] = teachers
  const before = await day(zhang)
  expect(before.map(one => [one.section, one.state])).toEqual([[1, 1], [2, 1]])
  const leave_id = await onLeave(zhang)
  await expect.poll(async () => (await needs()).length, { timeout: 20_000 }).toBe(2)
  expect((await needs())
    .map(one => [one.lesson.class_name, one.teacher.user_name, one.state])).toEqual([['三年级1班', '张伟', 0], ['三年级2班', '张伟', 0]])
  const { list } = dataOf(changeApi.proposals,
    await app.call(changeApi.proposals, { date: monday, lesson_day_id: before[0]?.lesson_day_id ?? '' }, as()))
  expect(list).toEqual([{ user_id: wang, user_name: '王芳', score: 90, reasons: ['同学科同年级'] }])
  expect(dataOf(changeApi.autoCover, await app.call(changeApi.autoCover, { date: monday }, as()))).toMatchObject({ arranged: 2, left: [] })
  expect((await day(wang)).map(one => [one.lesson_day_id, one.state])).toEqual(before.map(one => [one.lesson_day_id, 2]))
  expect((await needs()).map(one => [one.state, one.cover_name])).toEqual([[1, '王芳'], [1, '王芳']])
  expect(dataOf(changeApi.ledger, await app.call(changeApi.ledger, {}, as())).list
    .map(one => [one.user_name, one.given, one.received])).toEqual([['王芳', 2, 0], ['张伟', 0, 2]])
  dataOf(applyApi.cancel, await app.call(applyApi.cancel, { leave_id }, as()))
  await expect.poll(async () => (await needs()).map(one => one.state), { timeout: 20_000 }).toEqual([4, 4])
  expect([(await day(zhang)).map(one => one.state), (await day(wang)).length]).toEqual([[1, 1], 0])
  expect(dataOf(changeApi.ledger, await app.call(changeApi.ledger, {}, as())).total).toBe(0)
  expect(dataOf(changeApi.list, await app.call(changeApi.list, {}, as())).list
    .map(one => [one.state, one.may_undo])).toEqual([[2, false], [2, false]])
})

test('50-A17 of many orders for one lesson one wins; who is busy cannot cover; what has begun stays', async () => {
  const [zhang = '', li = '', wang = ''] = teachers
  const [first] = await day(zhang)
  const cover = (teacher_id: string | null, kind: 1 | 4 | 7 = 1) => app.call(changeApi.cover,
    { date: monday, lesson_day_id: first?.lesson_day_id ?? '', kind, teacher_id, reason: '公出' }, as())
  expect(refusal(await cover(li))).toEqual([422, 'change.clash', '李娜在该时段已有课或请假，请选择其他教师'])
  expect(refusal(await cover(zhang)).slice(0, 2)).toEqual([422, 'change.sameTeacher'])
  const answers = await Promise.all(Array.from({ length: 12 }, () => cover(wang)))
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, ...Array.from({ length: 11 }, () => 409)])
  const [order] = dataOf(changeApi.list, await app.call(changeApi.list, { state: '1' }, as())).list
  const live = await openLive(app.url, me.token, ['lessons'])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: order?.id ?? '' }, as()))
  expect(refusal(await app.call(changeApi.undo, { id: order?.id ?? '' }, as())).slice(0, 2)).toEqual([409, 'change.undone'])
  dataOf(changeApi.cover, await cover(null, 4))
  expect((await day(zhang)).map(one => one.state)).toEqual([5, 1])
  await expect.poll(() => live.rows('lessons')).toEqual([{ dates: [monday] }, { dates: [monday] }])
  await live.close()
})

test('50-A16 a swap holds for its dates alone; two lessons that would put a teacher into two rooms are refused; what began is not undone',
  async () => {
  const lessons = async (date: string, at: number) => dataOf(lessonApi.list,
    await app.call(lessonApi.list, { from: date, to: date, class_id: classes[at] ?? '' }, as())).list
  const swap = (one: DayLesson | undefined, other: DayLesson | undefined) => app.call(changeApi.swap, {
    date: one?.date ?? monday, lesson_day_id: one?.lesson_day_id ?? '0', other_date: other?.date ?? monday,
      other_id: other?.lesson_day_id ?? '0', reason: '教研',
  }, as())
  const [first, second] = await lessons('2026-09-14', 0)
  expect(refusal(await swap(first, second)).slice(0, 2)).toEqual([422, 'change.clash'])
  const [[maths], [art]] = [await lessons('2026-09-14', 1), await lessons('2026-09-15', 1)]
  expect(refusal(await swap(first, art)).slice(0, 2)).toEqual([422, 'change.swapClass'])
  const { order_id } = dataOf(changeApi.swap, await swap(maths, art))
  const shown = async (date: string) => (await lessons(date, 1))
    .map(lesson => [lesson.course_name, lesson.teachers[0]?.user_name, lesson.state])
  expect([await shown('2026-09-14'), await shown('2026-09-15')]).toEqual([[['MS', '王芳', 3], ['YW', '张伟', 1]], [['SX', '李娜', 3]]])
  expect([await shown('2026-09-21'), await shown('2026-09-22')]).toEqual([[['SX', '李娜', 1], ['YW', '张伟', 1]], [['MS', '王芳', 1]]])
  app.clock.advance(13 * day_ms)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  expect(refusal(await app.call(changeApi.undo, { id: order_id }, as()))).toEqual([422, 'change.begun', '课程已开始，不能调整'])
})

test('50-A15 a lesson moves to a free section for once; a chain covers who covers; 一键安排 is taken back whole', async () => {
  const [zhang = '', li = '', wang = ''] = teachers
  const shown = async (teacher_id: string, date: string) => (await day(teacher_id, date)).map(one => [one.section, one.class_name,
    one.course_name, one.state])
  const [first] = await day(zhang, '2026-09-21')
  const move = (to_date: string, to_section: number) => app.call(changeApi.move,
    { date: '2026-09-21', lesson_day_id: first?.lesson_day_id ?? '', to_date, to_section, reason: '教研' }, as())
  expect(refusal(await move('2026-09-21', 2)).slice(0, 2)).toEqual([422, 'change.classBusy'])
  expect(refusal(await move('2026-09-26', 1)).slice(0, 2)).toEqual([422, 'change.noSection'])
  const { order_id } = dataOf(changeApi.move, await move('2026-09-22', 1))
  expect([await shown(zhang, '2026-09-21'), await shown(zhang, '2026-09-22')]).toEqual([
    [[1, '三年级1班', 'YW', 4], [2, '三年级2班', 'YW', 1]], [[1, '三年级1班', 'YW', 3]]])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: order_id }, as()))
  expect([await shown(zhang, '2026-09-21'), await shown(zhang, '2026-09-22')]).toEqual([[[1, '三年级1班', 'YW', 1], [2, '三年级2班', 'YW', 1]], []])

  const later = '2026-09-28'
  const [lesson] = await day(zhang, later)
  const chain = (teacher_ids: string[]) => app.call(changeApi.chain, { date: later, lesson_day_id: lesson?.lesson_day_id ?? '', teacher_ids,
    reason: '公出' }, as())
  expect(refusal(await chain([wang, li])).slice(0, 2)).toEqual([422, 'change.noOwnLesson'])
  const chained = dataOf(changeApi.chain, await chain([li, wang])).order_id
  expect([await shown(li, later), await shown(wang, later)]).toEqual([
    [[1, '三年级1班', 'YW', 2], [2, '三年级1班', 'SX', 1]], [[1, '三年级2班', 'SX', 2]]])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: chained }, as()))
  expect(await shown(wang, later)).toEqual([])

  await onLeave(zhang, later)
  const left = async () => dataOf(changeApi.needs, await app.call(changeApi.needs, { from: later, to: later, state: 'open' }, as())).open
  await expect.poll(left, { timeout: 20_000 }).toBe(2)
  const { arranged, command_id } = dataOf(changeApi.autoCover, await app.call(changeApi.autoCover, { date: later }, as()))
  expect([arranged, (await shown(wang, later)).length, await left()]).toEqual([2, 2, 0])
  const undo = () => app.call(changeApi.undoAuto, { id: command_id ?? '' }, as())
  expect(dataOf(changeApi.undoAuto, await undo())).toEqual({ undone: 2, begun: 0 })
  expect([await shown(wang, later), await left()]).toEqual([[], 2])
  expect(refusal(await undo()).slice(0, 2)).toEqual([409, 'change.undone'])
})

/** Signs a teacher in who has no permission but his own. */
async function signIn(user_id: string): Promise<string> {
  const { running, clock } = app
  const role_no = await tenant(async db => {
    const role_id = await defineRole(db, school_id, { code: 'CONSENT', name: '任课教师', group_code: 'SYS002' })
    await setRolePermissions(db, running.app, school_id, role_id, [])
    const [number = ''] = await grantRole(db, school_id, [{ role_id, user_id, valid_from: clock.now() }])
    return number
  })
  const own: Own = (id, act) => running.database.tenant(id, act)
  const session = { school_id, user_id, role_no, device_label: '测试', ip: '127.0.0.1' }
  return (await startSession({ app: running.app, now: clock.now(), own }, session)).token
}

test('a teacher is asked before he covers: the lesson waits as it is, he declines or agrees, nobody else may answer for him', async () => {
  const [zhang = '', , wang = ''] = teachers
  const date = '2026-10-12'
  const own = { token: await signIn(wang) }
  const mine = async (token = own.token) => dataOf(changeApi.mine, await app.call(changeApi.mine, {}, { token })).list
  const answer = (id: string, agreed: boolean, token = own.token) => app.call(changeApi.answer, { id, agreed }, { token })
  const [lesson] = await day(zhang, date)
  const ask = async () => dataOf(changeApi.cover, await app.call(changeApi.cover, { date, lesson_day_id: lesson?.lesson_day_id ?? '',
    teacher_id: wang, reason: '公出', ask: true }, as())).order_id
  const order = async (id: string) => dataOf(changeApi.list, await app.call(changeApi.list, {}, as())).list.find(one => one.id === id)
  const first = await ask()
  expect((await mine()).map(one => [one.id, one.from_name, one.lesson.lesson_day_id])).toEqual([[first, '张伟', lesson?.lesson_day_id]])
  expect([await mine(me.token), (await answer(first, true, me.token)).status]).toEqual([[], 404])
  expect([(await day(zhang, date))[0]?.state, await day(wang, date), await order(first)]).toMatchObject([1, [], { state: 3,
    may_undo: true }])
  dataOf(changeApi.answer, await answer(first, false))
  expect(refusal(await answer(first, true)).slice(0, 2)).toEqual([409, 'change.settled'])
  const second = await ask()
  dataOf(changeApi.answer, await answer(second, true))
  expect([(await day(wang, date)).map(one => one.state), (await order(first))?.state, await order(second)]).toMatchObject([[2], 4,
    { state: 1 }])
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: second }, as()))
  expect([(await day(zhang, date)).map(one => one.state), await day(wang, date)]).toEqual([[1, 1], []])
  const third = await ask()
  dataOf(changeApi.undo, await app.call(changeApi.undo, { id: third }, as()))
  expect(await mine()).toEqual([])
})
