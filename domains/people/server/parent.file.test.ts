import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { parentApi, parentFileApi, staffFileApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from './people.builders.ts'
import { openSchool } from './testing/changer.ts'

const school_id = 1001
let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes: ['people.parent.view', 'people.parent.edit', 'people.staff.view', 'people.staff.edit'] })
})
afterAll(() => app.close())

const idOf = async (keyword: string) => dataOf(parentApi.list, await app.call(parentApi.list, { keyword }, { token: clerk.token })).list[0]?.user_id ?? ''
const file = (id: string, who = clerk) => app.call(parentFileApi.detail, { id }, { token: who.token })
const save = (body: Request<typeof parentFileApi.plates>, who = clerk) => app.call(parentFileApi.plates, body, { token: who.token })

test('20-A18 a guardian has plates like anybody else: registered, refused to another one, wrong ones told, a stale file told', async () => {
  const father = await idOf('王志强')
  const known = dataOf(parentFileApi.detail, await file(father))
  expect(known).toMatchObject({ user_name: '王志强', mobile: '169****0001', plates: [], children: [{ user_name: '王子涵' }, { user_name: '王子轩' }] })
  const saved = await save({ id: father, row_version: known.row_version, plates: ['鲁B00021', '鲁BD00022'] })
  expect(dataOf(parentFileApi.plates, saved)).toEqual({ row_version: known.row_version + 1 })
  expect(dataOf(parentFileApi.detail, await file(father)).plates).toEqual(['鲁B00021', '鲁BD00022'])
  const stale = await save({ id: father, row_version: known.row_version, plates: [] })
  expect([stale.status, stale.body.error_id]).toEqual([409, 'people.staleRow'])
  const mother = await idOf('李秀芳')
  const { row_version } = dataOf(parentFileApi.detail, await file(mother))
  const taken = await save({ id: mother, row_version, plates: ['鲁B00021'] })
  expect([taken.status, taken.body.msg]).toEqual([409, '车牌号已被登记'])
  const wrong = await save({ id: mother, row_version, plates: ['鲁B0002'] })
  expect([wrong.status, wrong.body.data]).toMatchObject([400, { errors: [{ field: 'plates', msg: '车牌号不合法' }] }])
  const [teacher = ''] = school.teachers
  const staff = dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id: teacher }, { token: clerk.token }))
  expect((await app.call(staffFileApi.update, { user_id: teacher, row_version: staff.row_version, plates: ['鲁BD00022'] }, { token: clerk.token })).body.error_id).toBe('people.plateTaken')
})

test('20-A35 guardians of pupils beyond the scope, staff who are none and strangers are not found', async () => {
  const head = await app.as({ school_id, codes: ['people.parent.view', 'people.parent.edit'], scope: 'custom', scope_ids: [school.class_2] })
  const father = await idOf('王志强')
  expect((await file(father, head)).status).toBe(404)
  expect((await save({ id: father, row_version: 1, plates: [] }, head)).status).toBe(404)
  expect((await file(await idOf('单大山'), head)).status).toBe(200)
  expect((await file(school.teachers[0] ?? '')).status).toBe(404)
})
