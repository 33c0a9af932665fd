import { startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { cloudFeeApi, loginApi, sessionApi, subAppApi } from '@campus/identity/contract'
import { schoolApi, subApps } from '@campus/school/contract'
import type { SubAppCode } from '@campus/school/contract'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { askPartner } from './sub-app.partner.ts'
import { cookieOf, enter, loggedIn, loginBody } from './testing/console-client.ts'
import { at, makePerson } from './testing/person.ts'
import { dataOf } from './testing/wire.ts'

const { a, b, enterprise } = test_schools
const stale = [401, '链接已失效，请返回后重新打开']
const uninitialised = [409, '系统参数未进行初始化，请联系管理员']
const codes = subApps.map(app => app.code)
const cloud: readonly string[] = ['cloudFee', 'cloudWater', 'cloudDish', 'cloudScale']
let app: TestApp
let me: TestUser

beforeAll(async () => {
  app = await startTestApp()
  await setFee(a, 1)
})
beforeEach(async () => {
  me = await app.as({ school_id: a, codes: [] })
})
afterAll(() => app.close())

const setFee = (school_id: number, on: 0 | 1) =>
  app.running.database.tenant(school_id, db => sql`update school_config set cloud_fee = ${on} where school_id = ${school_id}`.execute(db))
const said = (answer: Answer) => [answer.status, answer.body.msg]
const linkOf = (code: SubAppCode, who = me) => app.call(subAppApi.link, { code }, { token: who.token })
const urlOf = async (code: SubAppCode, who = me) => dataOf(subAppApi.link, await linkOf(code, who)).url
const queryOf = (url: string) => url.slice(url.indexOf('?') + 1)
const verify = (query: string, token?: string) => app.call(subAppApi.verify, { query }, token === undefined ? {} : { token })
/** A call of a higher domain, as the server knows it. */
const inboxCount = () => at(app.running.app.calls.filter(call => call.call === 'messages.inbox.count'))
const alive = async (token: string) => (await app.call(subAppApi.manifest, {}, { token })).status

/** Opens a sub-application by a fresh link. */
async function opened(code: SubAppCode, who = me) {
  const answer = await verify(queryOf(await urlOf(code, who)))
  const told = dataOf(subAppApi.verify, answer)
  if (!('token' in told)) throw new Error('no session')
  return { ...told, answer, cookie: cookieOf(answer, `mini_${code}`) }
}

test('10-A19 they are 22', () => {
  expect(new Set(codes).size).toBe(22)
})

describe.each(codes)('the link of %s', code => {
  test('10-A19 opens once: 32 hex signs, one app, one user, one school, its own cookie; then 401', async () => {
    const url = await urlOf(code)
    const query = new URLSearchParams(queryOf(url))
    expect(url).toMatch(/^\/mini\/[a-z-]+\/\?/)
    expect(query.get('sign')).toMatch(/^[0-9a-f]{32}$/)
    expect([query.get('app'), query.get('school_id'), query.get('user_no')]).toEqual([code, String(a), me.user_no])
    const answer = await verify(queryOf(url))
    expect(dataOf(subAppApi.verify, answer)).toMatchObject({ app: { code }, me: { user_id: me.user_id }, school: { school_id: a } })
    expect(answer.headers.getSetCookie().join()).toMatch(new RegExp(`mini_${code}=.*Path=/web/sub_app/; HttpOnly; SameSite=Lax`))
    expect(said(await verify(queryOf(url)))).toEqual(stale)
  })

  test('10-A19 is over after 301 seconds, and with one changed byte anywhere', async () => {
    const query = queryOf(await urlOf(code))
    for (const name of ['user_no', 'timestamp', 'school_id', 'app', 'nonce', 'sign']) {
      const [head = '', tail = ''] = query.split(`${name}=`)
      const changed = `${head}${name}=${tail.startsWith('1') ? '2' : '1'}${tail.slice(1)}`
      expect(said(await verify(changed)), name).toEqual(stale)
    }
    app.clock.advance(301_000)
    expect(said(await verify(query))).toEqual(stale)
  })
})

test('10-A19 the four cloud applications without the service say so and give no link; others do not ask for it', async () => {
  const other = await app.as({ school_id: b, codes: [] })
  expect(dataOf(cloudFeeApi.enable, await app.call(cloudFeeApi.enable, { school_id: b }, { token: other.token }))).toEqual({ enable: 0 })
  for (const code of codes) {
    const answer = await linkOf(code, other)
    expect(said(answer), code).toEqual(cloud.includes(code) ? uninitialised : [200, answer.body.msg])
  }
  expect((await app.call(cloudFeeApi.enable, { school_id: a }, { token: other.token })).status).toBe(403)
})

test('a link made before the service was switched off opens nothing, and its session is over', async () => {
  const query = queryOf(await urlOf('cloudFee'))
  const { cookie } = await opened('cloudDish')
  await setFee(a, 0)
  expect(said(await verify(query))).toEqual(stale)
  expect(said(await app.call(subAppApi.refresh, { app: 'cloudDish' }, { headers: { cookie } }))).toEqual(stale)
  await setFee(a, 1)
})

test('an enterprise has no application of schools', async () => {
  const worker = await app.as({ school_id: enterprise, codes: [] })
  expect((await linkOf('dorm', worker)).status).toBe(403)
  expect((await linkOf('hall', worker)).status).toBe(200)
})

test('of two that open the same link at once one gets in', async () => {
  const query = queryOf(await urlOf('hall'))
  const answers = await Promise.all([verify(query), verify(query), verify(query)])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 401, 401])
})

test('the log of the school knows why a link was refused, the answer does not', async () => {
  const query = queryOf(await urlOf('hall'))
  await verify(query)
  await verify(query)
  const { rows } = await app.running.database.tenant(a, db => sql<{ reason: string | null; ok: boolean; client: string }>`
    select reason, ok, client from operation_log where school_id = ${a} and call = 'identity.sub_app.verify' and user_no = ${me.user_no} order by happened_at, log_id`.execute(db))
  expect(rows.map(({ ok, reason }) => [ok, reason])).toEqual([[true, null], [false, '链接已使用']])
})

describe('the session of a sub-application', () => {
  test('makes the calls of its manifest and no other, whatever its person may do in the console', async () => {
    const admin = await app.as({ school_id: a, codes: 'all' })
    const hall = await opened('hall', admin)
    expect((await app.call(inboxCount(), {}, { token: hall.token })).status).toBe(200)
    for (const token of [hall.token, (await opened('dorm', admin)).token]) {
      expect(said(await app.call(schoolApi.info, {}, { token }))).toEqual([403, '无权限查看'])
      expect((await app.call(sessionApi.mine, {}, { token })).status).toBe(403)
    }
    expect((await app.call(inboxCount(), {}, { token: (await opened('dorm', admin)).token })).status).toBe(403)
  })

  test('becomes no session of the console, neither by its token nor by its cookie', async () => {
    const { token, cookie } = await opened('hall')
    const { role_no, role_code, user_id } = me
    const entry = { id: role_no, code: role_code, user_id, user_dep: '1', school_id: a }
    expect((await enter(app, entry, token)).status).toBe(401)
    const as_console = cookie.replace('mini_hall=', 'campus_refresh=')
    expect((await app.call(loginApi.refresh, {}, { headers: { cookie: as_console } })).status).toBe(401)
    const as_other = cookie.replace('mini_hall=', 'mini_dorm=')
    expect(said(await app.call(subAppApi.refresh, { app: 'dorm' }, { headers: { cookie: as_other } }))).toEqual(stale)
  })

  test('goes on by its cookie and ends when its person leaves it', async () => {
    const { token, cookie } = await opened('hall')
    const renewed = dataOf(subAppApi.refresh, await app.call(subAppApi.refresh, { app: 'hall' }, { headers: { cookie } }))
    expect(renewed.me.user_id).toBe(me.user_id)
    expect((await app.call(subAppApi.leave, {}, { token })).status).toBe(200)
    expect(await alive(renewed.token)).toBe(401)
  })

  test('ends with the console session it came of, within a second', async () => {
    const { token, cookie } = await opened('hall')
    expect(await alive(token)).toBe(200)
    await app.call(sessionApi.logout, {}, { token: me.token })
    await expect.poll(() => alive(token), { timeout: 5_000 }).toBe(401)
    expect(said(await app.call(subAppApi.refresh, { app: 'hall' }, { headers: { cookie } }))).toEqual(stale)
  })

  test('ends after half an hour without use; a link dies with the session that asked for it', async () => {
    const { cookie } = await opened('hall')
    const query = queryOf(await urlOf('hall'))
    await app.call(sessionApi.logout, {}, { token: me.token })
    expect(said(await verify(query))).toEqual(stale)
    me = await app.as({ school_id: a, codes: [] })
    const other = await opened('hall')
    app.clock.advance(31 * 60_000)
    for (const kept of [cookie, other.cookie]) expect(said(await app.call(subAppApi.refresh, { app: 'hall' }, { headers: { cookie: kept } }))).toEqual(stale)
  })

  test('a hall leads to other applications, those lead nowhere', async () => {
    const hall = await opened('hall')
    const url = dataOf(subAppApi.link, await app.call(subAppApi.link, { code: 'dorm' }, { token: hall.token })).url
    const dorm = dataOf(subAppApi.verify, await verify(queryOf(url)))
    expect(dorm).toMatchObject({ app: { code: 'dorm' }, me: { user_id: me.user_id } })
    expect('token' in dorm && (await app.call(subAppApi.link, { code: 'hall' }, { token: dorm.token })).status).toBe(403)
  })
})

test('the phone entry lets in a parent whom the console refuses, into the hall and nothing else', async () => {
  const parent = await makePerson(app, { roles: [{ school_id: a, group_code: 'SYS005' }] })
  expect((await loggedIn(app, parent)).role_list).toEqual([])
  const reply = dataOf(loginApi.check, await app.call(loginApi.check, { ...(await loginBody(app, parent)), client: 'mini' }))
  const { id, code, user_id, user_dep, school_id } = at(reply.role_list)
  const input = { role_no: id, code, user_id, user_dep, school_id }
  expect((await app.call(loginApi.token, { ...input, client: 'web' }, { token: reply.token })).status).toBe(403)
  const entered = await app.call(loginApi.token, { ...input, client: 'mini' }, { token: reply.token })
  const cookie = cookieOf(entered, 'mini_hall')
  expect([entered.status, cookieOf(entered, 'campus_refresh')]).toEqual([200, ''])
  const told = dataOf(subAppApi.refresh, await app.call(subAppApi.refresh, { app: 'hall' }, { headers: { cookie } }))
  expect(told.me).toMatchObject({ user_id: parent.user_id, role_group: 'SYS005' })
  expect((await app.call(schoolApi.info, {}, { token: told.token })).status).toBe(403)
})

describe('a partner’s token', () => {
  const partner = async (answer: unknown, status = 200) => {
    const server = createServer((_request, reply) => reply.writeHead(status, { location: '/other' }).end(JSON.stringify(answer)))
    await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready))
    const { port } = addressOf(server.address())
    return { url: `http://127.0.0.1:${port}/token`, close: () => server.close() }
  }
  const addressOf = (address: AddressInfo | string | null) => (typeof address === 'object' && address !== null ? address : { port: 0 })

  test.each([
    ['as a text', { code: 0, data: 'abc' }, 'abc'],
    ['as an object', { code: 600, data: { token: 'abc' } }, 'abc'],
  ])('%s', async (_name, answer, token) => {
    const { url, close } = await partner(answer)
    expect(await askPartner(url, { user_no: '1' })).toBe(token)
    close()
  })

  test.each([
    ['with the partner’s sentence', { code: 5, msg: '用户不存在' }, 200, '用户不存在'],
    ['without a sentence', { code: 5 }, 200, '系统异常，请稍后重试'],
    ['without a token', { code: 0, data: {} }, 200, '系统异常，请稍后重试'],
    ['that is no answer', 'nothing', 200, '系统异常，请稍后重试'],
    ['that leads elsewhere', { code: 0, data: 'abc' }, 302, '系统异常，请稍后重试'],
    ['that is too large', { code: 0, data: 'abc', more: 'x'.repeat(256 * 1024) }, 200, '系统异常，请稍后重试'],
  ])('refused %s', async (_name, answer, status, msg) => {
    const { url, close } = await partner(answer, status)
    await expect(askPartner(url, {})).rejects.toThrow(msg)
    close()
  })

  test('of an application that has no partner', async () => {
    expect(said(await app.call(subAppApi.thirdToken, { code: 'hall' }, { token: me.token }))).toEqual([422, '系统异常，请稍后重试'])
    await expect(askPartner('http://127.0.0.1:1/token', {})).rejects.toThrow('系统异常，请稍后重试')
  })
})
