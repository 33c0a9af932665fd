import { loginApi, providerApi, providerLoginApi, provider_shapes, sessionApi } from '@campus/identity/contract'
import { schoolApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cookieOf, enter } from '../testing/console-client.ts'
import { at, makePerson } from '../testing/person.ts'
import type { TestPerson } from '../testing/person.ts'
import { said } from '../testing/role-desk.ts'
import { dataOf } from '../testing/wire.ts'
import { userOff, userOn } from '../user-state.ts'
import { comeBack, letIn, openProviderDesk, school_id } from '../testing/provider-desk.ts'
import type { ProviderDesk } from '../testing/provider-desk.ts'

const invalid = [422, '登录凭证无效或已过期']
let desk: ProviderDesk
let person: TestPerson

beforeAll(async () => {
  desk = await openProviderDesk()
  for (const shape of provider_shapes) await desk.line(shape, 'test')
  person = await makePerson(desk.app, { roles: [{ school_id }, { school_id: 1002 }] })
})
afterAll(() => desk.app.close())

const codeOf = (state: string, who = person) => `${who.username}.${state}`

describe.each(provider_shapes)('10-A17 shape %s with the test provider', shape => {
  test('lets the chosen account in, once, in the browser that went out', async () => {
    const { state, cookie, answer, location } = await desk.goOut(shape)
    expect([answer.status, location.pathname, location.searchParams.get('test_login')]).toEqual([302, `/${school_id}`, shape])
    expect(Buffer.from(state, 'base64url')).toHaveLength(16)
    const back = { shape, code: codeOf(state), state, cookie }
    expect(said(await comeBack(desk, { ...back, cookie: 'campus_provider=another' }))).toEqual(invalid)
    const reply = letIn(await comeBack(desk, back))
    expect(reply.user_id).toBe(person.user_id)
    expect(said(await comeBack(desk, back))).toEqual(invalid)
    const entered = await enter(desk.app, at(reply.role_list), reply.token)
    expect(entered.body.code).toBe(600)
  })

  test('refuses a foreign state and one that is ten minutes old', async () => {
    const { cookie } = await desk.goOut(shape)
    const foreign = 'A'.repeat(22)
    expect(said(await comeBack(desk, { shape, code: codeOf(foreign), state: foreign, cookie }))).toEqual(invalid)
    const old = await desk.goOut(shape)
    desk.app.clock.advance(10 * 60_000 + 1)
    expect(said(await comeBack(desk, { ...old, shape, code: codeOf(old.state) }))).toEqual(invalid)
  })

  test('a provider that is off lets nobody out or in', async () => {
    const { state, cookie } = await desk.goOut(shape)
    await desk.line(shape, 'test', { enabled: false })
    const { answer } = await desk.goOut(shape)
    expect(said(answer)).toEqual([422, '该登录方式未启用'])
    expect(said(await comeBack(desk, { shape, code: codeOf(state), state, cookie }))).toEqual([422, '该登录方式未启用'])
    await desk.line(shape, 'test')
  })
})

test('the state of one shape is of no use to another', async () => {
  const { state, cookie } = await desk.goOut('A')
  expect(said(await comeBack(desk, { shape: 'C', code: codeOf(state), state, cookie }))).toEqual(invalid)
})

test('of parallel returns with one state exactly one gets in', async () => {
  const { state, cookie } = await desk.goOut('A')
  const answers = await Promise.all([1, 2, 3, 4].map(() => comeBack(desk, { shape: 'A', code: codeOf(state), state, cookie })))
  expect(answers.filter(answer => answer.body.code === 600)).toHaveLength(1)
})

describe('a provider of one school vouches for that school alone', () => {
  test('no identity of another school is offered, taken by the ticket, or reached by switching', async () => {
    const { state, cookie } = await desk.goOut('A')
    const reply = letIn(await comeBack(desk, { shape: 'A', code: codeOf(state), state, cookie }))
    expect(reply.role_list.map(role => role.school_id)).toEqual([school_id])
    const here = at(reply.role_list)
    const role = person.roles.find(one => one.school_id === 1002)
    const elsewhere = { ...here, id: role?.role_no ?? '', code: role?.code ?? '', school_id: 1002 }
    expect((await enter(desk.app, elsewhere, reply.token)).status).toBe(403)
    const { token } = dataOf(loginApi.token, await enter(desk.app, here, reply.token))
    expect((await enter(desk.app, elsewhere, token)).status).toBe(403)
    const own = dataOf(sessionApi.roles, await desk.app.call(sessionApi.roles, {}, { token }))
    expect(own.list.map(one => one.school_id)).toEqual([school_id])
  })

  test('a suspended school offers nothing and lets nobody in', async () => {
    const { state, cookie } = await desk.goOut('A')
    const setState = (to: number) => desk.inSchool(db => sql`update school set state = ${to} where school_id = ${school_id}`.execute(db))
    await setState(3)
    const { answer } = await desk.goOut('A')
    expect(said(answer)).toEqual([422, '该登录方式未启用'])
    expect(said(await comeBack(desk, { shape: 'A', code: codeOf(state), state, cookie }))).toEqual([422, '该登录方式未启用'])
    expect(dataOf(schoolApi.face, await desk.app.call(schoolApi.face, { id: school_id })).providers).toEqual([])
    await setState(2)
  })

  test('the face of an open school lists what is on', async () => {
    const { providers } = dataOf(schoolApi.face, await desk.app.call(schoolApi.face, { id: school_id }))
    expect(providers.map(one => one.shape)).toEqual(['A', 'B', 'C', 'D'])
    expect(at(providers).start_url).toBe(`/web/auth/provider/start?school_id=${school_id}&shape=A&adapter=test`)
  })
})

describe('what the account must still do', () => {
  test.each([[2 as const, 6005], [3 as const, 6005]])('a password of state %s is changed first', async (pwd_state, code) => {
    const who = await makePerson(desk.app, { roles: [{ school_id }], pwd_state })
    const { state, cookie } = await desk.goOut('A')
    expect((await comeBack(desk, { shape: 'A', code: codeOf(state, who), state, cookie })).body.code).toBe(code)
  })

  test('a disabled account is told so, somebody without identity gets an empty list', async () => {
    const off = await makePerson(desk.app, { roles: [{ school_id }] })
    await desk.inSchool(db => db.updateTable('account').set({ enabled: false }).where('user_id', '=', off.user_id).execute(), 0)
    const out = await desk.goOut('A')
    expect(said(await comeBack(desk, { ...out, shape: 'A', code: codeOf(out.state, off) }))).toEqual([422, '该账号已停用，请联系管理员'])
    const ended = await makePerson(desk.app, { roles: [{ school_id, ended: true }] })
    const again = await desk.goOut('A')
    expect(letIn(await comeBack(desk, { ...again, shape: 'A', code: codeOf(again.state, ended) })).role_list).toEqual([])
  })
})

describe('one-time codes', () => {
  const link = async (who: TestPerson) => {
    const admin = await desk.app.as({ school_id, codes: 'all' })
    return dataOf(providerLoginApi.oneTimeCode, await desk.app.call(providerLoginApi.oneTimeCode, { user_id: who.user_id }, { token: admin.token }))
  }
  const redeem = (code: string, to = school_id) => comeBack(desk, { shape: 'D', code, state: '', cookie: '', at: to })

  test('10-A17 a code of 32 signs opens one school for one account, once, within five minutes', async () => {
    const who = await makePerson(desk.app, { roles: [{ school_id }] })
    await desk.line('D', 'one_time_code', { settings: { minutes: '5' } })
    const made = await link(who)
    expect(made.code).toMatch(/^[A-Z2-7]{32}$/)
    expect(made.address).toBe(`/${school_id}?code=${made.code}&school_id=${school_id}`)
    expect(letIn(await redeem(made.code)).user_id).toBe(who.user_id)
    expect(said(await redeem(made.code))).toEqual(invalid)
    expect(said(await redeem((await link(who)).code, 1002))).toEqual(invalid)
    const old = await link(who)
    desk.app.clock.advance(5 * 60_000 + 1)
    expect(said(await redeem(old.code))).toEqual(invalid)
  })

  test('nobody makes one for himself, for somebody of several schools, or while it is off', async () => {
    const admin = await desk.app.as({ school_id, codes: 'all' })
    const ask = async (user_id: string) => said(await desk.app.call(providerLoginApi.oneTimeCode, { user_id }, { token: admin.token }))
    expect(await ask(admin.user_id)).toEqual([422, '不能对自己的账号执行此操作'])
    expect((await ask(person.user_id))[0]).toBe(409)
    await desk.line('D', 'one_time_code', { enabled: false })
    const who = await makePerson(desk.app, { roles: [{ school_id }] })
    expect(await ask(who.user_id)).toEqual([422, '学校未启用一次性登录码，请先在登录方式中启用'])
  })

  test('whoever leaves the school takes his codes with him', async () => {
    await desk.line('D', 'one_time_code')
    const who = await makePerson(desk.app, { roles: [{ school_id }] })
    const made = await link(who)
    await desk.inSchool(db => userOff({ app: desk.app.running.app, db, school_id, now: desk.app.clock.now() }, [who.user_id]))
    expect(said(await redeem(made.code))).toEqual(invalid)
  })
})

test('departure removes what was bound, its undo brings it back', async () => {
  const who = await makePerson(desk.app, { roles: [{ school_id }] })
  const binds = () => desk.inSchool(db => db.selectFrom('external_bind').selectAll().where('user_id', '=', who.user_id).execute())
  await desk.inSchool(db => db.insertInto('external_bind').values({ school_id, provider: 'oidc', external_id: 'i|1', user_id: who.user_id }).execute())
  const before = await binds()
  const ended = await desk.inSchool(db => userOff({ app: desk.app.running.app, db, school_id, now: desk.app.clock.now() }, [who.user_id]))
  expect(await binds()).toEqual([])
  await desk.inSchool(db => userOn({ app: desk.app.running.app, db, school_id, now: desk.app.clock.now() }, ended))
  expect(await binds()).toEqual(before)
})

test('no line of the operation log holds a code, a state or a cookie that travelled', async () => {
  const { state, cookie } = await desk.goOut('A')
  await comeBack(desk, { shape: 'A', code: codeOf(state), state, cookie })
  await comeBack(desk, { shape: 'A', code: 'CanaryCode', state: 'CanaryState', cookie })
  const texts = await Promise.all([0, school_id].map(id => desk.inSchool(db => sql<{ line: unknown }>`select to_jsonb(l) as line from operation_log l`.execute(db), id)))
  const text = JSON.stringify(texts.map(({ rows }) => rows))
  expect(text).toContain('identity.provider_login.autoLogin')
  for (const secret of [state, cookie.split('=')[1] ?? '?', 'CanaryCode', 'CanaryState']) expect(text).not.toContain(secret)
})

test('an address that keeps failing has to wait', async () => {
  const strict = await openProviderDesk({ settings: { CAMPUS_LOGIN_FAILS_PER_MINUTE: '3' } })
  await strict.line('A', 'test')
  const { cookie } = await strict.goOut('A')
  const tries: number[] = []
  for (let n = 0; n < 4; n += 1) tries.push((await comeBack(strict, { shape: 'A', code: 'guess', state: 'A'.repeat(22), cookie })).status)
  expect(tries).toEqual([422, 422, 422, 429])
  await strict.app.close()
})

describe('the administrator', () => {
  test('tests a line before it is on, reads each step, and is not signed in by it', async () => {
    await desk.line('B', 'test', { enabled: false })
    const admin = await desk.app.as({ school_id, codes: 'all' })
    const begun = await desk.app.call(providerApi.test, { shape: 'B', adapter: 'test' }, { token: admin.token })
    const { test_no, url, steps } = dataOf(providerApi.test, begun)
    expect(steps.map(step => [step.name, step.ok])).toEqual([['检查设置', true], ['生成登录地址', true]])
    const state = new URL(url ?? '', desk.app.url).searchParams.get('state') ?? ''
    const back = await comeBack(desk, { shape: 'B', code: codeOf(state), state, cookie: cookieOf(begun, 'campus_provider') })
    expect(said(back)).toEqual([422, '测试登录已完成，请回到设置页查看结果'])
    const over = dataOf(providerApi.testResult, await desk.app.call(providerApi.testResult, { test_no }, { token: admin.token }))
    expect(over.is_over).toBe(true)
    expect(over.steps.map(step => step.name)).toEqual(['检查设置', '生成登录地址', '返回本系统', '核对登录凭证', '匹配本校人员'])
    expect(JSON.stringify(over)).not.toContain(state)
    const stranger = await desk.app.as({ school_id, codes: 'all' })
    expect((await desk.app.call(providerApi.testResult, { test_no }, { token: stranger.token })).status).toBe(404)
    await desk.line('B', 'test')
  })
})
