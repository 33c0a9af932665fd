import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { fieldApi, peopleErrors, personHistoryApi, staffApi, staffFileApi } from '@campus/people/contract'
import type { CustomField } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool } from '../testing/changer.ts'

type Line = Request<typeof fieldApi.save>['list'][number]

const codes = ['people.field.edit', 'people.staff.view', 'people.staff.edit', 'people.archive.view']
const office = { field_code: 'office', label: '办公室', type: 'text', max_len: 6, in_index: true } satisfies Line
const duty_day = { field_code: 'duty_day', label: '值班日', type: 'dict', options: ['周一', '周二'], in_index: true, group_name: '值班' } satisfies Line
const relative = { field_code: 'relative', label: '紧急联系人手机', type: 'mobile', level: 3, in_index: true } satisfies Line
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  await openSchool(app, 1002)
  clerk = await app.as({ school_id: 1001, codes })
  await save([office, duty_day, relative])
})
afterAll(() => app.close())

const save = (list: Line[], field_scene = 2, who = clerk) => app.call(fieldApi.save, { field_scene, list }, { token: who.token })
const fieldsOf = async (field_scene = 2, who = clerk) => dataOf(fieldApi.list, await app.call(fieldApi.list, { field_scene }, { token: who.token })).list
const file = async (user_id: string) => dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
const valuesOf = async (user_id: string) => Object.fromEntries((await file(user_id)).custom.map(field => [field.field_code, field.value]))
const errorsOf = ({ body }: Answer): unknown => (typeof body.data === 'object' && body.data !== null ? Reflect.get(body.data, 'errors') : null)
const asLine = (field: CustomField): Line => {
  const { order_no: _, used: __, may_edit: ___, ...line } = field
  return line
}

function draft(more: Partial<Request<typeof staffFileApi.create>> = {}) {
  made += 1
  return { user_name: `新教师${made}`, sex: '2', teacher_no: `F${made}`, mobile: `1691200${String(made).padStart(4, '0')}`, kind: '11', join_month: '202609', depts: [{ dept_id: school.office }], ...more }
}
const create = (more: Partial<Request<typeof staffFileApi.create>> = {}) => app.call(staffFileApi.create, draft(more), { token: clerk.token })
const created = async (ext: Record<string, string> = {}) => dataOf(staffFileApi.create, await create({ ext })).user_id

async function fill(user_id: string, ext: Record<string, string | null>): Promise<Answer> {
  const { row_version } = await file(user_id)
  return app.call(staffFileApi.update, { user_id, row_version, ext }, { token: clerk.token })
}

test('staff have fields of their own: pupils do not get them, and a name that their file has is taken', async () => {
  expect((await fieldsOf()).map(field => field.field_code)).toEqual(['office', 'duty_day', 'relative'])
  expect(await fieldsOf(1)).toEqual([])
  const standing = (await fieldsOf()).map(asLine)
  expect((await save([...standing, { field_code: 'grade', label: '职称', type: 'text' }])).body.error_id).toBe('people.fieldLabelTaken')
  expect((await save([{ field_code: 'office', label: '职称', type: 'text' }], 1)).status).toBe(200)
  expect((await fieldsOf()).map(field => field.label)).toEqual(['办公室', '值班日', '紧急联系人手机'])
})

test('values are written with a new file and with an edit, and every one is a line of the change record', async () => {
  const user_id = await created({ office: '南楼301', relative: '16900012345' })
  expect(await valuesOf(user_id)).toEqual({ office: '南楼301', duty_day: null, relative: '169****2345' })
  expect((await fill(user_id, { office: null, duty_day: '周二' })).status).toBe(200)
  expect(await valuesOf(user_id)).toEqual({ office: null, duty_day: '周二', relative: '169****2345' })
  const { row_version } = await file(user_id)
  expect(dataOf(staffFileApi.update, await fill(user_id, { duty_day: '周二' })).row_version).toBe(row_version)
  const { list } = dataOf(personHistoryApi.history, await app.call(personHistoryApi.history, { id: user_id, field: 'ext.office' }, { token: clerk.token }))
  expect(list.map(({ change }) => [change.before, change.after])).toEqual([['南楼301', null], [null, '南楼301']])
  const journal = await app.running.database.tenant<PeopleDb, unknown[]>(1001, db => db.selectFrom('archive_log_v').selectAll().where('school_id', '=', 1001).execute())
  expect(JSON.stringify(journal)).not.toContain('16900012345')
})

test('a wrong value stands beside its field and nothing is written; an older file is told the other value', async () => {
  const user_id = await created({ office: '北楼' })
  const answer = await fill(user_id, { office: '行政楼二层201', duty_day: '周日', shoes: '40', relative: '1' })
  expect(answer.status).toBe(422)
  expect(errorsOf(answer)).toEqual([
    { field: 'ext.shoes', msg: '字段不存在或已停用' },
    { field: 'ext.office', msg: '超过6个字' },
    { field: 'ext.duty_day', msg: '没有选项：周日' },
    { field: 'ext.relative', msg: expect.any(String) },
  ])
  expect(await valuesOf(user_id)).toMatchObject({ office: '北楼', duty_day: null })
  const { row_version } = await file(user_id)
  expect((await fill(user_id, { office: '东楼' })).status).toBe(200)
  const late = await app.call(staffFileApi.update, { user_id, row_version, ext: { office: '西楼' } }, { token: clerk.token })
  expect([late.status, late.body.data]).toEqual([409, expect.objectContaining({ differences: [{ field: 'ext.office', label: '办公室', mine: '西楼', theirs: '东楼' }] })])
})

test('the list shows offered fields, masks sensitive ones, finds by a value and by nothing filled', async () => {
  const one = await created({ office: '图书馆', duty_day: '周一', relative: '16900054321' })
  const other = await created({ office: '体育馆' })
  const ask = (ext: string) => app.call(staffApi.list, { ext, keyword: '新教师' }, { token: clerk.token })
  const found = async (ext: string) => dataOf(staffApi.list, await ask(ext)).list.map(row => [row.user_id, row.ext])
  expect(await found('office:图书馆')).toEqual([[one, { office: '图书馆', duty_day: '周一', relative: '169****4321' }]])
  expect(await found('duty_day:周一')).toEqual([[one, { office: '图书馆', duty_day: '周一', relative: '169****4321' }]])
  expect((await found('duty_day:')).map(([id]) => id)).toContain(other)
  expect((await found('duty_day:')).map(([id]) => id)).not.toContain(one)
  expect((await ask('relative:16900054321')).body.msg).toBe(peopleErrors.fieldGone.msg)
})

test('a required field is demanded of new staff; one with values keeps its type and code', async () => {
  const standing = (await fieldsOf()).map(asLine)
  expect((await save([...standing, { field_code: 'shirt', label: '工装尺码', type: 'dict', options: ['M', 'L'], required: true }])).status).toBe(200)
  expect(errorsOf(await create())).toEqual([{ field: 'ext.shirt', msg: '必填项不能为空' }])
  const user_id = await created({ shirt: 'L' })
  expect(errorsOf(await fill(user_id, { shirt: null }))).toEqual([{ field: 'ext.shirt', msg: '必填项不能为空' }])
  const lines = (await fieldsOf()).map(asLine)
  expect((await save(lines.map(line => (line.field_code === 'shirt' ? { ...line, type: 'text', options: null } : line)))).body.error_id).toBe('people.fieldTypeUsed')
})

test('another school sees and changes nothing of them', async () => {
  const other = await app.as({ school_id: 1002, codes })
  expect(await fieldsOf(2, other)).toEqual([])
  expect((await save((await fieldsOf()).map(asLine), 2, other)).status).toBe(404)
})
