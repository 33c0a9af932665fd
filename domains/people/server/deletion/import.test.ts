import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { userDeleteApi } from '@campus/people/contract'
import { writeTemplate } from '@kit/server/excel'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn } from '../testing/changer.ts'
import { delete_codes, deleter } from '../testing/deleter.ts'

const codes = [...delete_codes, 'people.delete.import', 'people.change.run', 'people.student.view']
const school_id = 1001
const labels = ['人员类别', '编号', '姓名', '删除原因']
const columns = labels.map(label => ({ prop: label, label, required: true, text: true }))
let app: TestApp
let school: SmallSchool
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  admin = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const one = async (batch_no: string): Promise<ImportBatch> => dataOf(importApi.one, await app.call(importApi.one, { batch_no }, { token: admin.token }))
async function settled(batch_no: string, states: readonly string[]): Promise<ImportBatch> {
  await expect.poll(async () => states.includes((await one(batch_no)).state), { timeout: 20_000 }).toBe(true)
  return one(batch_no)
}

test('a sheet lists people in a batch that waits for somebody; strangers, wrong names and people still here stay out', async () => {
  const ids = await pupilsIn(app, school_id, school.class_1, ['I1', 'I2'])
  await changer(app, admin).give({ kind: 'OUT', subjects: ids.map(user_id => ({ user_id })), effective_on: dayOf(app), reason: '迁居' })
  const lines = [
    ['学生', 'I1', '学生I1', '已毕业'], ['学生', 'I2', '学生I2', '已毕业'], ['学生', 'I9', '无此人', '已毕业'], ['学生', 'I2', '别的名字', '已毕业'],
    ['学生', '20260101', '王子涵', '已毕业'], ['家长', '16900000003', '单大山', '重复登记'], ['路人', 'I3', '某', '已毕业'],
  ]
  const body = await writeTemplate({ sheet: '人员删除导入', notes: ['说明', '说明'], columns, samples: [lines[0] ?? [], ...lines.slice(1)] })
  const uploaded = dataOf(importApi.upload, await app.call(importApi.upload, { code: 'delete_people' }, { token: admin.token, file: { name: 'delete.xlsx', body } }))
  await settled(uploaded.batch_no, ['parsed', 'refused', 'failed'])
  const { list } = dataOf(importApi.rows, await app.call(importApi.rows, { batch_no: uploaded.batch_no, page_size: 300 }, { token: admin.token }))
  const said = list.map(row => row.errors.map(issue => issue.msg).join('；'))
  expect(said.slice(2)).toEqual([
    '人员不存在', expect.stringContaining('姓名与编号不一致'), '仍在校，请先办理离校', expect.stringContaining('请先办理离校'), '请填写学生、教职工或家长',
  ])
  expect(dataOf(userDeleteApi.batches, await app.call(userDeleteApi.batches, { source: 'import' }, { token: admin.token })).total).toBe(0)
  for (const { row_no, errors } of list) if (errors.length > 0) await app.call(importApi.fix, { batch_no: uploaded.batch_no, row_no, skip: true }, { token: admin.token })
  await app.call(importApi.apply, { batch_no: uploaded.batch_no }, { token: admin.token })
  await settled(uploaded.batch_no, ['applied', 'failed'])
  const { list: batches } = dataOf(userDeleteApi.batches, await app.call(userDeleteApi.batches, { source: 'import' }, { token: admin.token }))
  expect(batches).toMatchObject([{ state: 'checking', waits_for: 'confirm', reason: '已毕业' }])
  const listed = await deleter(app, admin).details(batches[0]?.batch_no ?? '')
  expect(listed.map(row => row.user_no)).toEqual([expect.stringMatching(/^I[12]$/)])
})
