import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { semesterApi } from '@campus/calendar/contract'
import { importApi } from '@campus/jobs/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { electiveApi, offerApi, seatApi } from '@campus/teaching/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const semester_id = 20261
const labels = ['任务', '学号', '姓名', '志愿序号', '选项']
const pupils_count = 3
let app: TestApp
let me: TestUser
let lottery: string
let rush: string

type Handle = Parameters<typeof createDepts>[0]
const as = () => ({ token: me.token })

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-11-20T10:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  await app.running.database.tenant(school_id, async (db: Handle) => {
    const cohort = { tree: 'student' as const, grade: '31', enrol_year: 2026, stage: '3' }
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const depts = await createDepts(db, school_id, [{ key: 'grade', parent: root.id, dept_name: '高一', dept_type: 3, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '高一1班', dept_type: 4, class_no: 1, ...cohort }], '2026-09-01')
    await enrolStudents(db, app.running.app.secrets, school_id, Array.from({ length: pupils_count }, (_, at) => ({ user_name: `学生${at}`,
      student_no: `S${at}`, enrol_month: '202609', from: '2026-09-01', dept_id: depts.get('class') ?? '' })))
  })
  await app.call(semesterApi.add, { school_year: '2026-2027', term: '1', name: '2026-2027学年第一学期', begin_date: '2026-09-01',
    end_date: '2027-01-29' }, as())
  lottery = await publish('抽签选修', { mode: 2, wishes: 2 }, 2)
  rush = await publish('先到先得', { max_pick: 1 }, 1)
})
afterAll(() => app.close())

/** A task with offers of one seat each: 甲, 乙. */
async function publish(name: string, more: { mode?: 2; wishes?: number; max_pick?: number }, offers: number): Promise<string> {
  const draft = { semester_id, name, open_at: '2026-11-20T00:00:00Z', close_at: '2026-11-21T00:00:00Z', grades: ['31' as const],
    max_pick: 1, ...more }
  const { row } = dataOf(electiveApi.add, await app.call(electiveApi.add, draft, as()))
  for (const title of ['甲', '乙'].slice(0, offers)) dataOf(offerApi.add, await app.call(offerApi.add, { task_id: row.id, title,
    capacity: 1 }, as()))
  dataOf(electiveApi.publish, await app.call(electiveApi.publish, { id: row.id }, as()))
  return row.id
}

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state),
    { timeout: 60_000 }).toBe(false)
  return read()
}

async function upload(lines: string[][]): Promise<string> {
  const body = new Uint8Array(await writeTemplate({ sheet: '选课志愿导入', notes: ['说明'], columns: labels.map(label => ({ label, prop: label,
    required: false })), samples: lines }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'elective_wish' }, { ...as(),
    file: { name: '志愿.xlsx', body } }))
  await settled(batch_no)
  return batch_no
}
const seatsOf = async (task_id: string) => dataOf(seatApi.list, await app.call(seatApi.list, { task_id }, as())).list
  .map(seat => [seat.student_no, seat.rank, seat.title, seat.state])

test('choices come in by a sheet: wrong lines are named, wishes keep their order, a seat is given once, and all of it is taken back',
  async () => {
  const wrong = [['没有这个', 'S0', '学生0', '1', '甲'], ['抽签选修', 'S9', '学生9', '1', '甲'], ['抽签选修', 'S0', '学生1', '3', '丙']]
  const rows = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: await upload(wrong) }, as())).list
  expect(rows.map(row => row.errors.map(error => error.msg).toSorted())).toEqual([['任务不存在'], ['学号不存在'], ['最多填报2个志愿', '姓名与学号不一致', '选项不存在'].toSorted()])
  const batch_no = await upload([['抽签选修', 'S0', '学生0', '2', '甲'], ['抽签选修', 'S0', '学生0', '1', '乙'], ['抽签选修', 'S1', '学生1', '1', '甲'],
    ['先到先得', 'S0', '学生0', '1', '甲'], ['先到先得', 'S1', '学生1', '1', '甲']])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  expect(await settled(batch_no)).toMatchObject({ state: 'applied' })
  expect(await seatsOf(lottery)).toEqual([['S0', 1, '乙', 2], ['S0', 2, '甲', 2], ['S1', 1, '甲', 2]])
  expect(await seatsOf(rush)).toEqual([['S0', 0, '甲', 1]])
  const again = await upload([['抽签选修', 'S0', '学生0', '1', '甲']])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no: again }, as()))
  await settled(again)
  expect((await seatsOf(lottery)).slice(0, 2)).toEqual([['S0', 1, '甲', 2], ['S0', 2, '乙', 2]])
  for (const one of [again, batch_no]) {
    dataOf(importApi.undo, await app.call(importApi.undo, { batch_no: one }, as()))
    await settled(one)
  }
  expect([await seatsOf(lottery), await seatsOf(rush)]).toEqual([[], []])
})
