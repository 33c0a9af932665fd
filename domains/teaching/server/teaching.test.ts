import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { bellApi, semesterApi } from '@campus/calendar/contract'
import { createDepts, hireStaff } from '@campus/people/server'
import { changeApi, courseApi, lessonApi, solveApi, tableFileApi, teachingApi, timetableApi, versionApi } from '@campus/teaching/contract'
import type { Command } from '@campus/teaching/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lessons_on, where_should_be } from './lesson/functions.ts'

const { a: school_id } = test_schools
const semester_id = 20261
const day_ms = 86_400_000
let app: TestApp
let me: TestUser
let other: TestUser
let depts: Map<string, string>
let teachers: string[]
let courses: Record<'语文' | '数学' | '信息', string>
let version = ''
let class_1 = ''

const as = (who = me) => ({ token: who.token })
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
const rows = <T>(query: ReturnType<typeof sql<T>>) => app.running.database.tenant<unknown, T[]>(school_id, async db => (await query.execute(db)).rows)
const gridOf = async (id = version, target_id = class_1) => dataOf(versionApi.grid, await app.call(versionApi.grid, { id, view: 'class', target_id }, as()))
const tableOf = async () => (await rows(sql<{ id: string }>`
  select timetable_id::text as id from timetable_version where school_id = ${school_id} and id = ${version}`))[0]?.id ?? ''
/** A draft that begins as the version is. */
const nextDraft = async () =>
  dataOf(versionApi.add, await app.call(versionApi.add, { timetable_id: await tableOf(), based_on: version }, as())).version_id
const run = (rev: number, commands: Command[], who = me) => app.call(versionApi.command, { id: version, rev, commands }, as(who))

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-09-02T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  other = await app.as({ school_id, codes: 'all', places: 'all' })
  await makePeople()
  await makeCalendar()
})
afterAll(() => app.close())

async function makePeople(): Promise<void> {
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  type Handle = Parameters<typeof createDepts>[0]
  await app.running.database.tenant(school_id, async (db: Handle) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    depts = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'c1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
      { key: 'c2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
    const staff = ['张伟', '李娜'].map((user_name, at) => ({ user_name, sex: '1', teacher_no: `T00${at}`, mobile: `1691000000${at}`, kind: '11', join_month: '202609', from: '2026-09-01', depts: [{ dept_id: root.id }] }))
    teachers = await hireStaff(db, secrets, school_id, staff)
  })
}

async function makeCalendar(): Promise<void> {
  await app.call(semesterApi.add, { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01', end_date: '2027-01-29' }, as())
  const sections = [['08:00', '08:45'], ['08:55', '09:40'], ['10:00', '10:45']].map(([begin = '', end = ''], at) => ({ name: `第${at + 1}节`, section_kind: 2, section: at + 1, begin, end }))
  const { bell } = dataOf(bellApi.add, await app.call(bellApi.add, { name: '小学作息', sections }, as()))
  await app.call(bellApi.switch, { bell_id: bell.id, grades: ['13'], week_flags: [true, true, true, true, true, false, false], from: '2026-09-02', to: null }, as())
}

test('courses: a number once, a course in use is only disabled; who teaches what fits class, grade and people at work', async () => {
  const add = (course_no: string, course_name: string, more: object = {}) => app.call(courseApi.add, { course_no, course_name, subject: '13', grades: ['13'], course_type: '1', weekly: 4, ...more }, as())
  const id = async (no: string, name: string, more: object = {}) => dataOf(courseApi.add, await add(no, name, more)).row.id
  courses = { 语文: await id('YW', '语文'), 数学: await id('SX', '数学'), 信息: await id('XX', '信息科技', { weekly: 1 }) }
  expect(refusal(await add('YW', '语文二'))).toEqual([409, 'teaching.courseNoTaken', '课程编号已存在'])
  expect((await add('bad no', 'x')).status).toBe(400)
  const save = (cells: object[]) => app.call(teachingApi.save, { semester_id, cells: cells.map(cell => ({ dept_id: depts.get('c1') ?? '', course_id: courses.语文, weekly_odd: 4, weekly_even: 4, teacher_ids: [teachers[0] ?? ''], ...cell })) }, as())
  expect(refusal(await save([{ teacher_ids: [me.user_id] }])).slice(0, 2)).toEqual([422, 'teaching.teacherUnknown'])
  const both = ['c1', 'c2'].flatMap(key => [
    { dept_id: depts.get(key) ?? '' }, { dept_id: depts.get(key) ?? '', course_id: courses.数学, weekly_odd: 3, weekly_even: 3, double: 1, teacher_ids: [teachers[1] ?? ''] },
    { dept_id: depts.get(key) ?? '', course_id: courses.信息, weekly_odd: 1, weekly_even: 0, teacher_ids: [teachers[1] ?? ''] },
  ])
  expect(dataOf(teachingApi.save, await save(both))).toEqual({ saved: 6, removed: 0 })
  const { list } = dataOf(teachingApi.load, await app.call(teachingApi.load, { semester_id }, as()))
  expect(list.map(({ user_name, weekly }) => [user_name, weekly]).slice(0, 2)).toEqual([['张伟', 8], ['李娜', 7]])
  expect(refusal(await app.call(courseApi.remove, { id: courses.语文 }, as())).slice(0, 2)).toEqual([409, 'teaching.courseInUse'])
})

test('50-A10 a draft holds the lessons of the plan; commands are one step each, a stale one is refused with the name, undo gives the cells back', async () => {
  const { timetable } = dataOf(timetableApi.create, await app.call(timetableApi.create, { name: '三年级课表', semester_id }, as()))
  version = timetable.versions[0]?.id ?? ''
  expect(timetable.versions[0]).toMatchObject({ state: 'draft', placed: 0, unplaced: 14 })
  class_1 = (await rows(sql<{ id: string }>`select id::text as id from teaching_class where school_id = ${school_id} and dept_id = ${depts.get('c1') ?? ''}`))[0]?.id ?? ''
  const { lessons } = await gridOf()
  expect(lessons.map(one => `${one.course_name} ${one.span} ${one.week_name}`).toSorted()).toEqual(['信息科技 1 单周', '数学 1 每周', '数学 2 每周', ...Array.from({ length: 4 }, () => '语文 1 每周')])
  const [first, second] = lessons.filter(one => one.course_name === '语文').map(one => one.id)
  expect(dataOf(versionApi.command, await run(0, [{ kind: 'place', lesson_id: first ?? '', weekday: 1, section: 1 }]))).toMatchObject({ rev: 1, title: '三年级1班 语文 排到星期一第1节' })
  const late = await run(0, [{ kind: 'place', lesson_id: second ?? '', weekday: 1, section: 2 }], other)
  expect([late.status, late.body.error_id, late.body.msg?.endsWith('修改，已为您载入最新内容')]).toEqual([409, 'teaching.stale', true])
  const bad = await Promise.all([{ weekday: 8, section: 1 }, { weekday: 1, section: 0 }].map(cell => run(1, [{ kind: 'place', lesson_id: first ?? '', ...cell }])))
  expect(bad.map(answer => answer.status)).toEqual([400, 400])
  expect((await run(1, [{ kind: 'weeks', lesson_id: first ?? '', weeks: '9-3' }])).status).toBe(422)
  const { list } = dataOf(versionApi.candidates, await app.call(versionApi.candidates, { id: version, lesson_id: second ?? '' }, as()))
  expect([list.length, list.find(cell => cell.weekday === 1 && cell.section === 1)]).toMatchObject([15, { verdict: 'blocked', text: expect.stringContaining('三年级1班') }])
  dataOf(versionApi.undo, await app.call(versionApi.undo, { id: version, rev: 1 }, as()))
  expect((await gridOf()).lessons.filter(one => one.weekday !== null)).toEqual([])
  expect(refusal(await app.call(versionApi.undo, { id: version, rev: 2 }, as()))).toEqual([409, 'teaching.nothingToUndo', '没有可撤销的操作'])
  dataOf(versionApi.redo, await app.call(versionApi.redo, { id: version, rev: 2 }, as()))
})

test('50-A27 the solver places every lesson in a job; the result is taken as one step, locked lessons stay', async () => {
  const { run: started } = dataOf(solveApi.start, await app.call(solveApi.start, { id: version, seconds: 10 }, as()))
  expect(refusal(await app.call(solveApi.start, { id: version, seconds: 10 }, as())).slice(0, 2)).toEqual([409, 'teaching.solveRunning'])
  await app.call(solveApi.stop, { id: started.id }, as())
  const latest = async () => dataOf(solveApi.latest, await app.call(solveApi.latest, { id: version }, as())).run
  await expect.poll(async () => (await latest())?.state, { timeout: 40_000 }).toBe('finished')
  expect(await latest()).toMatchObject({ hard: 0, unplaced: 0, placed: 14 })
  const { rev } = await gridOf()
  expect(dataOf(solveApi.take, await app.call(solveApi.take, { id: started.id, rev }, as()))).toMatchObject({ unplaced: 0 })
  expect(dataOf(versionApi.check, await app.call(versionApi.check, { id: version }, as()))).toMatchObject({ blocking: 0 })
})

test('50-A12 published from a day on, lessons of dates follow; a conflict refuses, a new version ends the old one and ids stay', async () => {
  const publish = (id: string, effective_on: string, preview = false) => app.call(versionApi.publish, { id, effective_on, preview }, as())
  expect(refusal(await publish(version, '2026-09-01'))).toEqual([422, 'teaching.effectivePast', '生效日期不能早于今天'])
  expect(dataOf(versionApi.publish, await publish(version, '2026-09-07', true))).toMatchObject({ published: false, blocking: 0, unplaced: 0, classes: 2, teachers: 2 })
  dataOf(versionApi.publish, await publish(version, '2026-09-07'))
  const week = async () => dataOf(lessonApi.week, await app.call(lessonApi.week, { view: 'class', target_id: class_1, from: '2026-09-16' }, as()))
  const before = await week()
  expect([before.week_no, before.lessons.length, before.lines.map(line => line.begin)]).toEqual([3, 7, ['08:00', '08:55', '10:00']])
  const timetable_id = await tableOf()
  const next = dataOf(versionApi.add, await app.call(versionApi.add, { timetable_id, based_on: version }, as())).version_id
  const { lessons, rev } = await gridOf(next)
  const [a, b] = lessons.filter(one => one.span === 1 && one.week_name === '每周')
  const clash = { kind: 'place' as const, lesson_id: a?.id ?? '', weekday: b?.weekday ?? 1, section: b?.section ?? 1 }
  await app.call(versionApi.command, { id: next, rev, commands: [clash] }, as())
  expect(refusal(await publish(next, '2026-09-14')).slice(0, 2)).toEqual([422, 'teaching.conflict'])
  await app.call(versionApi.undo, { id: next, rev: rev + 1 }, as())
  dataOf(versionApi.publish, await publish(next, '2026-09-14'))
  expect((await week()).lessons.map(one => one.lesson_day_id).toSorted()).toEqual(before.lessons.map(one => one.lesson_day_id).toSorted())
  expect(refusal(await run(0, [clash])).slice(0, 2)).toEqual([422, 'teaching.published'])
  const states = await rows(sql<{ from: string; to: string }>`select valid_from::text as from, valid_to::text as to from timetable_version where school_id = ${school_id} and state = 1 order by valid_from`)
  expect(states).toEqual([{ from: '2026-09-07', to: '2026-09-14' }, { from: '2026-09-14', to: '2027-01-30' }])
})

test('50-A28 50-A29 a teacher is away: 体检 names what cannot work, the re-solve moves few lessons, and its rows are accepted one by one',
  async () => {
  const draft = await nextDraft()
  const start = (weekdays: number[], teacher_id = teachers[0] ?? '') => app.call(solveApi.start, { id: draft, seconds: 10, keep: 'changes',
    changes: { away: [{ teacher_id, weekdays }], rooms: [] } }, as())
  expect(refusal(await start([1, 2, 3, 4]))).toEqual([422, 'teaching.solveInfeasible', '排课体检未通过，共1项，请先处理：教师张伟需8节，可用3节'])
  expect((await start([1], '999999999')).status).toBe(404)
  const before = await gridOf(draft)
  const weekday = before.lessons.find(one => one.course_name === '语文')?.weekday ?? 1
  const { run: { id } } = dataOf(solveApi.start, await start([weekday]))
  await app.call(solveApi.stop, { id }, as())
  const latest = async () => dataOf(solveApi.latest, await app.call(solveApi.latest, { id: draft }, as())).run
  await expect.poll(async () => (await latest())?.state, { timeout: 40_000 }).toBe('finished')
  expect(await latest()).toMatchObject({ is_change: true, hard: 0, unplaced: 0, curve: expect.arrayContaining([expect.any(Array)]) })
  const moves = async () => dataOf(solveApi.moves, await app.call(solveApi.moves, { id }, as())).list
  const list = await moves()
  expect(list.length).toBeGreaterThan(0)
  expect(list.every(row => row.from !== row.to && row.from.startsWith('星期'))).toBe(true)
  const first = list[0]?.lesson_id ?? ''
  expect(dataOf(solveApi.take, await app.call(solveApi.take, { id, rev: before.rev, lesson_ids: [first] },
    as()))).toMatchObject({ moved: 1, left: list.length - 1 })
  expect((await moves()).map(row => row.lesson_id)).toEqual(list.slice(1).map(row => row.lesson_id))
  dataOf(solveApi.take, await app.call(solveApi.take, { id, rev: before.rev + 1 }, as()))
  expect(await latest()).toMatchObject({ state: 'taken' })
  expect(dataOf(versionApi.check, await app.call(versionApi.check, { id: draft }, as()))).toMatchObject({ blocking: 0 })
  const own = dataOf(versionApi.grid, await app.call(versionApi.grid, { id: draft, view: 'teacher', target_id: teachers[0] ?? '' }, as()))
  expect([own.lessons.length, own.lessons.filter(one => one.weekday === weekday)]).toEqual([8, []])
})

test('50-A27 a server that dies while it searches: the next attempt ends the search, its progress is read again, the draft is as it was',
  async () => {
  const draft = await nextDraft()
  const before = await gridOf(draft)
  // three days for four lessons of a course are never perfect, so that the search goes on
  const changes = { away: [{ teacher_id: teachers[0] ?? '', weekdays: [1, 2] }], rooms: [] }
  const { run: { id, job_no } } = dataOf(solveApi.start, await app.call(solveApi.start, { id: draft, seconds: 60, keep: 'changes',
    changes }, as()))
  const latest = async () => dataOf(solveApi.latest, await app.call(solveApi.latest, { id: draft }, as())).run
  const attempts = async () =>
    (await rows(sql<{ attempts: number }>`select attempts from job where school_id = ${school_id} and job_no = ${job_no}`))[0]?.attempts
  await expect.poll(async () => (await latest())?.curve.length, { timeout: 40_000 }).toBeGreaterThan(0)
  await app.running.database.owner_exec('update work set lease_until = now()')
  await expect.poll(attempts, { timeout: 40_000 }).toBe(2)
  await app.call(solveApi.stop, { id }, as())
  await expect.poll(async () => (await latest())?.state, { timeout: 40_000 }).toBe('finished')
  expect(await latest()).toMatchObject({ hard: 0, unplaced: 0, placed: 14 })
  const after = await gridOf(draft)
  expect([after.rev, after.lessons]).toEqual([before.rev, before.lessons])
})

test('50-A1 50-A11 what published lessons hold is guarded by the database: odd and even weeks and adjacent minutes pass, an overlap is refused by name', async () => {
  const hold = (mins: string, weeks: string) => rows(sql`insert into occupancy (school_id, version_id, lesson_id, kind, rid, valid, weekday, mins, weeks)
    values (${school_id}, ${version}, 1, 'T', 77, '[2026-09-01,2027-01-01)', 1, ${mins}::int4range, ${weeks}::int4multirange) on conflict do nothing`)
  const insert = (mins: string, weeks: string) => rows(sql`insert into occupancy (school_id, version_id, lesson_id, kind, rid, valid, weekday, mins, weeks)
    values (${school_id}, ${version}, 1, 'T', 77, '[2026-09-01,2027-01-01)', 1, ${mins}::int4range, ${weeks}::int4multirange) returning id`)
  await hold('[600,645)', '{[1,2),[3,4),[5,6)}')
  await insert('[600,645)', '{[2,3),[4,5),[6,7)}')
  await insert('[645,690)', '{[1,7)}')
  await expect(insert('[640,650)', '{[1,2)}')).rejects.toThrow('occupancy_once')
})

test('lessons are found by the clock: who is where, what is free, as a sheet and as a subscribed calendar', async () => {
  app.clock.advance(14 * day_ms)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const now = dataOf(lessonApi.now, await app.call(lessonApi.now, { at: '2026-09-16T08:10:00+08:00' }, as()))
  expect(now.today).toBeGreaterThan(0)
  const desk = { db: app.running.database, school_id }
  const day = await app.running.database.tenant<unknown, unknown>(school_id, async db => [await lessons_on({ ...desk, db }, '2026-09-16', { class_id: class_1 }), await where_should_be({ ...desk, db }, ['1'], new Date('2026-09-16T00:10:00Z'))])
  expect(day).toMatchObject([expect.any(Array), [{ user_id: '1', state: 'none' }]])
  const sheet = await app.call(lessonApi.sheet, { view: 'class', target_ids: [class_1], date: '2026-09-16' }, as())
  expect(sheet.status).toBe(200)
  const { path } = dataOf(lessonApi.feed, await app.call(lessonApi.feed, { view: 'class', target_id: class_1 }, as()))
  const text = await (await fetch(`${app.url}${path}`)).text()
  expect([text.includes('SUMMARY:语文'), text.split('\r\n').every(line => Buffer.byteLength(line) <= 75), (await fetch(`${app.url}${path}x`)).status]).toEqual([true, true, 404])
})

test('50-A13 published in the middle of a day: what has begun stays to the last letter, what comes later follows the new version',
  async () => {
  type Day = { date: string; lesson_day_id: string; begin_at: Date; row: string }
  const days = () => rows(sql<Day>`select d.date::text as date, d.lesson_day_id::text as lesson_day_id, d.begin_at, row_to_json(d)::text as row from lesson_day d
    where d.school_id = ${school_id} and d.class_id = ${class_1} and d.date between '2026-09-21' and '2026-09-25' order by d.begin_at`)
  const [day = []] = [...Map.groupBy(await days(), one => one.date).values()].filter(list => list.length > 1)
  const [begun, later] = day
  const date = begun?.date ?? ''
  app.clock.setTo(new Date((later?.begin_at.getTime() ?? 0) - 60_000).toISOString())
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const { timetable_id = '' } = (await rows(sql<{ timetable_id: string }>`select timetable_id::text as timetable_id from timetable_version where school_id = ${school_id} and id = ${version}`))[0] ?? {}
  const latest = (await rows(sql<{ id: string }>`select id::text as id from timetable_version where school_id = ${school_id} and state = 1 order by valid_from desc limit 1`))[0]?.id ?? ''
  const next = dataOf(versionApi.add, await app.call(versionApi.add, { timetable_id, based_on: latest }, as())).version_id
  const { lessons, rev } = await gridOf(next)
  const commands = lessons.filter(one => one.weekday !== null).map(one => ({ kind: 'unplace' as const, lesson_id: one.id }))
  dataOf(versionApi.command, await app.call(versionApi.command, { id: next, rev, commands }, as()))
  dataOf(versionApi.publish, await app.call(versionApi.publish, { id: next, effective_on: date }, as()))
  const left = await days()
  expect(left.filter(one => one.date === date).map(one => one.row))
    .toEqual(day.filter(one => one.begin_at < (later?.begin_at ?? one.begin_at)).map(one => one.row))
  expect(left.some(one => one.date > date)).toBe(false)
})

test('50-A32 50-A31 bad input is told with its field and never breaks; without a right, and of another school, nothing is seen', async () =>
  {
  const { timetable_id = '' } = (await rows(sql<{ timetable_id: string }>`select timetable_id::text as timetable_id from timetable_version where school_id = ${school_id} and id = ${version}`))[0] ?? {}
  const id = dataOf(versionApi.add, await app.call(versionApi.add, { timetable_id }, as())).version_id
  const { lessons, rev } = await gridOf(id)
  const lesson_id = lessons[0]?.id ?? ''
  const command = (one: object) => app.call(versionApi.command, { id, rev, commands: [{ kind: 'place', lesson_id, weekday: 1, section: 1,
    ...one }] }, as())
  const weeks = (text: string) => app.call(versionApi.command, { id, rev, commands: [{ kind: 'weeks', lesson_id, weeks: text }] }, as())
  const answers = [
    await command({ weekday: 8 }), await command({ section: 0 }), await weeks('0'), await weeks('9-3'), await weeks('1-999'),
    await app.call(versionApi.command, { id, rev, commands: Array.from({ length: 10_000 }, () =>
      ({ kind: 'unplace' as const, lesson_id })) }, as()),
    await app.call(versionApi.publish, { id, effective_on: '9999-12-31' }, as()), await app.call(solveApi.start, { id, seconds: 1e9 },
      as()),
    await app.call(courseApi.add, { course_no: 'LONG', course_name: '长'.repeat(31), subject: '13', grades: ['13'], course_type: '1',
      weekly: 1 }, as()),
  ]
  expect(answers.map(answer => [400, 422].includes(answer.status) || answer.status === 413)).toEqual(answers.map(() => true))
  const body = `{"rev":${rev},"commands":[{"kind":"unplace","lesson_id":"${lesson_id}","__proto__":{"x":1}}]}`
  const raw = await fetch(`${app.url}/api/v2/timetable/version/${id}/command`, { method: 'POST', body,
    headers: { 'Content-Type': 'application/json', Authorization: me.token } })
  expect(raw.status).toBe(400)
  expect(answers.every(answer => /\p{Script=Han}/u.test(answer.body.msg ?? ''))).toBe(true)
  const pupil = await app.as({ school_id, codes: [] })
  const today = { from: '2026-09-21', to: '2026-09-25' }
  const own = dataOf(lessonApi.mine, await app.call(lessonApi.mine, today, as(pupil)))
  expect([own.user_id, own.list]).toEqual([pupil.user_id, []])
  const teacher = dataOf(lessonApi.mine, await app.call(lessonApi.mine, today, as()))
  expect(teacher.user_id).toBe(me.user_id)
  expect((await app.call(lessonApi.mine, { ...today, user_id: teachers[0] ?? '' }, as(pupil))).status).toBe(404)
  const refused = [await app.call(versionApi.grid, { id, view: 'class', target_id: class_1 }, as(pupil)), await app.call(tableFileApi.sheet,
    { id }, as(pupil)), await app.call(changeApi.list, {}, as(pupil)), await app.call(lessonApi.list, { ...today, class_id: class_1 },
    as(pupil))]
  expect(refused.map(answer => answer.status)).toEqual([403, 403, 403, 403])
  const stranger = await app.as({ school_id: test_schools.b, codes: 'all', places: 'all' })
  const foreign = [await app.call(versionApi.grid, { id, view: 'class', target_id: class_1 }, as(stranger)),
    await app.call(tableFileApi.sheet, { id }, as(stranger)), await app.call(lessonApi.list, { ...today, class_id: class_1 }, as(stranger))]
  expect(foreign.map(answer => answer.status)).toEqual([404, 404, 404])
})
