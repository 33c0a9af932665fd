import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { bellApi, semesterApi } from '@campus/calendar/contract'
import { createDepts, hireStaff } from '@campus/people/server'
import { courseApi, lessonApi, tableFileApi, teachingApi, timetableApi, versionApi } from '@campus/teaching/contract'
import type { Command } from '@campus/teaching/contract'
import { writeRows } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const semester_id = 20261
const term_name = '2026-2027学年第一学期'
const columns = ['学期', '年级', '班级', '星期', '节次', '单双周', '课程', '教师工号', '上课地点']
const sound = [term_name, '三年级', '1班', '星期五', '1', '每周', '语文', 'T000', '']
let app: TestApp
let me: TestUser
let version = ''
let table = ''
let classes: string[]

type Handle = Parameters<typeof createDepts>[0]
const as = () => ({ token: me.token })
const tenant = <R>(act: (db: Handle) => Promise<R>) => app.running.database.tenant(school_id, act)
const fileOf = async (rows: string[][], labels = columns) => new Uint8Array(await writeRows({ sheet: '课表', head: [], columns: labels
  .map(label => ({ label })), rows }))
const revOf = async (id = version) =>
  (await tenant(async db => (await sql<{ rev: number }>`select rev from timetable_version where school_id = ${school_id} and id = ${id}`.execute(db)).rows))[0]?.rev ?? 0
/** What a version says, whichever of two equal lessons says it. */
const stateOf = async (id = version) => (await tenant(async db => (await sql<{ line: string }>`
  select concat_ws(' ', class_id, course_id, weekday, section, span, weeks::text, place_id, teacher_ids::text) as line from lesson where school_id = ${school_id} and version_id = ${id} order by 1`.execute(db)).rows)).map(row => row.line)
const send = async (body: Uint8Array, more: { mode?: 'add' | 'replace'; clash?: 'mark' | 'refuse'; preview?: '0' | '1' } = {},
  id = version) =>
  app.call(tableFileApi.importFile, { id, rev: String(await revOf(id)), ...more }, { ...as(), file: { name: '课表.xlsx', body } })
/** An import followed to the end of its job. */
async function checked(body: Uint8Array, more: Parameters<typeof send>[1] = {}, id = version) {
  const made = dataOf(tableFileApi.importFile, await send(body, more, id))
  const run = async () => dataOf(tableFileApi.imported, await app.call(tableFileApi.imported, { id }, as())).run
  await expect.poll(async () => [(await run())?.id, (await run())?.state], { timeout: 60_000 }).toEqual([made.id, 'done'])
  return { import_id: made.id, ...(await run())?.result }
}
const imported = (body: Uint8Array, more: Parameters<typeof send>[1] = {}, id = version) => checked(body, { preview: '0', ...more }, id)
const run = async (commands: Command[]) => dataOf(versionApi.command, await app.call(versionApi.command, { id: version, rev: await revOf(),
  commands }, as()))
const takeDown = async () => {
  const placed = (await gridOf()).filter(one => one.weekday !== null)
  if (placed.length > 0) await run(placed.map(one => ({ kind: 'unplace' as const, lesson_id: one.id })))
}
const gridOf = async () => {
  const grids = await Promise.all(classes.map(target_id => app.call(versionApi.grid, { id: version, view: 'class', target_id }, as())))
  return grids.flatMap(answer => dataOf(versionApi.grid, answer).lessons)
}

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-09-02T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  let teachers: string[] = []
  const depts = await tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const staff = ['张伟', '李娜'].map((user_name, at) => ({ user_name, sex: '1', teacher_no: `T00${at}`, mobile: `1691000000${at}`, kind: '11',
      join_month: '202609', from: '2026-09-01', depts: [{ dept_id: root.id }] }))
    teachers = await hireStaff(db, app.running.app.secrets, school_id, staff)
    return createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'c1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
      { key: 'c2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
  })
  await app.call(semesterApi.add, { school_year: '2026-2027', term: '1', name: term_name, begin_date: '2026-09-01',
    end_date: '2027-01-29' }, as())
  const sections = Array.from({ length: 6 }, (_, at) => ({ name: `第${at + 1}节`, section_kind: 2, section: at + 1,
    begin: `${String(8 + at).padStart(2, '0')}:00`, end: `${String(8 + at).padStart(2, '0')}:45` }))
  const { bell } = dataOf(bellApi.add, await app.call(bellApi.add, { name: '小学作息', sections }, as()))
  await app.call(bellApi.switch, { bell_id: bell.id, grades: ['13'], week_flags: [true, true, true, true, true, false, false],
    from: '2026-09-02', to: null }, as())
  const course = async (course_no: string, course_name: string) => dataOf(courseApi.add, await app.call(courseApi.add,
    { course_no, course_name, subject: '13', grades: ['13'], course_type: '1', weekly: 4 }, as())).row.id
  const [chinese, maths, it] = [await course('YW', '语文'), await course('SX', '数学'), await course('XX', '信息科技')]
  const cells = ['c1', 'c2'].flatMap(key => [
    { dept_id: depts.get(key) ?? '', course_id: chinese, weekly_odd: 4, weekly_even: 4, teacher_ids: [teachers[0] ?? ''] },
    { dept_id: depts.get(key) ?? '', course_id: maths, weekly_odd: 3, weekly_even: 3, double: 1, teacher_ids: [teachers[1] ?? ''] },
    { dept_id: depts.get(key) ?? '', course_id: it, weekly_odd: 1, weekly_even: 0, teacher_ids: [teachers[1] ?? ''] },
  ])
  dataOf(teachingApi.save, await app.call(teachingApi.save, { semester_id, cells }, as()))
  const { timetable } = dataOf(timetableApi.create, await app.call(timetableApi.create, { name: '三年级课表', semester_id }, as()))
  table = timetable.id
  version = timetable.versions[0]?.id ?? ''
  classes = (await tenant(async db =>
    (await sql<{ id: string }>`select id::text as id from teaching_class where school_id = ${school_id} order by name`.execute(db)).rows))
    .map(row => row.id)
}, 120_000)
afterAll(() => app.close())

/** Class 1 has its lessons on Monday and Tuesday, class 2 on Wednesday and Thursday. */
async function place(): Promise<void> {
  const next = classes.map(() => 0)
  const commands = (await gridOf()).toSorted((a, b) => b.span - a.span).map(one => {
    const at = classes.indexOf(one.class_id)
    const slot = next[at] ?? 0
    next[at] = slot + one.span
    return { kind: 'place' as const, lesson_id: one.id, weekday: 1 + at * 2 + Math.floor(slot / 6), section: (slot % 6) + 1 }
  })
  await run(commands)
}

test('50-A30 a timetable that went out in layout A or B comes back in unchanged, hash for hash; undo takes the import back', async () => {
  await place()
  const whole = await stateOf()
  const [rows = new Uint8Array(), grid = new Uint8Array()] = await Promise.all((['rows', 'grid'] as const).map(async layout =>
    (await app.call(tableFileApi.sheet, { id: version, layout }, as())).bytes))
  expect(await imported(rows)).toMatchObject({ imported: false, layout: 'rows', total: 16, same: 14, added: 0, moved: 0, removed: 0,
    issue_count: 0 })
  await takeDown()
  const empty = await stateOf()
  expect(empty).not.toEqual(whole)
  expect(await checked(rows)).toMatchObject({ imported: false, added: 14, issue_count: 0, clash_count: 0 })
  expect(await stateOf()).toEqual(empty)
  for (const [layout, body] of [['rows', rows], ['grid', grid]] as const) {
    const { import_id, ...result } = await imported(body)
    expect(result).toMatchObject({ imported: true, layout, added: 14, issue_count: 0, clash_count: 0 })
    expect(await stateOf()).toEqual(whole)
    const undo = () => app.call(tableFileApi.undoImport, { id: import_id }, as())
    dataOf(tableFileApi.undoImport, await undo())
    expect(await stateOf()).toEqual(empty)
    expect((await undo()).body.error_id).toBe('teaching.importChanged')
  }
})

test('50-A30 a file with 100 planted errors names exactly these rows, columns and sentences', async () => {
  const planted: [column: string, value: string, msg: string][] = [
    ['学期', '2020-2021学年第一学期', '学期不存在'], ['班级', '9班', '班级不存在'], ['星期', '星期八', '星期不正确，例如星期一'], ['节次', '0', '节次为1至16'],
    ['节次', '15', '节次不在作息内'], ['单双周', '9-3', '周次格式不正确'], ['单双周', '1-30', '周次超出学期（第23周）'], ['课程', '天文', '课程不存在'],
    ['教师工号', 'T999', '教师工号不存在'], ['教师工号', 'T001', '教师未任该班该课'], ['上课地点', '没有的楼/1层', '上课地点不存在'], ['课程', '', '必填项不能为空'],
  ]
  const nth = (at: number) => planted[at % planted.length] ?? ['', '', '']
  const lines = Array.from({ length: 100 }, (_, at) => sound.map((value, column) => (columns[column] === nth(at)[0] ? nth(at)[1] : value)))
  const told = await checked(await fileOf(lines))
  expect(told.issues?.map(one => [one.row, one.column, one.msg])).toEqual(lines.map((_, at) => [at + 2, nth(at)[0], nth(at)[2]]))
  expect(told).toMatchObject({ issue_count: 100, total: 74, added: 0, imported: false })
  const more = Array.from({ length: 6 }, (_, at) => sound.map((value, column) => (columns[column] === '节次' ? String(at + 1) : value)))
  expect((await checked(await fileOf(more))).issues?.map(one => [one.row, one.msg]))
    .toEqual([6, 7].map(row => [row, '超过周课时2节']))
  const grid = await fileOf([['三年级1班', '第1节', '语文\n王五']], ['班级', '节次', '星期二'])
  expect((await checked(grid)).issues).toEqual([{ sheet: '课表', row: 2, column: '星期二', msg: '教师未任该班该课' }])
  expect([(await send(await fileOf([['x']], ['y']))).body.error_id, (await send(new Uint8Array([1, 2, 3]))).status])
    .toEqual(['teaching.fileNoTable', 422])
})

test('rows of a file that clash are named together; they are marked or left out as chosen; a published version takes no file', async () => {
  await takeDown()
  const both = await fileOf(['1班', '2班'].map(own => sound.map((value, column) => (columns[column] === '班级' ? own : value))))
  const { clashes, clash_count } = await checked(both)
  expect([clash_count, clashes?.[0]?.startsWith('第2行与第3行：张伟在星期五')]).toEqual([1, true])
  expect(await imported(both, { clash: 'refuse' })).toMatchObject({ imported: false, added: 0, clash_count: 1 })
  expect(await imported(both)).toMatchObject({ imported: true, added: 2 })
  await takeDown()
  await place()
  dataOf(versionApi.publish, await app.call(versionApi.publish, { id: version, effective_on: '2026-09-07' }, as()))
  expect((await send(both)).body.error_id).toBe('teaching.published')
  const next = dataOf(versionApi.add, await app.call(versionApi.add, { timetable_id: table, based_on: version }, as())).version_id
  for (const layout of ['rows', 'grid'] as const) {
    const { bytes } = await app.call(lessonApi.sheet, { view: 'class', target_ids: classes, date: '2026-09-09', layout }, as())
    expect(await imported(bytes, {}, next)).toMatchObject({ imported: false, same: 14, issue_count: 0 })
  }
})
