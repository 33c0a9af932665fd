import { defineRole, ensureUsers, grantRole } from '@campus/identity/server'
import { navigationApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp, TestUser } from '../testing/index.ts'

const { a: school_id } = test_schools
const day_ms = 86_400_000
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  admin = await app.as({ school_id, codes: 'all' })
})
afterAll(() => app.close())

const badges = async (who = admin) => new Map(dataOf(navigationApi.badges, await app.call(navigationApi.badges, {}, { token: who.token })).list.map(({ path, ...badge }) => [path, badge]))
const inSchool = (query: ReturnType<typeof sql>) => app.running.database.tenant(school_id, db => query.execute(db))
const batch = (batch_no: string, template: string, state: string, created_by: string) => inSchool(sql`
  insert into import_batch (school_id, batch_no, template, file_key, file_name, state, created_by, created_by_name)
  values (${school_id}, ${batch_no}, ${template}, 'k', 'x.xlsx', ${state}, ${created_by}, '王小明')`)

test('nothing waits where nothing was begun', async () => {
  expect([...(await badges())]).toEqual([])
})

test('own imports that wait to be confirmed stand at their page; those of others, other states and templates one may not use do not', async () => {
  const other = await app.as({ school_id, codes: 'all' })
  await batch('B1', 'student', 'parsed', admin.user_id)
  await batch('B2', 'parent', 'parsed', admin.user_id)
  await batch('B3', 'student', 'applied', admin.user_id)
  await batch('B4', 'student', 'parsed', other.user_id)
  await batch('B5', 'dictionary_item', 'parsed', admin.user_id)
  expect((await badges()).get('/ParentsRecord')).toMatchObject({ count: 2, text: expect.stringMatching(/^1个.+待确认；1个.+待确认$/) })
  expect((await badges()).get('/SchoolRecord')).toMatchObject({ count: 1 })
  const nobody = await app.as({ school_id, codes: [] })
  await inSchool(sql`update import_batch set created_by = ${nobody.user_id} where school_id = ${school_id} and batch_no = 'B1'`)
  expect([...(await badges(nobody))]).toEqual([])
})

test('memberships that end within a week wait for whoever may prolong them in the whole school', async () => {
  await app.running.database.tenant(school_id, async db => {
    const role_id = await defineRole(db, school_id, { code: 'CUS_B1', name: '值周教师', group_code: 'SYS003' })
    const [user_id = ''] = await ensureUsers(db, school_id, [{ user_no: 'BADGE1', user_name: '李小红', user_kind: 2 }])
    const now = app.clock.now().getTime()
    await grantRole(db, school_id, [{ role_id, user_id, valid_from: new Date(now - day_ms), valid_to: new Date(now + 3 * day_ms) }, { role_id, user_id, user_dep: '2', valid_from: new Date(now - day_ms), valid_to: new Date(now + 9 * day_ms) }])
  })
  expect((await badges()).get('/RoleMemberSet')).toEqual({ count: 1, text: '1个角色成员7天内到期' })
  const viewer = await app.as({ school_id, codes: ['identity.member.view'] })
  expect((await badges(viewer)).has('/RoleMemberSet')).toBe(false)
})
