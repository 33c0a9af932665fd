import { test_schools } from '@apps/server/testing'
import type { TestUser } from '@apps/server/testing'
import { explainApi, memberApi, roleApi } from '@campus/identity/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issueAccount } from './account.queries.ts'
import { userOff } from './user-state.ts'
import { own } from './testing/person.ts'
import { openRoleDesk, school_id } from './testing/role-desk.ts'
import type { RoleDesk } from './testing/role-desk.ts'

let desk: RoleDesk
beforeAll(async () => {
  desk = await openRoleDesk()
})
afterAll(() => desk.app.close())

const code = 'identity.role.view'
const ask = (query: Request<typeof explainApi.explain>) => desk.done(explainApi.explain, query)
/** The first step that fails, with its sentence and remedy. */
const fault = async (query: Request<typeof explainApi.explain>) => {
  const { allowed, steps } = await ask(query)
  const failed = steps.find(step => step.ok === false)
  return [allowed, failed?.step, failed?.text, failed?.fix?.text]
}
const editRole = async (role_id: string, changes: object) => {
  const role = (await desk.done(roleApi.list, {})).list.find(row => row.role_id === role_id)
  await desk.done(roleApi.edit, { role_id, row_version: role?.row_version ?? 0, ...changes })
}
/** Gives somebody a login of his own. */
const issue = (user_id: string) =>
  own(desk.app.running.database, 0, db => issueAccount(db, { user_id, username: `login_${user_id}`, password_hash: 'x', pwd_state: 1, pwd_set_at: desk.app.clock.now() }))
/** Somebody who is signed in, with a login of his own. */
const signedIn = async (who: Parameters<RoleDesk['app']['as']>[0]): Promise<TestUser> => {
  const user = await desk.app.as(who)
  await issue(user.user_id)
  return user
}
/** What the guard says to the person's own call. */
const guard = async (who: TestUser) => (await desk.call(roleApi.list, {}, who)).status

describe('why somebody may', () => {
  test('every step has passed, and his call succeeds', async () => {
    const holder = await signedIn({ school_id, codes: [code] })
    const told = await ask({ user_id: holder.user_id, code })
    expect(told).toMatchObject({ allowed: true, target: '查看角色', identity: { role_no: holder.role_no, role_id: holder.role_id }, identities: [{ role_no: holder.role_no, state: 'current' }] })
    expect(told.steps.map(step => [step.step, step.ok])).toEqual([['account', true], ['school', true], ['identity', true], ['role', true], ['web', true], ['module', true], ['code', true]])
    expect(told.steps.every(step => step.text !== '' && step.fix === null)).toBe(true)
    expect(await guard(holder)).toBe(200)
    const clerk = await signedIn({ school_id, codes: ['people.dept.view'] })
    expect((await ask({ user_id: clerk.user_id, path: '/Organization' })).allowed).toBe(true)
    expect((await ask({ user_id: clerk.user_id, path: '/Dashboard' })).allowed).toBe(true)
  })

  test('of several identities the one that may is told, unless another is asked for', async () => {
    const { role_id } = await desk.makeRole([code])
    const holder = await signedIn({ school_id, codes: [] })
    const role_no = await desk.give(role_id, holder.user_id)
    expect(await ask({ user_id: holder.user_id, code })).toMatchObject({ allowed: true, identity: { role_no } })
    expect(await fault({ user_id: holder.user_id, role_no: holder.role_no, code })).toEqual([false, 'code', '没有授予「查看角色」', '在角色权限配置中授予'])
  })
})

describe('why somebody may not', () => {
  test('no code: the page and the button, with the page where it is granted', async () => {
    const holder = await signedIn({ school_id, codes: ['people.student.view'] })
    expect(await guard(holder)).toBe(403)
    expect(await fault({ user_id: holder.user_id, code })).toEqual([false, 'code', '没有授予「查看角色」', '在角色权限配置中授予'])
    const told = await ask({ user_id: holder.user_id, path: '/Organization' })
    expect(told.steps.at(-1)).toEqual({
      step: 'code', title: '权限', ok: false, text: '没有授予页面「学生组织架构」的查看权限', fix: { text: '在角色权限配置中授予', path: `/RoleOpeate?role_id=${holder.role_id}` },
    })
    const nobody = await signedIn({ school_id, codes: [] })
    expect(await fault({ user_id: nobody.user_id, path: '/Dashboard' })).toEqual([false, 'code', '该角色没有任何可用页面', '在角色权限配置中授予'])
  })

  test('the role is switched off or not allowed on the web', async () => {
    const holder = await signedIn({ school_id, codes: [code] })
    await editRole(holder.role_id, { allow_login_web: 1 })
    expect((await fault({ user_id: holder.user_id, code })).slice(0, 2)).toEqual([false, 'web'])
    await editRole(holder.role_id, { enabled: false })
    const told = await ask({ user_id: holder.user_id, code })
    expect(told.steps.map(step => step.ok)).toEqual([true, true, true, false, null, null, null])
    expect(await guard(holder)).toBe(401)
  })

  test('the identity has ended, begins later, or is none', async () => {
    const holder = await signedIn({ school_id, codes: [code] })
    await desk.done(memberApi.remove, { role_nos: [holder.role_no] })
    const [, step, text, fix] = await fault({ user_id: holder.user_id, code })
    expect([step, fix]).toEqual(['identity', '重新加入该角色'])
    expect(text).toMatch(/^身份「.+」已于\d{4}-\d\d-\d\d结束$/)
    expect(await guard(holder)).toBe(401)
    const { role_id } = await desk.makeRole([code])
    const later = await desk.makePerson()
    await desk.done(memberApi.add, { role_id, users: [{ user_id: later }], valid_from: '2099-01-01' })
    expect(await fault({ user_id: later, code })).toEqual([false, 'account', '甲还未发放账号', '发放账号'])
    await issue(later)
    expect((await fault({ user_id: later, code })).at(-1)).toBe('提前开始日期')
    const nameless = await desk.makePerson('无名')
    await issue(nameless)
    expect(await fault({ user_id: nameless, code })).toEqual([false, 'identity', '无名没有任何角色', '把该人员加入角色'])
  })

  test('the person has left, or the account is switched off', async () => {
    const holder = await signedIn({ school_id, codes: [code] })
    const { database } = desk.app.running
    await own(database, school_id, db => db.updateTable('account').set({ enabled: false }).where('user_id', '=', holder.user_id).execute())
    expect((await fault({ user_id: holder.user_id, code })).at(-1)).toBe('启用账号')
    await own(database, school_id, db => userOff({ app: desk.app.running.app, db, school_id, now: desk.app.clock.now() }, [holder.user_id]))
    expect((await fault({ user_id: holder.user_id, code })).at(-1)).toBe('在人员档案中办理返校')
  })

  test('the row lies outside the departments', async () => {
    const holder = await signedIn({ school_id, codes: [code], scope: 'own' })
    const row = await desk.makePerson('别处的人')
    expect(await fault({ user_id: holder.user_id, code, row })).toEqual([false, 'row', '别处的人不在数据范围内（本部门）', '调整角色的数据范围'])
    expect((await ask({ user_id: holder.user_id, code, row: holder.user_id })).allowed).toBe(true)
    const wide = await signedIn({ school_id, codes: [code] })
    expect((await ask({ user_id: wide.user_id, code, row })).allowed).toBe(true)
  })

  test('10-A18 the school has hidden the page, or may not use its module today', async () => {
    const holder = await signedIn({ school_id, codes: ['people.dept.view'] })
    const ask_page = () => fault({ user_id: holder.user_id, path: '/Organization' })
    const { database } = desk.app.running
    const fact = desk.app.running.app.facts.find(known => known.path === '/Organization')
    await own(database, school_id, db => sql`insert into school_nav (school_id, nav_id, hidden) values (${school_id}, ${fact?.id ?? 0}, true)`.execute(db))
    expect(await ask_page()).toEqual([false, 'shown', '学校在菜单中隐藏了页面「学生组织架构」', '恢复显示'])
    await own(database, school_id, db => sql`insert into school_module (school_id, module_code, valid_from, valid_to) values (${school_id}, 'archive', '2020-01-01', '2020-02-01')`.execute(db))
    expect(await ask_page()).toEqual([false, 'module', '页面「学生组织架构」所在的功能模块未开通或已到期', '开通功能模块'])
    await own(database, school_id, db => sql`delete from school_module where school_id = ${school_id}`.execute(db))
    await own(database, school_id, db => sql`delete from school_nav where school_id = ${school_id}`.execute(db))
    expect((await ask_page())[0]).toBe(true)
  })

  test('an enterprise has no pages of pupils', async () => {
    const at = test_schools.enterprise
    const admin = await signedIn({ school_id: at, codes: 'all' })
    const answer = await desk.done(explainApi.explain, { user_id: admin.user_id, path: '/ParentsRecord' }, admin)
    expect(answer.steps.find(step => step.ok === false)?.text).toBe('企业没有页面「学生家长档案」')
  })
})

test('persons, identities, pages and codes that are not known here are not found', async () => {
  const { user_id } = await signedIn({ school_id, codes: [] })
  const foreign = await signedIn({ school_id: test_schools.b, codes: [] })
  const queries = [{ user_id: foreign.user_id, code }, { user_id, role_no: foreign.role_no, code }, { user_id, path: '/Nowhere' }, { user_id, code: 'no.such.code' }, { user_id, code, row: foreign.user_id }]
  for (const query of queries) expect((await desk.call(explainApi.explain, query)).status).toBe(404)
  expect((await desk.call(explainApi.explain, { user_id })).status).toBe(400)
})

describe('who could do it on a past day', () => {
  const three_days = 3 * 86_400_000
  const past_code = 'messages.message.retry'
  const day = () => new Date(desk.app.clock.now().getTime() + 8 * 3_600_000).toISOString().slice(0, 10)

  test('10-B3 is told from the memberships and the permissions of that day, whatever both are now', async () => {
    const role = await desk.makeRole([past_code], '昔日值班')
    const user_id = await desk.makePerson('往昔')
    const role_no = await desk.give(role.role_id, user_id)
    const first = day()
    desk.app.clock.advance(three_days)
    const later = await signedIn({ school_id, codes: 'all' })
    await desk.done(roleApi.saveMatrix, { role_id: role.role_id, version: role.version, revoke: [past_code] }, later)
    const taken = day()
    desk.app.clock.advance(three_days)
    const last = await signedIn({ school_id, codes: 'all' })
    await desk.done(memberApi.remove, { role_nos: [role_no] }, last)
    const could = async (on: string, whose?: string) => (await desk.done(explainApi.past, { on, code: past_code, user_id: whose }, last)).list.map(row => [row.user_name, row.role_name, row.is_assumed])
    expect([await could(first, user_id), await could(taken, user_id), await could(day(), user_id)]).toEqual([[['往昔', '昔日值班', false]], [['往昔', '昔日值班', false]], []])
    expect((await could(first)).map(([name]) => name)).toContain('往昔')
    expect((await desk.call(explainApi.past, { on: first, code: 'no.such.code' }, last)).status).toBe(404)
  })
})
