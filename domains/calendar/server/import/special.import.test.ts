import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { semesterApi, specialApi } from '@campus/calendar/contract'
import { importApi } from '@campus/jobs/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'

const codes = ['calendar.day.view', 'calendar.day.edit', 'calendar.day.import', 'calendar.semester.edit']
const labels = ['日期起', '日期止', '名称', '类型', '年级', '跟随日期']
const good = [
  ['2030-12-23', '2030-12-24', '校庆放假', '校定假日', '', ''],
  ['2030-12-28', '2030-12-28', '调休上班', '调休上班', '', '2030-12-23'],
  ['2030-11-01', '2030-11-01', '研学', '活动日', '高一；高二', ''],
]
const bad = [
  ['2030-12-23', '2030-12-24', '校庆放假', '校定假日', '', ''],
  ['2030-12-24', '2030-12-24', '又一个', '校定假日', '', ''],
  ['2030-13-01', '2030-12-24', '错日期', '校定假日', '', ''],
  ['2031-05-01', '2031-05-01', '学期外', '考试日', '', ''],
  ['2030-12-29', '2030-12-29', '错类型', '休息', '高九', ''],
]
let app: TestApp
let me: TestUser

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id: test_schools.a, codes })
  await app.call(semesterApi.add, { school_year: '2030-2031', term: '1', name: '学期', begin_date: '2030-09-02', end_date: '2031-01-24' }, as())
})
afterAll(() => app.close())

const as = () => ({ token: me.token })
async function settled(batch_no: string) {
  const read = async () => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, as()))
  await expect.poll(async () => ['uploaded', 'parsing', 'applying', 'undoing'].includes((await read()).state), { timeout: 60_000 }).toBe(false)
  return read()
}
const dayOf = async (date: string) => dataOf(specialApi.days, await app.call(specialApi.days, { from: date, to: date, grade: '31' }, as())).list[0]

async function upload(lines: string[][]) {
  const body = new Uint8Array(await writeTemplate({ sheet: '校历导入', notes: ['说明'], columns: labels.map(label => ({ label, prop: label, required: false })), samples: lines }))
  const { batch_no } = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'calendar_special' }, { ...as(), file: { name: '校历.xlsx', body } }))
  await settled(batch_no)
  return batch_no
}

test('a sheet sets days, says of every wrong line what is wrong, and is taken back', async () => {
  const rows = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: await upload(bad) }, as())).list
  expect(rows.map(row => row.errors.map(error => error.msg).join())).toEqual([expect.any(String), expect.stringMatching(/重复|相同/), '请选择开始日期', '日期不在任何学期内，请先设置学期', '字典值不存在,年级不存在'])
  const batch_no = await upload(good)
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, as()))
  await settled(batch_no)
  expect([await dayOf('2030-12-28'), await dayOf('2030-11-01')]).toMatchObject([{ day_kind: 3, plan_date: '2030-12-23', plan_weekday: 1 }, { day_kind: 10, is_school_day: true }])
  dataOf(importApi.undo, await app.call(importApi.undo, { batch_no }, as()))
  await settled(batch_no)
  expect([await dayOf('2030-12-28'), await dayOf('2030-11-01')]).toMatchObject([{ day_kind: 4 }, { day_kind: 8 }])
})
