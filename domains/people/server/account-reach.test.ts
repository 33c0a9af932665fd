import { startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { accountApi, providerLoginApi } from '@campus/identity/contract'
import { declareScope, defineRole, grantRole, hashPassword, issueAccount, setRolePermissions, setRoleScope } from '@campus/identity/server'
import type { ScopeKind } from '@campus/identity/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from './people.builders.ts'
import { openSchool, pupilsIn } from './testing/changer.ts'

const school_id = 1001
const day_ms = 86_400_000
const higher = '该人员拥有您没有的权限或数据范围，请由权限更高的管理员处理'
let app: TestApp
let school: SmallSchool
let admin: TestUser
let password_hash: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  admin = await app.as({ school_id, codes: ['identity.account.manage', 'people.student.view'], scope: 'custom', scope_ids: [school.class_1] })
  password_hash = await hashPassword('Qw8#rTy2pL')
})
afterAll(() => app.close())

type Reach = { dept?: [ScopeKind, string[]]; place?: [ScopeKind, string[]]; codes?: string[]; in_days?: number }

/** Somebody of class 1, whom the administrator reaches, with a login and a role of this reach. */
async function somebody({ dept = ['self', []], place = ['none', []], codes = ['people.student.view'], in_days = -1 }: Reach): Promise<string> {
  const mark = `R${(made += 1)}`
  const [user_id = ''] = await pupilsIn(app, school_id, school.class_1, [mark])
  const { app: running, database } = app.running
  const now = app.clock.now()
  await database.tenant<unknown, void>(0, db => issueAccount(db, { user_id, username: `reach_${mark}`, password_hash, pwd_state: 1, pwd_set_at: now }))
  await database.tenant<unknown, void>(school_id, async db => {
    const role_id = await defineRole(db, school_id, { code: `CUS_${mark}`, name: mark, group_code: 'SYS003' })
    await setRolePermissions(db, running, school_id, role_id, codes)
    await setRoleScope(db, school_id, role_id, 'dept', ...dept)
    await setRoleScope(db, school_id, role_id, 'place', ...place)
    await grantRole(db, school_id, [{ role_id, user_id, valid_from: new Date(now.getTime() + in_days * day_ms) }])
  })
  return user_id
}

const tries = async (user_id: string) => {
  const calls = [accountApi.reset, accountApi.unlock, providerLoginApi.oneTimeCode] as const
  const answers = []
  for (const call of calls) answers.push(await app.call(call, { user_id }, { token: admin.token }))
  return answers.map(({ status, body }) => (status === 200 ? 200 : body.msg))
}
/** Nobody has turned one-time codes on: that is what the third answer says once the account is no hindrance. */
const goes = [200, 200, '学校未启用一次性登录码，请先在登录方式中启用']
const refused = [higher, higher, higher]

test.each<[string, () => Reach, unknown[]]>([
  ['all departments', () => ({ dept: ['all', []] }), refused],
  ['another class', () => ({ dept: ['custom', [school.class_1, school.class_2]] }), refused],
  ['the whole grade', () => ({ dept: ['custom', [school.grade]] }), refused],
  ['the same class', () => ({ dept: ['custom', [school.class_1]] }), goes],
  ['himself', () => ({}), goes],
  ['all places', () => ({ place: ['all', []] }), refused],
  ['a place that is listed', () => ({ place: ['custom', ['77']] }), refused],
  ['all departments from next week on', () => ({ dept: ['all', []], in_days: 7 }), refused],
  ['all departments, but with no permission to see anything', () => ({ dept: ['all', []], codes: [] }), goes],
  ['the same class, with a permission more', () => ({ dept: ['custom', [school.class_1]], codes: ['people.student.edit'] }), refused],
])('10-R7 an administrator of one class resets, unlocks and lets in who sees %s only when that is no more than he sees', async (_name, reach, answers) => {
  expect(await tries(await somebody(reach()))).toEqual(answers)
})

test('10-R7 what somebody teaches counts as of today', async () => {
  const user_id = await somebody({ dept: ['teaching', []] })
  expect(await tries(user_id)).toEqual(goes)
  const valid_from = new Date(app.clock.now().getTime() - day_ms)
  await app.running.database.tenant<unknown, unknown>(school_id, db => declareScope(db, school_id, 'teaching', [{ user_id, dimension: 'dept', kind: 'teaching', facts: [{ id: school.class_2, valid_from }] }]))
  expect(await tries(user_id)).toEqual(refused)
})
