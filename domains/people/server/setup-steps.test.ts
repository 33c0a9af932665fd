import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { setupApi } from '@campus/school/contract'
import type { SetupStepView } from '@campus/school/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import { setupSteps } from './setup-steps.ts'

const school_id = test_schools.a
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: 'all' })
})
afterAll(() => app.close())

/** The steps of people that can be taken today. */
async function steps(): Promise<SetupStepView[]> {
  const { list } = dataOf(setupApi.list, await app.call(setupApi.list, {}, { token: admin.token }))
  return list.filter(({ code, state }) => state !== 'unbuilt' && setupSteps.some(step => step.code === code))
}

test('a new school has neither classes nor pupils; classes come first', async () => {
  const found = await steps()
  expect(found.map(({ code, text }) => [code, text])).toEqual(expect.arrayContaining([['classes', '还没有班级'], ['students', '还没有学生']]))
  expect(found.every(({ state }) => state !== 'done')).toBe(true)
  expect(found.map(({ code }) => code).indexOf('classes')).toBeLessThan(found.map(({ code }) => code).indexOf('students'))
})

test('the steps are done when the people are there, and say how many', async () => {
  await app.running.database.tenant<PeopleDb, unknown>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, app.running.app.secrets, school_id, root.id)
  })
  const found = await steps()
  expect(found.map(({ code, text }) => [code, text])).toEqual(expect.arrayContaining([['classes', '已建2个班级'], ['students', '在读学生3人']]))
  expect(found.every(({ state }) => state === 'done')).toBe(true)
})

test('each step counts what it is about', async () => {
  const states = await app.running.database.tenant<PeopleDb, [string, boolean, string][]>(school_id, async db => {
    const all: [string, boolean, string][] = []
    for (const step of setupSteps) {
      const { done, text } = await step.state(db, school_id)
      all.push([step.code, done, text])
    }
    return all
  })
  expect(states).toEqual([['classes', true, '已建2个班级'], ['departments', false, '还没有部门'], ['staff', true, '在职教职工2人'], ['students', true, '在读学生3人']])
})
