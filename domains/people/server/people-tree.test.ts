import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { peopleTreeApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from './people.builders.ts'
import { openSchool } from './testing/changer.ts'

let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  clerk = await app.as({ school_id: 1001, codes: ['people.picker.use'] })
})
afterAll(() => app.close())

async function level(query: Request<typeof peopleTreeApi.level>, who = clerk) {
  const { list } = dataOf(peopleTreeApi.level, await app.call(peopleTreeApi.level, query, { token: who.token }))
  return list.map(node => [node.user_or_dept, node.dept_name, node.has_child])
}

test('a level of the tree: the departments below one, then the people of that very one', async () => {
  expect(await level({ parent_id: school.grade })).toEqual([[1, '一年级1班', true], [1, '一年级2班', true]])
  expect(await level({ parent_id: school.class_1 })).toEqual([[2, '王子涵', false], [2, '王子轩', false]])
  expect(await level({ tree: 'staff', parent_id: school.office })).toEqual([[2, '陈晓华', false], [2, '周明', false]])
  const [root] = await level({})
  expect(root?.slice(0, 1)).toEqual([1])
})

test('a keyword finds departments and people, each with where it stands', async () => {
  expect(await level({ keyword: '王' })).toEqual([[2, '王子涵', false], [2, '王子轩', false]])
  expect(await level({ keyword: '1班' })).toEqual([[1, '一年级1班', true]])
  const { list } = dataOf(peopleTreeApi.level, await app.call(peopleTreeApi.level, { tree: 'staff', keyword: 'T2' }, { token: clerk.token }))
  expect(list).toMatchObject([{ user_or_dept: 2, dept_name: '周明', user_no: 'T2', pname: '教务处' }])
})

test('20-A35 a level holds only what the row scope shows, and nothing of another school', async () => {
  const head = await app.as({ school_id: 1001, codes: ['people.picker.use'], scope: 'custom', scope_ids: [school.class_2] })
  expect(await level({ parent_id: school.class_1 }, head)).toEqual([])
  expect(await level({ parent_id: school.class_2 }, head)).toEqual([[2, '单小明', false]])
  expect(await level({ keyword: '王' }, head)).toEqual([])
  const other = await app.as({ school_id: 1002, codes: ['people.picker.use'] })
  expect((await app.call(peopleTreeApi.level, { parent_id: school.class_1 }, { token: other.token })).status).toBe(404)
})
