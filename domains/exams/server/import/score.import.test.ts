import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { examApi, planApi, scoreApi } from '@campus/exams/contract'
import { importApi } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examSchool, plannedExam, refusal, school_id } from '../testing/exam-school.ts'
import type { ExamSchool } from '../testing/exam-school.ts'

const labels = ['考试名称', '学号', '姓名', '语文', '数学']
let school: ExamSchool
let me: TestUser
let exam_id = ''
const as = () => ({ token: me.token })

beforeAll(async () => {
  school = await examSchool(3)
  const made = await plannedExam(school, '11月月考', '2026-11-02', '2026-11-03')
  exam_id = made.exam_id
  const { call } = school.app
  await call(planApi.refresh, { exam_id, preview: false }, school.as)
  const rooms = school.places.map(place_id => ({ room_id: null, place_id, col_count: 4, row_count: 4, path: 'S' as const, blocked: [],
    is_spare: false }))
  await call(planApi.saveRooms, { exam_id, rooms }, school.as)
  dataOf(planApi.runSeats, await call(planApi.runSeats, { exam_id, seed: 1 }, school.as))
  dataOf(planApi.publish, await call(planApi.publish, { exam_id }, school.as))
  school.app.clock.setTo('2026-11-04T10:00:00+08:00')
  me = await school.app.as({ school_id, codes: 'all', places: 'all' })
})
afterAll(() => school.app.close())

async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await school.app.call(importApi.one, { batch_no }, as()))
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state),
    { timeout: 60_000 }).toBe(false)
}

async function upload(samples: string[][]): Promise<string> {
  const columns = labels.map(label => ({ label, prop: label, required: false }))
  const body = new Uint8Array(await writeTemplate({ sheet: '考试成绩', notes: ['说明'], columns, samples }))
  const { batch_no } = dataOf(importApi.upload, await school.app.call(importApi.upload, { code: 'exam_score' }, { ...as(),
    file: { name: '成绩.xlsx', body } }))
  await settled(batch_no)
  return batch_no
}

const texts = async () => dataOf(scoreApi.grid, await school.app.call(scoreApi.grid, { exam_id, dept_id: school.depts.get('c1') ?? '' },
  as())).rows.map(row => row.cells.map(cell => cell.text).join('/'))

test('55-A24 a sheet of scores says of every wrong cell what is wrong; empty changes nothing, 清空 clears; the batch is taken back',
  async () => {
  const line = (no: string, name: string, chinese: string, maths: string, exam = '11月月考') => [exam, no, name, chinese, maths]
  const bad = [
    line('c101', '学生c11', '150.5', ''), line('c102', '学生c19', '90', ''), line('x9', '某人', '90', ''), line('c103', '学生c13', '90.25', '好'),
      line('c101', '学生c11', '90', '', '期末'),
  ]
  const { list } = dataOf(importApi.rows, await school.app.call(importApi.rows, { batch_no: await upload(bad) }, as()))
  expect(list.map(row => row.errors.map(error => error.msg).join('；'))).toEqual([
    '语文分数应在0-150之间', '姓名与编号不一致', '不在本次考试名单', '分数最多保留1位小数；“好”不是分数', '考试不存在，请核对名称',
  ])
  const batch_no = await upload([line('c101', '学生c11', '0', '零分'), line('c102', '学生c12', '缺考', '')])
  dataOf(importApi.apply, await school.app.call(importApi.apply, { batch_no }, as()))
  await settled(batch_no)
  expect(await texts()).toEqual(['0/零分', '缺考/', '/'])
  const second = await upload([line('c101', '学生c11', '', '清空')])
  dataOf(importApi.apply, await school.app.call(importApi.apply, { batch_no: second }, as()))
  await settled(second)
  expect(await texts()).toEqual(['0/', '缺考/', '/'])
  dataOf(importApi.undo, await school.app.call(importApi.undo, { batch_no: second }, as()))
  await settled(second)
  expect(await texts()).toEqual(['0/零分', '缺考/', '/'])
})

test('55-A24 two people enter every score: nobody both times, the second does not see the first, a class hands in only where they agree',
  async () => {
  const row = dataOf(examApi.read, await school.app.call(examApi.read, { exam_id }, as())).exam
  const { exam_name, exam_kind, begin_date, end_date, row_version } = row
  dataOf(examApi.update, await school.app.call(examApi.update, { exam_id, exam_name, exam_kind, begin_date, end_date, row_version,
    double_entry: true }, as()))
  const dept_id = school.depts.get('c1') ?? ''
  const grid = dataOf(scoreApi.grid, await school.app.call(scoreApi.grid, { exam_id, dept_id }, as()))
  const paper_id = grid.papers[0]?.paper_id ?? ''
  const values = ['90', '91', '92']
  const cells = grid.rows.map((one, at) => ({ paper_id, user_id: one.user_id, value: values[at] ?? '', version: one.cells.find(cell =>
    cell.paper_id === paper_id)?.version ?? 0 }))
  dataOf(scoreApi.cell, await school.app.call(scoreApi.cell, { exam_id, cells }, as()))
  const other = { token: (await school.app.as({ school_id, codes: 'all', places: 'all' })).token }
  const enter = (list: string[], who: { token: string }) =>
    school.app.call(scoreApi.secondCell, { exam_id, cells: cells.map(({ user_id }, at) => ({ paper_id, user_id,
      value: list[at] ?? '' })) }, who)
  expect(refusal(await enter(values, as())).slice(0, 2)).toEqual([403, 'exam.secondSelf'])
  const blind = dataOf(scoreApi.second, await school.app.call(scoreApi.second, { exam_id, dept_id }, other))
  expect(blind.rows.flatMap(one => one.cells.map(cell => cell.text)).join('')).toBe('')
  dataOf(scoreApi.secondCell, await enter(['90', '19', '92'], other))
  const submit = () => school.app.call(scoreApi.submit, { exam_id, paper_id, dept_id }, as())
  expect(refusal(await submit())).toEqual([422, 'exam.doubleMismatch', '两次录入不一致1处，请在“差异”中核对'])
  const { list } = dataOf(scoreApi.differences, await school.app.call(scoreApi.differences, { exam_id, dept_id }, as()))
  expect(list.filter(one => one.subject === '13').map(one => [one.user_name, one.first, one.second])).toEqual([['学生c12', '91', '19']])
  dataOf(scoreApi.secondCell, await enter(values, other))
  expect((await submit()).status).toBe(200)
})

