import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { completenessApi, overviewApi, studentApi } from '@campus/people/contract'
import { declareScope } from '@campus/identity/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'
import { hireStaff } from './staff.create.ts'

const { a: school_id, b } = test_schools
const codes = ['people.student.view', 'people.dept.view']
let app: TestApp
let school: SmallSchool
let admin: TestUser

const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]): Promise<R> => app.running.database.tenant<PeopleDb, R>(school_id, fn)
const pupils = async ({ token }: TestUser) => dataOf(overviewApi.pupils, await app.call(overviewApi.pupils, {}, { token }))
const staff = async ({ token }: TestUser) => dataOf(overviewApi.staff, await app.call(overviewApi.staff, {}, { token }))
const listed = async ({ token }: TestUser, query: object) => dataOf(studentApi.list, await app.call(studentApi.list, query, { token })).total

beforeAll(async () => {
  app = await startTestApp()
  school = await inSchool(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const built = await buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
    await hireStaff(db, app.running.app.secrets, school_id, [{ kind: '14', join_month: '202609', from: built.from, sex: '1', user_name: '老李', teacher_no: 'T9', mobile: '16910000009', depts: [{ dept_id: built.office }] }])
    return built
  })
  admin = await app.as({ school_id, codes })
})
afterAll(() => app.close())

test('20-§5.2 each number of pupils is that of the list under the same filter', async () => {
  const seen = await pupils(admin)
  expect(seen).toEqual({ total: 3, boys: 2, girls: 1, boarders: 0, stages: [{ stage: '1', total: 3 }] })
  const lists = [await listed(admin, {}), await listed(admin, { sex: '1' }), await listed(admin, { sex: '2' }), await listed(admin, { study_method: '2' }), await listed(admin, { stage: '1' })]
  expect(lists).toEqual([seen.total, seen.boys, seen.girls, seen.boarders, 3])
  expect([await listed(admin, { stage: '2' }), await listed(admin, { stage: '1', sex: '2' })]).toEqual([0, 1])
})

test('20 §10.5 a class is told with what its files miss; the roll finds exactly those pupils, and so does a collection', async () => {
  const classes = async ({ token }: TestUser, query = {}) => dataOf(completenessApi.classes, await app.call(completenessApi.classes, query, { token })).list
  const lacking = async (query: { dept_id?: string; missing: string }) => dataOf(completenessApi.lacking, await app.call(completenessApi.lacking, query, { token: admin.token }))
  await inSchool(db => db.updateTable('person').set({ tel: '16900000077' }).where('school_id', '=', school_id).where('user_id', '=', school.pupils[0] ?? '').execute())
  const list = (await classes(admin)).toSorted((one, other) => one.dept_name.localeCompare(other.dept_name))
  expect(list.map(one => [one.dept_name, one.students, one.missing.find(({ field }) => field === 'tel')?.count])).toEqual([['一年级1班', 2, 1], ['一年级2班', 1, 1]])
  expect(list.flatMap(one => one.missing.map(({ field }) => field))).not.toContain('guardian')
  for (const { dept_id, missing } of list) {
    for (const { field, count } of missing) expect([field, await listed(admin, { dept_id, missing: field })]).toEqual([field, count])
  }
  expect(await lacking({ dept_id: school.grade, missing: 'tel,guardian' })).toEqual({ user_ids: school.pupils.slice(1), total: 2 })
  expect((await lacking({ missing: 'guardian' })).total).toBe(0)
  const one_class = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_2] })
  expect((await classes(one_class)).map(one => one.dept_name)).toEqual(['一年级2班'])
  expect(await classes(one_class, { dept_id: school.class_1 })).toEqual([])
})

test('the staff is counted once each by kind, of the own school alone', async () => {
  const seen = await staff(admin)
  expect([seen.kinds.find(({ kind }) => kind === '14'), seen.kinds.find(({ kind }) => kind === '11')]).toEqual([{ kind: '14', total: 1 }, { kind: '11', total: 2 }])
  expect(seen.total).toBe(seen.kinds.reduce((sum, { total }) => sum + total, 0))
  const foreign = await app.as({ school_id: b, codes })
  expect((await staff(foreign)).kinds.find(({ kind }) => kind === '14')).toBeUndefined()
  expect((await pupils(foreign)).total).toBe(0)
})

test('a class teacher counts his class, and no staff outside his departments', async () => {
  const teacher = await app.as({ school_id, codes, scope: 'class_teacher' })
  await inSchool(db => declareScope(db, school_id, 'people', [{ user_id: teacher.user_id, dimension: 'dept', kind: 'class_teacher', facts: [{ id: school.class_2, valid_from: new Date(`${school.from}T00:00:00+08:00`) }] }]))
  expect(await pupils(teacher)).toMatchObject({ total: 1, boys: 1, girls: 0, stages: [{ stage: '1', total: 1 }] })
  expect(await staff(teacher)).toEqual({ total: 0, kinds: [] })
})

test('who may see one of both sees the other not', async () => {
  const [of_pupils, of_depts] = [await app.as({ school_id, codes: ['people.student.view'] }), await app.as({ school_id, codes: ['people.dept.view'] })]
  const statuses = async ({ token }: TestUser) => [(await app.call(overviewApi.pupils, {}, { token })).status, (await app.call(overviewApi.staff, {}, { token })).status]
  expect([await statuses(of_pupils), await statuses(of_depts)]).toEqual([[200, 403], [403, 200]])
})
