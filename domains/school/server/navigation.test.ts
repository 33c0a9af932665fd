import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { navigationApi, preferenceApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const codes = ['people.student.view', 'people.dept.view', 'school.info.view', 'audit.system.view'] as const

let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const somebody = (more: Partial<{ school_id: number; codes: readonly string[] }> = {}) => app.as({ school_id: test_schools.a, codes, ...more })

async function groups({ token, role_id }: TestUser): Promise<Record<string, string[]>> {
  const { navs } = dataOf(navigationApi.list, await app.call(navigationApi.list, { type: '0', role_id, app_code: 'app_education_platform' }, { token }))
  return Object.fromEntries(navs.map(({ code, list }) => [code, list.flatMap(item => [item, ...item.children]).flatMap(({ path }) => path || [])]))
}

async function choose({ token }: TestUser, value: string[] | number): Promise<void> {
  expect((await app.call(preferenceApi.save, { pref_key: 'quick_navs', value }, { token })).status).toBe(200)
}

test('the centre of pages stands in the menu of whoever may open a page, and makes no menu alone', async () => {
  expect(await groups(await somebody())).toMatchObject({ cloud_navs: expect.arrayContaining(['/Dashboard', '/IconMenu', '/ParentsRecord']) })
  expect(await groups(await somebody({ codes: [] }))).toEqual({ cloud_navs: [], QuickNavs: [], 'icon-menu': [] })
})

test('the quick row is the usual one until the person chooses, and then his own, in his order', async () => {
  const user = await somebody()
  expect((await groups(user)).QuickNavs).toEqual(['/ParentsRecord'])
  await choose(user, ['/SystemLog', '/Organization'])
  expect((await groups(user)).QuickNavs).toEqual(['/SystemLog', '/Organization'])
  expect((await groups(await somebody())).QuickNavs).toEqual(['/ParentsRecord'])
  await choose(user, [])
  expect((await groups(user)).QuickNavs).toEqual([])
  await choose(user, 7)
  expect((await groups(user)).QuickNavs).toEqual(['/ParentsRecord'])
})

test('a chosen page that may not be opened stands in nobody’s quick row', async () => {
  const clerk = await somebody({ codes: ['school.info.view'] })
  await choose(clerk, ['/ParentsRecord', '/SystemLog', '/SchoolRecord', '/NoSuchPage', '/ChangeRecord'])
  expect((await groups(clerk)).QuickNavs).toEqual(['/SchoolRecord'])
})

test('the school’s own choice stands for whoever has none, in this school alone', async () => {
  const value = JSON.stringify(['/Organization', '/SchoolRecord'])
  await app.running.database.tenant(test_schools.b, db =>
    sql`insert into user_pref (school_id, user_id, pref_key, value, updated_at) values (${test_schools.b}, 0, 'quick_navs', ${value}, now())`.execute(db))
  const user = await somebody({ school_id: test_schools.b })
  expect((await groups(user)).QuickNavs).toEqual(['/Organization', '/SchoolRecord'])
  await choose(user, ['/SystemLog'])
  expect((await groups(user)).QuickNavs).toEqual(['/SystemLog'])
  expect((await groups(await somebody())).QuickNavs).toEqual(['/ParentsRecord'])
})
