import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { semesterApi } from '@campus/calendar/contract'
import { importApi } from '@campus/jobs/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { seatApi, walkingApi } from '@campus/teaching/contract'
import { writeTemplate } from '@kit/server/excel'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const [semester_id, term] = [20261, '2026-2027学年第一学期'] as const
const labels = ['学期', '教学班', '学号', '姓名', '首选科目', '再选科目1', '再选科目2']
const pupils_count = 4
let app: TestApp
let me: TestUser
let classes: string[]

type Handle = Parameters<typeof createDepts>[0]
const as = () => ({ token: me.token })

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  await app.call(semesterApi.add, { school_year: '2026-2027', term: '1', name: term, begin_date: '2026-09-01', end_date: '2027-01-29' },
    as())
  await app.running.database.tenant(school_id, async (db: Handle) => {
    const cohort = { tree: 'student' as const, grade: '32', enrol_year: 2025, stage: '3' }
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const depts = await createDepts(db, school_id, [{ key: 'grade', parent: root.id, dept_name: '高二', dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '高二1班', dept_type: 4, class_no: 1, ...cohort }], '2026-09-01')
    await enrolStudents(db, app.running.app.secrets, school_id, Array.from({ length: pupils_count }, (_, at) => ({ user_name: `学生${at}`,
      student_no: `S${at}`, enrol_month: '202509', from: '2026-09-01', dept_id: depts.get('class') ?? '' })))
    const made = await sql<{ id: string }>`insert into teaching_class (school_id, semester_id, kind, name, grade, capacity)
      values (${school_id}, ${semester_id}, 2, '化学A1班', '32', 2), (${school_id}, ${semester_id}, 2, '地理A1班', '32', 40),
        (${school_id}, ${semester_id}, 2, '高三班', '33', 40) returning id::text as id`.execute(db)
    classes = made.rows.map(row => row.id)
  })
  await meeting()
})
afterAll(() => app.close())

/** Both classes have a lesson at one time of a coming day. */
async function meeting(): Promise<void> {
  const [begin, end] = ['2026-11-24T10:00:00+08:00', '2026-11-24T10:45:00+08:00']
  await app.running.database.tenant(school_id, async (db: Handle) => {
    for (const class_id of classes.slice(0,
      2)) await sql`insert into lesson_day (school_id, date, lesson_key, timetable_id, version_id, class_id,
      course_id, weekday, section, span, begin_at, end_at, teacher_ids, rev)
      values (${school_id}, '2026-11-24', gen_random_uuid(), 0, 0, ${class_id}, 0, 2, 3, 1, ${begin}, ${end}, '{}', 0)`.execute(db)
  })
}

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state),
    { timeout: 60_000 }).toBe(false)
  return read()
}

async function upload(lines: string[][]): Promise<string> {
  const body = new Uint8Array(await writeTemplate({ sheet: '走班学生导入', notes: ['说明'], columns: labels.map(label => ({ label, prop: label,
    required: false })), samples: lines }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'elective_student' }, { ...as(),
    file: { name: '走班学生.xlsx', body } }))
  await settled(batch_no)
  return batch_no
}

const errorsOf = async (lines: string[][]) => dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: await upload(lines) },
  as())).list
  .map(row => row.errors.map(error => error.msg))
const rosterOf = async (id: string) => dataOf(walkingApi.students, await app.call(walkingApi.students, { id }, as())).list
  .map(one => one.student_no)
const combosOf = async () => dataOf(seatApi.combos, await app.call(seatApi.combos, {}, as())).list.map(one => [one.student_no,
  one.combo_name])

test('pupils come into walking classes by a sheet with their three subjects; wrong lines are named; all of it is taken back', async () => {
  const [chemistry = '', geography = ''] = classes
  expect(await errorsOf([
    ['没有学期', '化学A1班', 'S0', '学生0', '', '', ''], [term, '没有班', 'S0', '学生0', '', '', ''], [term, '高三班', 'S0', '学生0', '', '', ''],
    [term, '化学A1班', 'S9', '学生9', '', '', ''], [term, '化学A1班', 'S0', '学生1', '', '', ''],
    [term, '化学A1班', 'S1', '学生1', '物理', '化学', '化学'], [term, '化学A1班', 'S2', '学生2', '化学', '化学', '地理'],
    [term, '化学A1班', 'S3', '学生3', '物理', '', ''],
  ])).toEqual([['学期不存在'], ['教学班不存在'], ['不是本年级学生'], ['学号不存在'], ['姓名与学号不一致'], ['再选科目不能相同'],
    ['首选科目不正确'], ['首选和两门再选科目须一起填写']])
  const batch_no = await upload([[term, '化学A1班', 'S0', '学生0', '物理', '生物学', '化学'], [term, '化学A1班', 'S1', '学生1', '', '', '']])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  expect(await settled(batch_no)).toMatchObject({ state: 'applied' })
  expect([await rosterOf(chemistry), await combosOf()]).toEqual([['S0', 'S1'], [['S0', '物理+化学+生物学']]])
  expect(await errorsOf([[term, '化学A1班', 'S2', '学生2', '', '', ''], [term, '地理A1班', 'S1', '学生1', '', '', ''],
    [term, '地理A1班', 'S3', '学生3', '', '', '']])).toEqual([['教学班已满'], ['同一时段已在「化学A1班」'], []])
  const again = await upload([[term, '化学A1班', 'S0', '学生0', '历史', '思想政治', '地理']])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no: again }, as()))
  await settled(again)
  expect([await rosterOf(chemistry), await combosOf()]).toEqual([['S0', 'S1'], [['S0', '历史+思想政治+地理']]])
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no: again }, as()))
  await settled(again)
  expect([await rosterOf(chemistry), await combosOf()]).toEqual([['S0', 'S1'], [['S0', '物理+化学+生物学']]])
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
  await settled(batch_no)
  expect([await rosterOf(chemistry), await rosterOf(geography), await combosOf()]).toEqual([[], [], []])
})
