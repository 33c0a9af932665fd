import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { studentGatherApi } from '@campus/attendance/contract'
import { importApi } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recompute, ruleForAll, statesOf } from '../testing/attend-days.ts'
import { drainTo, makeLessonSchool, monday } from '../testing/lesson-school.ts'
import type { LessonSchool } from '../testing/lesson-school.ts'

const { a: school_id } = test_schools
/** Three sheets go in and one comes back. */
const patience_ms = 300_000
const labels = ['日期', '节次', '学号/工号', '姓名', '状态', '迟到分钟', '原因']
let app: TestApp
let me: TestUser
let school: LessonSchool

const as = () => ({ token: me.token })
async function at(moment: string): Promise<void> {
  app.clock.setTo(moment)
  me = await app.as({ school_id, codes: 'all', places: 'all' })
}

beforeAll(async () => {
  app = await startTestApp()
  await at('2026-09-01T10:00:00+08:00')
  school = await makeLessonSchool(app, me)
  await ruleForAll({ app, me, school_id }, 1, monday)
  await at(`${monday}T12:00:00+08:00`)
  await drainTo(app, school.board, `${monday}T11:50:00+08:00`)
  await recompute({ app, me, school_id }, monday, monday)
}, patience_ms)
afterAll(() => app.close())

async function settled(batch_no: string): Promise<void> {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as())).state
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes(await read()), { timeout: 60_000 }).toBe(false)
}

async function upload(samples: string[][]): Promise<string> {
  const columns = labels.map(label => ({ label, prop: label, required: false }))
  const body = new Uint8Array(await writeTemplate({ sheet: '考勤补录', notes: ['说明'], columns, samples }))
  const file = { name: '补录.xlsx', body }
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'attend_fix' }, { ...as(), file }))
  await settled(batch_no)
  return batch_no
}

const expected = async () => dataOf(studentGatherApi.personal, await app.call(studentGatherApi.personal, { from: monday, to: monday },
  as())).totals.expected

test('a sheet of corrections says what is wrong with each line, shows before and after, corrects the results and is taken back as a whole', async () => {
  const line = (no: string, name: string, section: string, [state = '', late = '', day = monday]: string[]) =>
    [day, section, no, name, state, late, '班牌故障，教师确认到课']
  const bad = await upload([
    line('A000', '学生9', '1', ['正常']), line('X999', '某人', '1', ['正常']), line('A000', '学生0', '9', ['正常']), line('A000', '学生0', '1', ['没来']),
    line('A001', '学生1', '1', ['迟到', '46']), line('A001', '学生1', '1', ['正常', '', '2026-09-13']),
  ])
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: bad }, as()))
  expect(list.map(row => row.errors.map(error => error.msg).join('；'))).toEqual([
    '姓名与编号不一致', '人员不存在', '该人员此节次无需考勤', '字典值不存在', '迟到分钟应为0-45', '该人员此节次无需考勤',
  ])
  expect(await statesOf({ app, me, school_id }, monday, school.pupils[0])).toEqual([4, 4, 4])
  const before = await expected()
  const batch_no = await upload([line('A000', '学生0', '第1节', ['正常']), line('A000', '学生0', '2', ['迟到', '6']), line('A001', '学生1', '3', ['请假'])])
  const rows = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no }, as())).list
  expect(rows.map(row => row.diff.map(one => `${one.before} → ${one.after}`).join())).toEqual(
    ['缺勤(旷课) → 正常', '缺勤(旷课) → 迟到6分钟', '缺勤(旷课) → 请假'])
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  await settled(batch_no)
  await recompute({ app, me, school_id }, monday, monday, 'force')
  expect([await statesOf({ app, me, school_id }, monday, school.pupils[0]), await statesOf({ app, me, school_id }, monday,
    school.pupils[1])])
    .toEqual([[1, 2, 4], [4, 4, 5]])
  const again = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: await upload([line('A000', '学生0', '1', ['缺勤'])]) },
    as())).list
  expect(again[0]?.errors[0]?.msg).toMatch(/^该记录已有更正：.* 2026-09-14 12:00$/u)
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
  await settled(batch_no)
  await recompute({ app, me, school_id }, monday, monday, 'force')
  expect([await statesOf({ app, me, school_id }, monday, school.pupils[0]), await expected()]).toEqual([[4, 4, 4], before])
}, patience_ms)
