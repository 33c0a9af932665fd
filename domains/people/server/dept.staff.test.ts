import { dataOf } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { deptStaffApi, staffApi } from '@campus/people/contract'
import type { StaffDept } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDesk } from './testing/dept-desk.ts'
import type { DeptDesk } from './testing/dept-desk.ts'

let desk: DeptDesk

beforeAll(async () => {
  desk = await openDesk()
})
afterAll(() => desk.app.close())

const board = async (who: TestUser = desk.registrar, on?: string) => dataOf(deptStaffApi.staffBoard, await desk.app.call(deptStaffApi.staffBoard, { on }, { token: who.token })).list
const of = async (id: string, on?: string): Promise<StaffDept | undefined> => (await board(desk.registrar, on)).find(dept => dept.id === id)

test('a department with people and nobody who leads it is vacant until somebody is named; the counts are those of its own list', async () => {
  const { school, update, registrar, app } = desk
  const [chen = '', zhou = ''] = school.teachers
  expect(await of(school.office)).toEqual({ id: school.office, row_version: 1, head: null, vices: [], primary_count: 2, part_count: 0, is_vacant: true })
  const reader = await app.as({ school_id: 1001, codes: ['people.staff.view'] })
  const list = dataOf(staffApi.list, await app.call(staffApi.list, { dept_id: school.office }, { token: reader.token }))
  expect(list.total).toBe(2)
  await update(school.office, { row_version: 1, head_user_id: chen, vice_user_ids: [zhou] })
  expect(await of(school.office)).toMatchObject({ row_version: 2, head: { user_id: chen, user_name: '陈晓华' }, vices: [{ user_name: '周明' }], is_vacant: false })
  expect(await of(school.office, desk.day(-10))).toMatchObject({ head: null, vices: [], is_vacant: true })
  expect((await board(registrar)).map(dept => dept.id)).not.toContain(school.class_1)
})

test('an empty group wants no leader, and groups of lessons stand under groups of subjects alone', async () => {
  const { school, opened, add } = desk
  const group = await opened(school.root, { dept_name: '语文教研组', dept_type: 7 })
  const lessons = await opened(group, { dept_name: '小学语文备课组', dept_type: 8 })
  expect(await of(lessons)).toMatchObject({ is_vacant: false, primary_count: 0 })
  expect((await add(school.root, { dept_name: '数学备课组', dept_type: 8 })).status).toBe(422)
})

test('20-A35 a reader of one department sees it and the way to it, and no people of others', async () => {
  const { app, school, opened, foreign } = desk
  const other = await opened(school.root, { dept_name: '总务处', dept_type: 5 })
  const reader = await app.as({ school_id: 1001, codes: desk.codes, scope: 'custom', scope_ids: [other] })
  const seen = await board(reader)
  expect(seen.map(dept => dept.id).toSorted()).toEqual([school.root, other].toSorted())
  const abroad = await board(await app.as({ school_id: 1002, codes: desk.codes }))
  expect(abroad.map(dept => dept.id)).toContain(foreign.office)
  expect(abroad.map(dept => dept.id)).not.toContain(school.office)
})
