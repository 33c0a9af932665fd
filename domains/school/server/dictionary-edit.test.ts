import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { dictionaryApi, dictionaryEditApi } from '@campus/school/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id, b: other_school } = test_schools
const sc_code_type = 'HONOUR_CLASS'
const codes = ['school.dict.view', 'school.dict.edit']
let app: TestApp
let admin: TestUser
let neighbour: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes })
  neighbour = await app.as({ school_id: other_school, codes })
})
afterAll(() => app.close())

async function lines({ token } = admin) {
  return dataOf(dictionaryEditApi.lines, await app.call(dictionaryEditApi.lines, { sc_code_type }, { token })).list
}

async function known({ token, school_id: id } = admin) {
  const { list = [], version } = dataOf(dictionaryApi.all, await app.call(dictionaryApi.all, { school_id: id }, { token }))
  return { version, list: list.filter(item => item.sc_code_type === sc_code_type) }
}

const item = (sc_code_item: string, name: string, more = {}) => ({ sc_code_type, sc_code_item, name, order: 1, enabled: true, ...more })
const add = (draft: ReturnType<typeof item>) => app.call(dictionaryEditApi.add, draft, { token: admin.token })
const change = (draft: ReturnType<typeof item>) => app.call(dictionaryEditApi.change, draft, { token: admin.token })

test('an item of the school’s own is everywhere in this school and nowhere else', async () => {
  const before = await known()
  expect(dataOf(dictionaryEditApi.add, await add(item('SF', '书法班级', { order: 99 })))).toEqual({ ...item('SF', '书法班级', { order: 99 }), own: true, standard_name: null })
  const after = await known()
  expect(after.version).not.toBe(before.version)
  expect(after.list.at(-1)).toEqual({ sc_code_type, sc_code_item: 'SF', name: '书法班级', order: 99 })
  expect((await known(neighbour)).list).toEqual(before.list)
})

test('another name of a standard item is this school’s alone, and the standard one is told beside it', async () => {
  const [standard] = await lines(neighbour)
  await change(item(standard?.sc_code_item ?? '', '文明之星班级'))
  expect((await lines()).find(line => line.sc_code_item === standard?.sc_code_item)).toMatchObject({ name: '文明之星班级', own: true, standard_name: standard?.name })
  expect((await lines(neighbour))[0]).toEqual(standard)
})

test('a disabled item keeps its name where it is stored and is marked for every choice', async () => {
  await change(item('SF', '书法班级', { enabled: false }))
  expect((await known()).list.find(line => line.sc_code_item === 'SF')).toEqual({ sc_code_type, sc_code_item: 'SF', name: '书法班级', order: 1, disabled: 1 })
})

test('a code is never used again, a name stands once', async () => {
  expect((await add(item('SF', '别的班级'))).body.msg).toBe('代码已使用过，不能再用作别的含义，请换一个代码')
  const twice = await add(item('SG', '书法班级'))
  expect([twice.status, twice.body.msg]).toEqual([409, '名称已存在'])
})

test('a standard dictionary is only read', async () => {
  const refused = await app.call(dictionaryEditApi.add, { ...item('9', '其他性别'), sc_code_type: 'SEX' }, { token: admin.token })
  expect([refused.status, refused.body.msg]).toEqual([422, '标准字典不可修改'])
})

test('what does not exist is said', async () => {
  expect((await change(item('NONE', '没有'))).body.msg).toBe('没有这个字典项，请刷新后重试')
  expect((await app.call(dictionaryEditApi.lines, { sc_code_type: 'NONE' }, { token: admin.token })).body.msg).toBe('没有这个字典类型，请刷新后重试')
})

test('types tell how many items they have and how many are the school’s own words', async () => {
  const { list } = dataOf(dictionaryEditApi.types, await app.call(dictionaryEditApi.types, {}, { token: admin.token }))
  const own = list.find(type => type.sc_code_type === sc_code_type)
  expect(own).toMatchObject({ title: '班级荣誉', editable: true, own: 2 })
  expect(own?.items).toBe((await lines()).length)
  expect(list.find(type => type.sc_code_type === 'SEX')).toMatchObject({ editable: false, own: 0 })
})
