import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { preferenceApi, setupApi } from '@campus/school/contract'
import type { SetupList } from '@campus/school/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setupStepPort } from './setup-step.ts'
import type { SetupStep } from './setup-step.ts'

const home = { path: '/Dashboard', need: 'jobs.batch.view_all', school_types: [1] } as const
const first: SetupStep = { ...home, code: 'first', order: 1, title: '教职工一', why: '先一', state: async () => ({ done: true, text: '已有' }) }
const second: SetupStep = { ...home, code: 'second', order: 2, title: '二', why: '后二', state: async () => ({ done: false, text: '没有' }) }
const third: SetupStep = { ...second, code: 'third', order: 3, title: '三' }
const unbuilt: SetupStep = { ...second, code: 'unbuilt', order: 1.5, path: '/NoSuchPage' }

let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  for (const step of [third, unbuilt, second, first]) setupStepPort.fill(app.running.app, step)
  setupStepPort.fill(app.running.app, { ...first, school_types: [2], code: 'of enterprises' })
  admin = await app.as({ school_id: test_schools.a, codes: [home.need] })
})
afterAll(() => app.close())

async function list({ token }: TestUser): Promise<SetupList> {
  return dataOf(setupApi.list, await app.call(setupApi.list, {}, { token }))
}

async function hide({ token }: TestUser, hidden: boolean): Promise<number> {
  return (await app.call(setupApi.hide, { hidden }, { token })).status
}

test('the steps stand in their order: what is done, the next one, what comes later; a step whose page comes later holds its place', async () => {
  const { list: steps, done, total } = await list(admin)
  const own = steps.filter(({ code }) => ['first', 'second', 'third', 'unbuilt'].includes(code))
  expect(own.map(({ code, state, text, path }) => [code, state, text, path])).toEqual([
    ['first', 'done', '已有', '/Dashboard'], ['unbuilt', 'unbuilt', '没有', null], ['second', 'next', '没有', '/Dashboard'], ['third', 'later', '没有', '/Dashboard'],
  ])
  expect(steps.filter(({ code }) => !own.some(step => step.code === code))).toEqual([])
  expect([done, total]).toEqual([1, 3])
})

test('an enterprise has its own steps, in its own words', async () => {
  const manager = await app.as({ school_id: test_schools.enterprise, codes: [home.need] })
  expect((await list(manager)).list.filter(({ state }) => state !== 'unbuilt').map(({ code, title }) => [code, title])).toEqual([['of enterprises', '员工一']])
})

test('whoever may take no step sees none and cannot put the list away', async () => {
  const teacher = await app.as({ school_id: test_schools.a, codes: [] })
  expect(await list(teacher)).toEqual({ list: [], done: 0, total: 0, hidden: null })
  expect(await hide(teacher, true)).toBe(403)
})

test('the list is put away for the school, says by whom, and comes back', async () => {
  expect(await hide(admin, true)).toBe(200)
  const other = await app.as({ school_id: test_schools.a, codes: [home.need] })
  expect((await list(other)).hidden?.by).toMatch(/^测试用户/)
  const next_school = await app.as({ school_id: test_schools.b, codes: [home.need] })
  expect((await list(next_school)).hidden).toBeNull()
  expect(await hide(other, false)).toBe(200)
  expect((await list(admin)).hidden).toBeNull()
})

test('nobody writes the setting of the school as a preference of his own', async () => {
  const answer = await app.call(preferenceApi.save, { pref_key: 'setup_list', value: null }, { token: admin.token })
  expect(answer.status).toBe(400)
})
