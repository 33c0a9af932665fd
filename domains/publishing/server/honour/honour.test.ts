import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { classHonourApi } from '@campus/publishing/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeClasses } from '../testing/school.ts'

const { a: school_id } = test_schools
const flag = { honour_code: '2', title: '卫生流动红旗', awarded_on: '2026-11-17' }
let app: TestApp
let me: TestUser
let school: Awaited<ReturnType<typeof makeClasses>>

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all' })
  school = await makeClasses(app, school_id)
})
afterAll(() => app.close())

const as = (token = me.token) => ({ token })
const award = (dept_id: string, more: object = {}) => app.call(classHonourApi.add, { ...flag, dept_ids: [dept_id], ...more }, as())
const list = async (token = me.token) => dataOf(classHonourApi.list, await app.call(classHonourApi.list, {}, as(token))).list
const held = async () => (await list()).filter(row => row.rotating).map(row => [row.dept_id, row.held_from, row.held_to])

test('60-A29 a flag has one holder: two awards at once give one, a transfer closes the first on the day before', async () => {
  const [first, second] = [school.first.dept_id, school.second.dept_id]
  const answers = await Promise.all([award(first), award(second)])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  const [[holder] = []] = await held()
  const other = holder === first ? second : first
  const asked = await award(other, { awarded_on: '2026-11-19' })
  expect([asked.status, asked.body.msg]).toEqual([
    409,
    `${holder === first ? '13年级1班' : '13年级2班'}在该周期已持有卫生流动红旗，是否转授？`,
  ])
  expect((await award(other, { awarded_on: '2026-11-19', transfer: true })).status).toBe(200)
  expect((await held()).toSorted((a, b) => String(a[1]).localeCompare(String(b[1])))).toEqual([
    [holder, '2026-11-16', '2026-11-18'],
    [other, '2026-11-19', '2026-11-22'],
  ])
  const board = dataOf(classHonourApi.board, await app.call(classHonourApi.board, { to: '2026-11-20', weeks: 1 }, as()))
  expect(board.weeks).toEqual(['2026-11-16'])
  expect(board.rows.map(row => row.cells.flat().length)).toEqual([1, 1])
})

test('a revoked honour stays with its reason and frees the flag; only the own classes can be awarded', async () => {
  await award(school.first.dept_id, { honour_code: '3', title: '纪律流动红旗', awarded_on: '2026-11-24' })
  const [row] = (await list()).filter(one => one.honour_code === '3')
  const revoke = () => app.call(classHonourApi.revoke, { id: row?.id ?? '', reason: '登记有误' }, as())
  expect((await revoke()).status).toBe(200)
  expect((await revoke()).body.msg).toBe('该荣誉已撤销')
  expect((await list()).find(one => one.id === row?.id)).toMatchObject({ state: '2', revoke_reason: '登记有误' })
  expect((await award(school.second.dept_id, { honour_code: '3', title: '纪律流动红旗', awarded_on: '2026-11-24' })).status).toBe(200)
  const codes = ['publishing.honour.view', 'publishing.honour.edit']
  const teacher = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.first.dept_id] })
  const foreign = await app.call(classHonourApi.add, { ...flag, dept_ids: [school.second.dept_id] }, as(teacher.token))
  expect(foreign.status).toBe(404)
  expect((await list(teacher.token)).every(one => one.dept_id === school.first.dept_id)).toBe(true)
})

test('a flag is 空缺 in a week without an award, not with the class of the week before; before its first award it was not there', async () => {
  const flags = { honour_code: '4', title: '两操流动红旗' }
  await award(school.first.dept_id, { ...flags, awarded_on: '2026-11-03' })
  await award(school.second.dept_id, { ...flags, awarded_on: '2026-11-16' })
  const board = async (token = me.token) =>
    dataOf(classHonourApi.board, await app.call(classHonourApi.board, { to: '2026-11-20', weeks: 4 }, as(token)))
  const where = async () =>
    (await board()).flags.find(one => one.code === '4')?.cells.map(cell => cell?.map(one => one.dept_name) ?? null)
  expect((await board()).weeks).toEqual(['2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'])
  expect(await where()).toEqual([null, ['13年级1班'], [], ['13年级2班']])
  const last = (await list()).find(row => row.honour_code === '4' && row.awarded_on === '2026-11-16')
  await app.call(classHonourApi.revoke, { id: last?.id ?? '', reason: '登记有误' }, as())
  expect(await where()).toEqual([null, ['13年级1班'], [], []])
  const own = { school_id, codes: ['publishing.honour.view'], scope: 'custom' as const, scope_ids: [school.first.dept_id] }
  expect((await board((await app.as(own)).token)).flags).toEqual([])
})
