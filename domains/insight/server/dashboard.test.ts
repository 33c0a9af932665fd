import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { dashboardApi } from '@campus/insight/contract'
import type { LayoutItem } from '@campus/insight/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'

const { a: school_id } = test_schools
const codes = ['insight.dashboard.view', 'insight.stat.view', 'people.student.view']

let app: TestApp
let head: TestUser
let teacher: TestUser

beforeAll(async () => {
  app = await startTestApp()
  head = await app.as({ school_id, codes: [...codes, 'insight.layout.publish'] })
  teacher = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const card = (name: string, x: number, y: number, w = 4, h = 2): LayoutItem => ({ code: `insight.${name}`, x, y, w, h })
const read = async ({ token }: TestUser) => dataOf(dashboardApi.layout, await app.call(dashboardApi.layout, { route: '3' }, { token }))
const save = ({ token }: TestUser, items: LayoutItem[]) => app.call(dashboardApi.save, { route: 3, items }, { token })
const publish = (target_id: string | null, items: LayoutItem[]) => app.call(dashboardApi.publish, { route: 3, target: target_id === null ? 1 : 2, target_id, items }, { token: head.token })

test('a card is offered to whoever holds all that it takes, in his kind of school', async () => {
  const offered = async ({ token }: TestUser) => dataOf(dashboardApi.widgets, await app.call(dashboardApi.widgets, {}, { token })).codes
  expect(await offered(teacher)).toEqual(expect.arrayContaining(['insight.students', 'insight.todo']))
  expect(await offered(teacher)).not.toContain('insight.staff')
  const boss = await app.as({ school_id: test_schools.enterprise, codes: 'all' })
  expect(await offered(boss)).toEqual(expect.arrayContaining(['insight.depts']))
  expect(await offered(boss)).not.toContain('insight.students')
})

test('a person arranges his own board and gets the usual one back', async () => {
  expect(await read(teacher)).toEqual({ source: 'usual', items: [], published: null })
  const items = [card('students', 0, 0), card('todo', 4, 0, 4, 5)]
  expect(dataOf(dashboardApi.save, await save(teacher, items))).toMatchObject({ source: 'own', items })
  expect(await read(head)).toMatchObject({ source: 'usual' })
  const { body } = await app.call(dashboardApi.reset, { route: 3 }, { token: teacher.token })
  expect(body.data).toMatchObject({ source: 'usual' })
})

test.each<[string, LayoutItem[], number, string]>([
  ['cards that overlap', [card('students', 0, 0), card('gaps', 3, 1)], 422, '组件位置重叠'],
  ['a card beyond the columns', [card('students', 9, 0)], 422, '组件位置重叠'],
  ['a card too small to be read', [card('students', 0, 0, 1, 1)], 422, '组件位置重叠'],
  ['a card the identity may not use', [card('staff', 0, 0)], 404, '组件不存在或您没有权限使用，请刷新后重试'],
  ['a card that nobody has made', [card('nothing', 0, 0)], 404, '组件不存在或您没有权限使用，请刷新后重试'],
])('%s is not kept', async (_what, items, status, msg) => {
  const answer = await save(teacher, items)
  expect([answer.status, answer.body.msg]).toEqual([status, msg])
  expect(await read(teacher)).toMatchObject({ source: 'usual' })
})

test('more than 24 cards are not kept', async () => {
  expect((await save(teacher, Array.from({ length: 25 }, (_, at) => card(`c${at}`, 0, at * 2)))).status).toBe(400)
})

test('what is published stands for the role, then for the school; an own arrangement goes before both', async () => {
  const for_all = [card('todo', 0, 0, 4, 5)]
  const for_role = [card('students', 0, 0), card('staff', 4, 0, 2)]
  expect((await publish(null, for_all)).status).toBe(200)
  expect(await read(teacher)).toMatchObject({ source: 'school', items: for_all, published: { target: 1 } })
  expect((await publish(teacher.role_id, for_role)).status).toBe(200)
  expect(await read(teacher)).toMatchObject({ source: 'role', items: [card('students', 0, 0)], published: { target: 2 } })
  expect(await read(head)).toMatchObject({ source: 'school' })
  await save(teacher, [card('gaps', 0, 0)])
  expect(await read(teacher)).toMatchObject({ source: 'own', published: { target: 2 } })
  await app.call(dashboardApi.reset, { route: 3 }, { token: teacher.token })
  const again = [card('changes', 0, 0)]
  await publish(teacher.role_id, again)
  const { list, roles } = dataOf(dashboardApi.published, await app.call(dashboardApi.published, { route: '3' }, { token: head.token }))
  expect(list.map(({ target, target_id, cards }) => [target, target_id, cards])).toEqual([[1, null, 1], [2, teacher.role_id, 1]])
  expect(roles.map(({ role_id }) => role_id)).toContain(teacher.role_id)
  for (const { layout_id } of list) expect((await app.call(dashboardApi.withdraw, { layout_id }, { token: head.token })).status).toBe(200)
  expect(await read(teacher)).toMatchObject({ source: 'usual', published: null })
  expect((await app.call(dashboardApi.withdraw, { layout_id: list[0]?.layout_id ?? '' }, { token: head.token })).body.msg).toBe('该布局已被撤回，请刷新后重试')
})

test('nothing is published to a role that is not there, nor by whoever may not', async () => {
  expect((await publish('999999', [])).body.msg).toBe('角色不存在或已停用，请重新选择')
  expect((await app.call(dashboardApi.publish, { route: 3, target: 1, target_id: null, items: [] }, { token: teacher.token })).status).toBe(403)
  const stranger = await app.as({ school_id: test_schools.b, codes: [] })
  expect((await publish(stranger.role_id, [])).status).toBe(404)
})
