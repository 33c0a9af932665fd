import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { loginApi, memberApi, passwordSetApi, roleApi, sessionApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureUsers } from './account.queries.ts'
import { joinedDuties, partDuties } from './duties-apart.ts'
import { boundBroken } from './installation-rule.ts'
import { grantRole, setRolePermissions } from './role.queries.ts'
import { said } from './testing/role-desk.ts'
import { own } from './testing/person.ts'

const { a: school_id } = test_schools
const minute_ms = 60_000
const admin_codes = ['identity.role.edit', 'identity.role.view', 'identity.member.edit', 'identity.member.view', 'identity.password.view', 'identity.password.edit', 'people.student.view']

let app: TestApp
let admin: TestUser
let group_id: string
beforeAll(async () => {
  app = await startTestApp({ settings: { CAMPUS_PROFILE: 'mlps3' } })
  admin = await app.as({ school_id, codes: admin_codes })
  const groups = dataOf(sessionApi.roleGroups, await app.call(sessionApi.roleGroups, {}, { token: admin.token }))
  group_id = groups.list.find(group => group.code === 'SYS003')?.role_group_id ?? ''
})
afterAll(() => app.close())

const as = (who: TestUser) => ({ token: who.token })
async function makeRole(name: string, codes: string[]): Promise<string> {
  const { role_id } = dataOf(roleApi.add, await app.call(roleApi.add, { name, role_group_id: group_id }, as(admin)))
  dataOf(roleApi.saveMatrix, await app.call(roleApi.saveMatrix, { role_id, version: 1, grant: codes }, as(admin)))
  return role_id
}
const makePerson = async (user_name: string) => {
  const [user_id = ''] = await own(app.running.database, school_id, db => ensureUsers(db, school_id, [{ user_no: user_name, user_name, user_kind: 2 }]))
  return user_id
}
const give = (role_id: string, user_id: string) => app.call(memberApi.add, { role_id, users: [{ user_id }] }, as(admin))
const refused = (who: string) => [422, `按安全要求，编辑角色权限与审计不能由同一角色或同一人拥有：${who}`]

describe('两个职责', () => {
  test('a new school begins with an administrator without the journals, and an auditor with nothing else', async () => {
    const { rows } = await app.running.database.tenant<unknown, { rows: { code: string; edits: boolean; audits: boolean; other: boolean }[] }>(school_id, db =>
      sql<{ code: string; edits: boolean; audits: boolean; other: boolean }>`
        select r.code, bool_or(p.code = 'identity.role.edit') as edits, bool_or(p.code like 'audit.%') as audits, bool_or(p.code not like 'audit.%') as other
        from role r join role_permission p on p.school_id = r.school_id and p.role_id = r.role_id where r.school_id = ${school_id} and r.code in ('SYS001_SchoolAdmin', 'SYS001_Auditor') group by r.code order by 1`.execute(db))
    expect(rows).toEqual([{ code: 'SYS001_Auditor', edits: false, audits: true, other: false }, { code: 'SYS001_SchoolAdmin', edits: true, audits: false, other: true }])
  })

  test('no matrix joins them: neither the journals to a role that edits roles, nor the other way round', async () => {
    const role_id = await makeRole('角色管理', ['identity.role.edit'])
    const more = await app.call(roleApi.saveMatrix, { role_id, version: 2, grant: ['audit.system.view'] }, as(admin))
    expect(said(more)).toEqual(refused('角色管理'))
    const auditor = await makeRole('日志查看', ['audit.system.view'])
    expect(said(await app.call(roleApi.saveMatrix, { role_id: auditor, version: 2, grant: ['identity.role.edit'] }, as(admin)))).toEqual(refused('日志查看'))
    // An administrator appoints auditors although he is none; what else he does not hold he still cannot give.
    expect(said(await app.call(roleApi.saveMatrix, { role_id: auditor, version: 2, grant: ['school.config.edit'] }, as(admin)))).toEqual([422, '不能授予自己没有的权限'])
  })

  test('no person joins them through two roles, whichever comes first, and a role does not grow over its members', async () => {
    const edits = await makeRole('权限员', ['identity.role.edit'])
    const audits = await makeRole('审计员', ['audit.system.view'])
    const plain = await makeRole('普通', ['people.student.view'])
    const [first, second, third] = [await makePerson('张三'), await makePerson('李四'), await makePerson('王五')]
    expect((await give(edits, first)).status).toBe(200)
    expect(said(await give(audits, first))).toEqual(refused('张三'))
    expect((await give(audits, second)).status).toBe(200)
    expect(said(await give(edits, second))).toEqual(refused('李四'))
    for (const role_id of [edits, plain]) expect((await give(role_id, third)).status).toBe(200)
    expect(said(await app.call(roleApi.saveMatrix, { role_id: plain, version: 2, grant: ['audit.archive.view'] }, as(admin)))).toEqual(refused('王五'))
  })

  test('what an installation without the profile has joined is found, and parted by the command', async () => {
    const role_id = await makeRole('旧管理员', ['identity.role.edit'])
    const user_id = await makePerson('赵六')
    const now = app.clock.now()
    const both = await own(app.running.database, school_id, async db => {
      await setRolePermissions(db, app.running.app, school_id, role_id, ['identity.role.edit', 'audit.system.view'])
      await grantRole(db, school_id, [{ role_id, user_id, valid_from: now }])
      return joinedDuties(db, school_id, now)
    })
    expect(both).toEqual(['旧管理员'])
    expect(await own(app.running.database, school_id, db => partDuties(db, school_id))).toEqual(['旧管理员'])
    expect(await own(app.running.database, school_id, db => joinedDuties(db, school_id, now))).toEqual([])
  })
})

describe('the bounds of the installation', () => {
  test('hold in every school from its first day', async () => {
    const row = dataOf(passwordSetApi.detail, await app.call(passwordSetApi.detail, {}, as(admin)))
    expect(row).toMatchObject({ pwd_count: 10, valid_days: 90, idle_minutes: 30, lock_times: 5 })
    expect(dataOf(loginApi.passwordSet, await app.call(loginApi.passwordSet, { school_id })).pwd_count).toBe(10)
    expect(dataOf(loginApi.passwordSet, await app.call(loginApi.passwordSet, {})).pwd_count).toBe(10)
  })

  test.each([
    [{ idle_minutes: 31 }, '空闲时长不能超过30分钟'],
    [{ pwd_count: 9 }, '密码最小长度不能少于10位'],
    [{ valid_days: 0 }, '密码有效期须设为30-90天'],
    [{ valid_days: 91 }, '密码有效期须设为30-90天'],
    [{ lock_times: 6 }, '锁定次数不能多于5次'],
  ])('cannot be loosened by a school: %j', async (loose, words) => {
    const { login_max: _max, is_password_strong: _strong, ...row } = dataOf(passwordSetApi.detail, await app.call(passwordSetApi.detail, {}, as(admin)))
    expect(boundBroken(app.running.app.config, { ...row, ...loose })).toBe(words)
    expect(said(await app.call(passwordSetApi.update, { ...row, ...loose }, as(admin)))).toEqual([422, `本平台的安全要求：${words}`])
    expect((await app.call(passwordSetApi.update, { ...row, idle_minutes: 20 + (row.row_version % 5) }, as(admin))).status).toBe(200)
  })

  test('a session is over after thirty idle minutes', async () => {
    const who = await app.as({ school_id, codes: [] })
    app.clock.advance(19 * minute_ms)
    expect((await app.call(sessionApi.mine, {}, as(who))).status).toBe(200)
    app.clock.advance(31 * minute_ms)
    expect((await app.call(sessionApi.mine, {}, as(who))).status).toBe(401)
  })
})
