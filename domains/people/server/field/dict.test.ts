import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { fieldApi, peopleErrors, staffApi, staffFileApi } from '@campus/people/contract'
import type { CustomField } from '@campus/people/contract'
import { dictionaryEditApi } from '@campus/school/contract'
import type { DictionaryLine } from '@campus/school/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { openSchool } from '../testing/changer.ts'
import { importer } from '../testing/importer.ts'

type FieldInput = Request<typeof fieldApi.save>['list'][number]

const school_id = 1001
const codes = ['people.field.edit', 'people.staff.view', 'people.staff.edit', 'people.staff.import', 'school.dict.view', 'school.dict.edit']
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let type = ''
let lines: DictionaryLine[]

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
  const types = dataOf(dictionaryEditApi.types, await app.call(dictionaryEditApi.types, {}, { token: clerk.token })).list
  type = types.find(one => one.editable && one.items > 2)?.sc_code_type ?? ''
  lines = dataOf(dictionaryEditApi.lines, await app.call(dictionaryEditApi.lines, { sc_code_type: type }, { token: clerk.token })).list
  await save([{ field_code: 'choice', label: '选择', type: 'dict', dict_code: type, in_index: true }])
})
afterAll(() => app.close())

const save = (list: FieldInput[]) => app.call(fieldApi.save, { field_scene: 2, list }, { token: clerk.token })
const fieldsOf = async (): Promise<CustomField[]> => dataOf(fieldApi.list, await app.call(fieldApi.list, { field_scene: 2 }, { token: clerk.token })).list
const asLine = (field: CustomField): FieldInput => {
  const { order_no: _, used: __, may_edit: ___, ...line } = field
  return { ...line, options: line.dict_code === null ? line.options : null }
}
const file = async (user_id: string) => dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
const valueOf = async (user_id: string) => (await file(user_id)).custom.map(field => field.value)
async function fill(user_id: string, choice: string): Promise<Answer> {
  const { row_version } = await file(user_id)
  return app.call(staffFileApi.update, { user_id, row_version, ext: { choice } }, { token: clerk.token })
}
const found = async (name: string) => dataOf(staffApi.list, await app.call(staffApi.list, { ext: `choice:${name}` }, { token: clerk.token })).list.map(row => [row.user_id, row.ext])

test('a field takes its options from a dictionary, keeps the code, and says the name of today', async () => {
  const [id = '', other = ''] = school.teachers
  const [first, second] = lines
  expect((await fieldsOf()).map(field => field.options)).toEqual([lines.filter(line => line.enabled).map(line => line.name)])
  expect((await fill(id, '没有的名称')).body.data).toEqual({ errors: [{ field: 'ext.choice', msg: '没有选项：没有的名称' }] })
  expect((await fill(id, first?.name ?? '')).status).toBe(200)
  const stored = await app.running.database.tenant<PeopleDb, unknown>(school_id, async db => (await sql<{ ext: unknown }>`select ext from staff where school_id = ${school_id} and user_id = ${id}`.execute(db)).rows[0]?.ext)
  expect(stored).toEqual({ choice: first?.sc_code_item })
  const change = { sc_code_type: type, sc_code_item: first?.sc_code_item ?? '', name: '改过的名称', order: first?.order ?? 0, enabled: true }
  expect((await app.call(dictionaryEditApi.change, change, { token: clerk.token })).status).toBe(200)
  expect(await valueOf(id)).toEqual(['改过的名称'])
  expect(await found('改过的名称')).toEqual([[id, { choice: '改过的名称' }]])
  expect(await found(second?.name ?? '')).toEqual([])
  const by = importer(app, clerk)
  const own = [{ prop: 'ext.choice', label: '选择' }]
  const batch = await by.upload('teacher', await by.sheet('teacher', [{ teacher_no: 'T1', 'ext.choice': '改过的名称' }, { teacher_no: 'T2', 'ext.choice': second?.name ?? '' }], own))
  expect((await by.rows(batch.batch_no)).map(row => [row.verdict, row.diff])).toEqual([['same', []], ['change', [{ prop: 'ext.choice', label: '选择', before: '', after: second?.name }]]])
  await by.apply(batch.batch_no)
  expect(await valueOf(other)).toEqual([second?.name])
  await app.call(dictionaryEditApi.change, { ...change, enabled: false }, { token: clerk.token })
  expect(await valueOf(id)).toEqual(['改过的名称'])
  expect((await fill(other, '改过的名称')).status).toBe(422)
})

test('a dictionary exists, is of one choice, and stays once somebody has a value', async () => {
  const standing = (await fieldsOf()).map(asLine)
  const more = (line: Partial<FieldInput>) => save([...standing, { field_code: 'more', label: '另一个', type: 'dict', ...line }])
  expect((await more({ dict_code: 'NO_SUCH' })).body.error_id).toBe('people.fieldDict')
  expect((await more({ dict_code: type, type: 'multi' })).status).toBe(400)
  expect((await more({ dict_code: type, options: ['甲', '乙'] })).status).toBe(400)
  expect((await save(standing.map(line => ({ ...line, dict_code: null, options: ['甲', '乙'] })))).body.msg).toBe(peopleErrors.fieldTypeUsed.msg.replace('{label}', '选择'))
  expect((await save(standing)).status).toBe(200)
})
