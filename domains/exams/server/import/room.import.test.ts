import { dataOf, sheetLines } from '@apps/server/testing'
import { examSheetApi, planApi } from '@campus/exams/contract'
import { importApi } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examSchool, plannedExam, refusal } from '../testing/exam-school.ts'
import type { ExamSchool } from '../testing/exam-school.ts'

const labels = ['考试名称', '场次', '考号', '学号', '姓名', '考场名称', '座位号', '监考教师工号']
/** Four sheets go in and one comes back. */
const patience_ms = 300_000
let school: ExamSchool
let exam_id = ''
let session_id = ''
const call: typeof school.app.call = (...args) => school.app.call(...args)

beforeAll(async () => {
  school = await examSchool(3)
  const made = await plannedExam(school, '11月月考')
  exam_id = made.exam_id
  session_id = made.sessions[0]?.session_id ?? ''
  await call(planApi.refresh, { exam_id, preview: false }, school.as)
  const rooms = school.places.slice(0, 2).map(place_id => ({ room_id: null, place_id, col_count: 3, row_count: 3, path: 'S' as const,
    blocked: [], is_spare: false }))
  dataOf(planApi.saveRooms, await call(planApi.saveRooms, { exam_id, rooms }, school.as))
})
afterAll(() => school.app.close())

async function settled(batch_no: string): Promise<void> {
  const read = async () => dataOf(importApi.one, await call(importApi.one, { batch_no }, school.as)).state
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes(await read()), { timeout: 60_000 }).toBe(false)
}

async function upload(samples: string[][]): Promise<string> {
  const columns = labels.map(label => ({ label, prop: label, required: false }))
  const body = new Uint8Array(await writeTemplate({ sheet: '考场安排', notes: ['说明'], columns, samples }))
  const file = { name: '考场安排.xlsx', body }
  const { batch_no } = dataOf(importApi.upload, await call(importApi.upload, { code: 'exam_room' }, { ...school.as, file }))
  await settled(batch_no)
  return batch_no
}

const line = (no: string, name: string, room: string, seat: string, more: { number?: string; watcher?: string } = {}) =>
  ['11月月考', '语文', more.number ?? '', no, name, room, seat, more.watcher ?? '']
const errorsOf = async (batch_no: string) => dataOf(importApi.rows, await call(importApi.rows, { batch_no }, school.as)).list
  .map(row => [...row.errors, ...row.warnings].map(one => one.msg).join('；'))
const seats = async () => dataOf(planApi.seats, await call(planApi.seats, { exam_id, session_id }, school.as)).seats
  .map(one => [one.user_name, one.exam_no, one.seat]).toSorted()

test('a sheet of seats says of each line what is wrong, seats candidates with number and invigilator, and is taken back', async () => {
  expect(await errorsOf(await upload([
    line('c101', '学生c19', 'A101', '1'), line('x9', '某人', 'A101', '2'), line('c102', '学生c12', '礼堂', '1'), line('c103', '学生c13', 'A101',
      '61'),
    line('c103', '学生c13', 'A101', '10'), line('c201', '学生c21', 'A102', '1', { watcher: 'T999' }),
  ]))).toEqual(['姓名与编号不一致', '不在本次考试名单，请先更新考生名单', '考场名称不存在', '座位号应为1-60', '该考场没有这个座位号', '监考教师不存在或已离校'])
  const first = await upload([line('c101', '学生c11', 'A101', '1', { number: '900001', watcher: 'T000' }), line('c201', '学生c21', 'A101',
    '2', { number: '900002' })])
  dataOf(importApi.apply, await call(importApi.apply, { batch_no: first }, school.as))
  await settled(first)
  expect(await seats()).toEqual([['学生c11', '900001', 1], ['学生c21', '900002', 2]])
  const { posts } = dataOf(planApi.duties, await call(planApi.duties, { exam_id }, school.as))
  expect(posts.map(one => [one.session_id, one.user_id, one.role])).toEqual([[session_id, school.teachers[0], 1]])
  expect(await errorsOf(await upload([
    line('c102', '学生c12', 'A101', '1'), line('c103', '学生c13', 'A101', '4', { number: '900001' }), line('c202', '学生c22', 'A101', '3'),
  ]))).toEqual(['座位已被学生c11占用', '考号重复', '同班相邻：与学生c21'])
  const second = await upload([line('c101', '学生c11', 'A102', '5')])
  dataOf(importApi.apply, await call(importApi.apply, { batch_no: second }, school.as))
  await settled(second)
  expect(await seats()).toEqual([['学生c11', '900001', 5], ['学生c21', '900002', 2]])
  dataOf(importApi.undo, await call(importApi.undo, { batch_no: second }, school.as))
  await settled(second)
  expect(await seats()).toEqual([['学生c11', '900001', 1], ['学生c21', '900002', 2]])
}, patience_ms)

test('the plan leaves as a sheet; scores only with a reason, each line with who took them and when', async () => {
  const plan = await sheetLines(await call(examSheetApi.plan, { exam_id }, school.as))
  expect(plan.filter(cells => cells.includes('学生c11')).map(cells => cells.slice(0, 2))).toEqual([['11月月考', '语文']])
  const dept_id = school.depts.get('c1') ?? ''
  expect(refusal(await call(examSheetApi.score, { exam_id, dept_id }, school.as))).toEqual([422, 'exam.exportReason', '请填写导出成绩的原因'])
  const scores = await sheetLines(await call(examSheetApi.score, { exam_id, dept_id, reason: '年级分析会' }, school.as))
  const own = scores.filter(cells => cells.includes('学生c11'))
  expect([own.length, own.every(cells => /11月2日 10:0\d$/u.test(cells.at(-1) ?? ''))]).toEqual([2, true])
})
