import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { exportColumnApi, fieldApi, rollColumnApi, studentTemplateApi } from '@campus/people/contract'
import type { ColumnLine } from '@campus/people/contract'
import { preferenceApi } from '@campus/school/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

const school_id = 1001
const pref_key = 'columns:/ParentsRecord/student'
let app: TestApp
let clerk: TestUser
let looker: TestUser

beforeAll(async () => {
  app = await startTestApp()
  clerk = await app.as({ school_id, codes: ['people.field.edit', 'people.student.export', 'people.staff.export', 'people.parent.export', 'people.student.import'] })
  looker = await app.as({ school_id, codes: ['people.student.view'] })
})
afterAll(() => app.close())

const line = (prop: string, label: string, checked = true): ColumnLine => ({ prop, label, checked, default_action: false })
const shown = async (who: TestUser) => dataOf(preferenceApi.read, await app.call(preferenceApi.read, { pref_key }, { token: who.token })).value
const keep = (value: ColumnLine[] | null, who: TestUser) => app.call(preferenceApi.save, { pref_key, value }, { token: who.token })

test('the columns of a list are set for everybody who has not chosen his own; whoever gives up his own sees them again', async () => {
  const list = [line('user_name', '姓名'), { ...line('student_no', '学号'), label_copy: '校内学号' }, line('sex', '性别', false)]
  expect(dataOf(rollColumnApi.read, await app.call(rollColumnApi.read, { field_scene: 1 }, { token: looker.token })).list).toEqual([])
  expect((await app.call(rollColumnApi.save, { field_scene: 1, list }, { token: looker.token })).status).toBe(403)
  expect((await app.call(rollColumnApi.save, { field_scene: 1, list }, { token: clerk.token })).status).toBe(200)
  expect(dataOf(rollColumnApi.read, await app.call(rollColumnApi.read, { field_scene: 1 }, { token: looker.token })).list).toEqual(list)
  expect(await shown(looker)).toEqual(list)
  const own = [line('student_no', '学号')]
  expect((await keep(own, looker)).status).toBe(200)
  expect(await shown(looker)).toEqual(own)
  expect((await keep(null, looker)).status).toBe(200)
  expect(await shown(looker)).toEqual(list)
})

test('a default without a column and a list that has none of its own are refused', async () => {
  const nothing = await app.call(rollColumnApi.save, { field_scene: 1, list: [line('sex', '性别', false)] }, { token: clerk.token })
  expect([nothing.status, nothing.body.data]).toMatchObject([400, { errors: [{ msg: '至少保留一列' }] }])
  const strange = await app.call(rollColumnApi.read, { field_scene: 3 }, { token: clerk.token })
  expect([strange.status, strange.body.msg]).toEqual([422, '不支持的字段场景'])
})

test('an export offers the columns of the list and the school’s own fields, and keeps which ones a person took', async () => {
  const field = { field_code: 'bus_line', label: '校车线路', type: 'text' as const }
  expect((await app.call(fieldApi.save, { field_scene: 1, list: [field, { ...field, field_code: 'inner_note', label: '内部备注', in_export: false }] }, { token: clerk.token })).status).toBe(200)
  const offered = async () => dataOf(exportColumnApi.student, await app.call(exportColumnApi.student, {}, { token: clerk.token })).list
  const all = await offered()
  expect(all.map(one => one.label)).toEqual(['姓名', '学号', '班级', '年级', '性别', '证件类型', '证件号', '就读方式', '状态', '家长', '完整度', '更新时间', '校车线路'])
  expect(all.every(one => one.checked)).toBe(true)
  expect((await app.call(exportColumnApi.remember, { list: 'student', fields: ['user_name', 'ext.bus_line'] }, { token: clerk.token })).status).toBe(200)
  expect((await offered()).flatMap(one => (one.checked ? [one.prop] : []))).toEqual(['user_name', 'ext.bus_line'])
  const parents = dataOf(exportColumnApi.parent, await app.call(exportColumnApi.parent, {}, { token: clerk.token })).list
  expect(parents.map(one => one.checked)).toEqual([true, true, true, true, true])
  expect((await app.call(exportColumnApi.staff, {}, { token: looker.token })).status).toBe(403)
})

test('the sheet for new pupils is there under its old name, for whoever may import them', async () => {
  const answer = await app.call(studentTemplateApi.student, {}, { token: clerk.token })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('spreadsheetml')
  expect((await app.call(studentTemplateApi.student, {}, { token: looker.token })).status).toBe(403)
})
