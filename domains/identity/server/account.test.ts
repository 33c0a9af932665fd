import { dataOf, domains, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { accountApi, identityEvents, loginApi, sessionApi } from '@campus/identity/contract'
import type { AccountConcern } from '@campus/identity/contract'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantSuper } from './account.queries.ts'
import { randomPassword } from './account.reset.ts'
import { enter, loggedIn, login, signedIn } from './testing/console-client.ts'
import { makePerson, ofSchool, own } from './testing/person.ts'
import type { TestPerson } from './testing/person.ts'

const { a: school_id, b } = test_schools
const manage = 'identity.account.manage'
const several = [409, '该账号属于多所学校，请由本人修改或联系平台管理员']
let app: TestApp
let admin: TestUser

beforeAll(async () => {
  const told = [identityEvents.accountDisabled, identityEvents.accountEnabled, identityEvents.accountLocked, identityEvents.passwordChanged]
  const consumers = told.map(({ name, payload }) => consume(`probe.${name.replaceAll('.', '_')}`, name, payload, async () => undefined))
  app = await startTestApp({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers }] })
  admin = await app.as({ school_id, codes: [manage] })
})
afterAll(() => app.close())

const said = ({ status, body }: Answer) => [status, body.msg]
const teacher = (more: Parameters<typeof makePerson>[1] = {}) => makePerson(app, { roles: [{ school_id }], ...more })
type Act = 'unlock' | 'disable' | 'enable' | 'kick' | 'reset'
const act = (which: Act, { user_id }: { user_id: string }, { token }: { token: string } = admin) => app.call(accountApi[which], { user_id }, { token })
const state = async ({ user_id }: { user_id: string }, { token }: { token: string } = admin) => dataOf(accountApi.state, await app.call(accountApi.state, { user_id }, { token }))
const reset = async (person: TestPerson, who: { token: string } = admin) => dataOf(accountApi.reset, await act('reset', person, who))
const isIn = async ({ token }: { token: string }) => (await app.call(sessionApi.mine, {}, { token })).status === 200
const told = async (name: string, school = school_id) => {
  const { rows } = await app.running.database.tenant(school, db => sql<{ payload: unknown }>`select payload from outbox where school_id = ${school} and name = ${name} order by event_no`.execute(db))
  return rows.map(row => row.payload)
}
async function guessWrong(person: TestPerson): Promise<void> {
  for (let times = 0; times < 5; times += 1) await login(app, { ...person, password: `wrong-${times}` })
}

/** A super account at work in the school, made at its first use. */
const superSession = once(async () => {
  const person = await makePerson(app, { roles: [{ school_id: test_schools.enterprise }] })
  await own(app.running.database, 0, db => grantSuper(db, person.user_id, 2, [school_id, b]))
  const reply = await loggedIn(app, { ...person, school_id })
  const { token } = dataOf(loginApi.token, await enter(app, ofSchool(reply.role_list, school_id), reply.token))
  return { token, person }
})
function once<R>(make: () => Promise<R>): () => Promise<R> {
  let made: Promise<R> | null = null
  return () => (made ??= make())
}

describe('a reset', () => {
  test('answers a random password once, which must be changed; sessions end', async () => {
    const person = await teacher()
    const session = await signedIn(app, person)
    const { password, user_name, username } = await reset(person)
    expect([username, user_name]).toEqual([person.username, (await state(person)).user_name])
    expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{12}$/)
    expect(await isIn(session)).toBe(false)
    expect((await login(app, person)).body.code).toBe(422)
    expect((await login(app, { ...person, password })).body.code).toBe(6005)
    expect(await state(person)).toMatchObject({ pwd_state: 3, sessions: 0, account_state: 'normal', refused: null })
    expect(await told('identity.password.changed')).toContainEqual({ user_ids: [person.user_id], by_self: false })
  })

  test('leaves the password nowhere but in its answer', async () => {
    const person = await teacher()
    const { password } = await reset(person)
    const { rows } = await app.running.database.tenant(school_id, db => sql<{ line: string; op_type: number }>`select o::text as line, op_type from operation_log o where school_id = ${school_id} and target_id = ${person.user_id}`.execute(db))
    expect(rows.map(row => [row.op_type, row.line.includes(password)])).toEqual([[10, false]])
  })

  test('may happen five times an hour', async () => {
    const person = await teacher()
    for (let times = 0; times < 5; times += 1) await reset(person)
    const sixth = await act('reset', person)
    expect([...said(sixth), Number(sixth.headers.get('retry-after')) > 3000]).toEqual([429, '该账号1小时内重置密码次数过多，请稍后再试', true])
  })

  test('10-A6 opens a flagged account only in the hands of a super account', async () => {
    const person = await teacher()
    await own(app.running.database, 0, db => db.updateTable('account').set({ vuln_reason: '弱口令' }).where('user_id', '=', person.user_id).execute())
    expect(said(await act('reset', person))).toEqual([422, '该账号存在漏洞，请联系超级管理员重置密码'])
    const { password } = await reset(person, await superSession())
    expect((await login(app, { ...person, password })).body.code).toBe(6005)
  })

  test('of somebody who may do more than oneself is refused: it would be a way to his rights', async () => {
    const mighty = await app.as({ school_id, codes: [manage, 'identity.role.view'] })
    expect(said(await act('reset', mighty))).toEqual([422, '该人员拥有您没有的权限或数据范围，请由权限更高的管理员处理'])
    const equal = await app.as({ school_id, codes: [manage] })
    expect(said(await act('reset', equal))).toEqual([422, '该人员尚未开通登录账号'])
  })

  test('random passwords differ and always fit', () => {
    const made = Array.from({ length: 200 }, randomPassword)
    expect(new Set(made).size).toBe(200)
    for (const password of made) expect(password).toMatch(/^(?=.*[a-z])(?=.*[A-Z])(?=.*[2-9])[A-HJ-NP-Za-km-z2-9]{12}$/)
  })
})


describe('a lock', () => {
  test('is told to everybody who listens, stands in the list, and can be taken away', async () => {
    const person = await teacher()
    await guessWrong(person)
    expect((await login(app, person)).body.code).toBe(422)
    expect((await state(person)).account_state).toBe('locked')
    expect(await told('identity.account.locked')).toContainEqual({ user_id: person.user_id, until: (await state(person)).locked_until })
    expect(said(await act('unlock', person))).toEqual([200, '操作成功'])
    expect(await state(person)).toMatchObject({ account_state: 'normal', locked_until: null })
    expect((await login(app, person)).body.code).toBe(600)
  })
})

describe('an account', () => {
  test('is shut and opened again; whoever was in is out', async () => {
    const person = await teacher()
    const session = await signedIn(app, person)
    expect((await act('disable', person)).body.data).toEqual({ sessions: 1 })
    expect([await isIn(session), (await login(app, person)).body.code, (await state(person)).account_state]).toEqual([false, 422, 'disabled'])
    await act('enable', person)
    expect([await isIn(session), (await login(app, person)).body.code]).toEqual([false, 600])
    expect([await told('identity.account.disabled'), await told('identity.account.enabled')]).toEqual([[{ user_id: person.user_id }], [{ user_id: person.user_id }]])
  })

  test('of the last administrator cannot be shut', async () => {
    const last = await teacher()
    const role_id = last.roles[0]?.role_id ?? ''
    await own(app.running.database, school_id, db => db.insertInto('role_permission').values({ school_id, role_id, code: 'identity.role.edit' }).execute())
    expect(said(await act('disable', last))).toEqual([409, '至少保留一名管理员'])
    expect((await state(last)).account_state).toBe('normal')
  })

  test('is signed out of this school and may come again', async () => {
    const person = await teacher({ roles: [{ school_id }, { school_id: b }] })
    const session = await signedIn(app, { ...person, school_id })
    expect((await act('kick', person)).body.data).toEqual({ sessions: 1 })
    expect([await isIn(session), (await login(app, person)).body.code]).toEqual([false, 600])
  })

  test('of several schools is nobody’s but its owner’s and the platform’s (R10); having left the other school counts no more', async () => {
    const person = await teacher({ roles: [{ school_id }, { school_id: b }] })
    for (const which of ['unlock', 'disable', 'enable', 'reset'] as const) expect(said(await act(which, person)), which).toEqual(several)
    expect((await state(person)).refused).toBe(several[1])
    expect((await state(person, await superSession())).refused).toBeNull()
    expect((await act('reset', person, await superSession())).status).toBe(200)
    await own(app.running.database, b, db => db.updateTable('school_user').set({ left_at: app.clock.now() }).where('school_id', '=', b).where('user_id', '=', person.user_id).execute())
    expect((await act('reset', person)).status).toBe(200)
  })

  test('of oneself is not for administering', async () => {
    for (const which of ['unlock', 'disable', 'enable', 'kick', 'reset'] as const) expect(said(await act(which, admin)), which).toEqual([422, '不能对自己的账号执行此操作'])
  })

  test('without a login, out of reach, of another school, or gone is not touched', async () => {
    const other = await app.as({ school_id, codes: [] })
    expect([(await state(other)).account_state, said(await act('reset', other))]).toEqual(['none', [422, '该人员尚未开通登录账号']])
    const near = await app.as({ school_id, codes: [manage], scope: 'none' })
    const person = await teacher()
    for (const which of ['unlock', 'disable', 'enable', 'kick', 'reset'] as const) expect((await act(which, person, near)).status, which).toBe(404)
    const foreign = await teacher({ roles: [{ school_id: b }] })
    for (const which of ['unlock', 'disable', 'enable', 'kick', 'reset'] as const) expect((await act(which, foreign)).status, which).toBe(404)
    await own(app.running.database, school_id, db => db.updateTable('school_user').set({ left_at: app.clock.now() }).where('school_id', '=', school_id).where('user_id', '=', person.user_id).execute())
    expect((await act('reset', person)).status).toBe(404)
  })

  test('of a super user is nobody’s in a school (R9)', async () => {
    const person = await teacher()
    await own(app.running.database, 0, db => grantSuper(db, person.user_id, 3, []))
    for (const which of ['unlock', 'disable', 'enable', 'kick', 'reset'] as const) expect(said(await act(which, person)), which).toEqual([422, '超级管理员账号不能在此管理'])
  })
})

describe('accounts to look after', () => {
  const list = async (concern: AccountConcern, { token }: { token: string }) => dataOf(accountApi.concerns, await app.call(accountApi.concerns, { concern }, { token }))

  test('are counted and listed by what is the matter with them, within the caller’s departments', async () => {
    const boss = await app.as({ school_id: b, codes: [manage] })
    const at_b = (more: Parameters<typeof makePerson>[1] = {}) => makePerson(app, { roles: [{ school_id: b }], ...more })
    const [given, weak, old, locked] = [await at_b({ pwd_state: 2 }), await at_b({ password: 'qwpz7781' }), await at_b(), await at_b()]
    await login(app, weak)
    await guessWrong(locked)
    await own(app.running.database, b, db => db.updateTable('password_set').set({ valid_days: 30 }).where('school_id', '=', b).execute())
    await own(app.running.database, 0, db => db.updateTable('account').set({ pwd_set_at: new Date(app.clock.now().getTime() - 20 * 86_400_000) }).where('user_id', '=', old.user_id).execute())
    expect(dataOf(accountApi.gauges, await app.call(accountApi.gauges, {}, { token: boss.token }))).toEqual({ unchanged: 1, expiring: 1, weak: 1, locked: 1 })
    const found = async (concern: AccountConcern) => (await list(concern, boss)).list.map(row => [row.user_id, row.until !== null, row.can_act])
    expect([await found('unchanged'), await found('weak')]).toEqual([[[given.user_id, false, true]], [[weak.user_id, false, true]]])
    expect([await found('expiring'), await found('locked')]).toEqual([[[old.user_id, true, true]], [[locked.user_id, true, true]]])
    const near = await app.as({ school_id: b, codes: [manage], scope: 'none' })
    expect(dataOf(accountApi.gauges, await app.call(accountApi.gauges, {}, { token: near.token }))).toEqual({ unchanged: 0, expiring: 0, weak: 0, locked: 0 })
    expect((await list('weak', near)).total).toBe(0)
  })

  test('that are flagged are for a super account to open', async () => {
    const boss = await app.as({ school_id: b, codes: [manage] })
    const person = await makePerson(app, { roles: [{ school_id: b }] })
    await own(app.running.database, 0, db => db.updateTable('account').set({ vuln_reason: '弱口令' }).where('user_id', '=', person.user_id).execute())
    expect((await list('weak', boss)).list.find(row => row.user_id === person.user_id)).toMatchObject({ is_vulnerable: true, can_act: false })
  })
})
