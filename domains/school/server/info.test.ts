import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { schoolInfoApi } from '@campus/school/contract'
import type { SchoolDetail } from '@campus/school/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
type Draft = Request<typeof schoolInfoApi.update>
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: ['school.info.view', 'school.info.edit'] })
})
afterAll(() => app.close())

async function read(): Promise<SchoolDetail> {
  return dataOf(schoolInfoApi.detail, await app.call(schoolInfoApi.detail, {}, { token: admin.token }))
}

async function save(more: Partial<Draft>) {
  const { school_id: _id, school_type: _type, school_logo_url: _logo, login_bg_url: _bg, state: _state, ...draft } = await read()
  return app.call(schoolInfoApi.update, { ...draft, ...more }, { token: admin.token })
}

test('what is said of the school is kept as it was said', async () => {
  const said = { school_name: '测试第一小学', address: '山东省青岛市启明路1号', division: '370200', principal_name: '王小明', tel: '0532-88886666', icp_no: '鲁ICP备00000000号', home_lng: 120.382639, home_lat: 36.067108 }
  const answer = dataOf(schoolInfoApi.update, await save(said))
  expect(answer).toMatchObject(said)
  expect(await read()).toEqual(answer)
})

test('numbers typed with a Chinese keyboard are kept as numbers', async () => {
  const typed = { school_code: ' ３７０２００１A ', division: '３７０２００', tel: '０５３２－８８８８６６６６' }
  expect(dataOf(schoolInfoApi.update, await save(typed))).toMatchObject({ school_code: '3702001A', division: '370200', tel: '0532-88886666' })
})

test('an emptied box is nothing', async () => {
  expect(dataOf(schoolInfoApi.update, await save({ tel: '', principal_name: '  ', division: '' }))).toMatchObject({ tel: null, principal_name: null, division: null })
})

test.each<[string, Partial<Draft>, string]>([
  ['a name with signs', { school_name: '测试<学校>' }, '不能包含特殊字符'],
  ['a name of 31 signs', { school_name: '校'.repeat(31) }, '超过30个字'],
  ['no name', { school_name: ' ' }, '必填项不能为空'],
  ['a telephone number of letters', { tel: 'call me' }, '联系电话不正确'],
  ['a division of four digits', { division: '3702' }, '行政区划不正确'],
])('%s is refused with its sentence', async (_what, more, msg) => {
  const before = await read()
  const refused = await save(more)
  expect(refused.status).toBe(400)
  expect(JSON.stringify(refused.body)).toContain(msg)
  expect(await read()).toEqual(before)
})

test('of two administrators who save at once one is told', async () => {
  const { row_version } = await read()
  const both = await Promise.all(['一', '二'].map(name => save({ school_name: `测试${name}校`, row_version })))
  expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409])
})

test('whoever may only look cannot change', async () => {
  const viewer = await app.as({ school_id, codes: ['school.info.view'] })
  const { school_id: _id, school_type: _type, school_logo_url: _logo, login_bg_url: _bg, state: _state, ...draft } = await read()
  expect((await app.call(schoolInfoApi.update, draft, { token: viewer.token })).status).toBe(403)
})
