import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rolesStep } from './setup-step.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const state = () => app.running.database.tenant<unknown, { done: boolean; text: string }>(test_schools.a, db => rolesStep.state(db, test_schools.a))

test('roles are granted when somebody besides the one who sets the school up has one', async () => {
  expect(await state()).toEqual({ done: false, text: '还没有人可以登录后台' })
  await app.as({ school_id: test_schools.a, codes: [] })
  expect(await state()).toEqual({ done: false, text: '只有1人可以登录后台' })
  await app.as({ school_id: test_schools.a, codes: [] })
  expect(await state()).toEqual({ done: true, text: '2人可以登录后台' })
})
