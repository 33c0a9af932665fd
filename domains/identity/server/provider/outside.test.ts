import { Writable } from 'node:stream'
import { providerLoginApi } from '@campus/identity/contract'
import type { Refusal } from '@kit/contract'
import { createLog } from '@kit/server/log'
import { sealText } from '@kit/server/secrets'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signedIn } from '../testing/console-client.ts'
import { makePerson } from '../testing/person.ts'
import { said } from '../testing/role-desk.ts'
import { dataOf } from '../testing/wire.ts'
import type { Line } from './adapter.ts'
import { secretPurpose } from './line.queries.ts'
import { startPlatform } from './testing/platform.ts'
import type { Heard, RunningPlatform } from './testing/platform.ts'
import { comeBack, letIn, openProviderDesk, school_id } from '../testing/provider-desk.ts'
import type { ProviderDesk } from '../testing/provider-desk.ts'
import { exchange, refusalOf } from './travel.ts'
import { Trip } from './trip.ts'
import { wecom } from './wecom.ts'

const public_url = 'https://campus.example.cn'
const secret = 'CanarySecret-7f3a'
let platform: RunningPlatform
let desk: ProviderDesk
let used: Set<string>

beforeAll(async () => {
  platform = await startPlatform(() => ({ status: 404 }))
  desk = await openProviderDesk({ settings: { CAMPUS_WECOM_URL: platform.url, CAMPUS_WEIXIAO_URL: platform.url, CAMPUS_PUBLIC_URL: public_url } })
})
afterAll(async () => {
  await desk.app.close()
  await platform.close()
})
beforeEach(() => {
  used = new Set()
  platform.heard.length = 0
})

/** WeChat Work as its documents say: a token for corporation and secret, a code of five minutes and one use, errors by number. */
function asWecom(user: Record<string, unknown>, token = 'corp-token') {
  return ({ path, query, body }: Heard) => {
    if (path === '/cgi-bin/gettoken') return { body: query.get('corpsecret') === secret ? { errcode: 0, errmsg: 'ok', access_token: token, expires_in: 7200 } : { errcode: 40001, errmsg: 'invalid credential' } }
    if (query.get('access_token') !== token) return { body: { errcode: 42001, errmsg: 'access_token expired' } }
    if (path === '/cgi-bin/auth/getuserdetail') return { body: { errcode: 0, mobile: body.includes('ticket-1') ? '13812345678' : undefined } }
    const code = query.get('code') ?? ''
    if (path !== '/cgi-bin/auth/getuserinfo' || used.has(code) || code === 'bad') return { body: { errcode: 40029, errmsg: 'invalid code' } }
    used.add(code)
    return { body: { errcode: 0, errmsg: 'ok', ...user } }
  }
}

/** 微校: token for wxcode, AppKey and AppSecret, then the card number. */
function asWeixiao(user: Record<string, unknown>) {
  return ({ path, body }: Heard) => {
    const sent = JSON.parse(body || '{}')
    if (path === '/connect/oauth2/token') return sent.app_secret === secret && sent.grant_type === 'authorization_code' && sent.wxcode !== 'bad' ? { body: { access_token: 'wx-token', expires_in: 7200 } } : { status: 400, body: { code: 1 } }
    return path === '/connect/oauth/get-user-info' && sent.access_token === 'wx-token' ? { body: user } : { status: 404 }
  }
}

async function keepSecret(shape: 'A' | 'B', adapter: 'wecom' | 'weixiao'): Promise<void> {
  const secret_enc = sealText(desk.app.running.app.secrets.data_key, secretPurpose(school_id, { shape, adapter }), secret)
  await desk.inSchool(db => db.updateTable('login_provider').set({ secret_enc }).where('shape', '=', shape).where('adapter', '=', adapter).execute())
}

describe('WeChat Work', () => {
  const settings = { corp_id: 'ww1', agent_id: '1000002' }
  beforeAll(async () => {
    await desk.line('A', 'wecom', { settings, match_by: 'user_no' })
    await keepSecret('A', 'wecom')
  })

  test('sends a desktop to the scan and the app itself to its own sign-in', async () => {
    const { location } = await desk.goOut('A', 'wecom')
    expect([location.pathname, location.searchParams.get('login_type'), location.searchParams.get('appid'), location.searchParams.get('agentid')]).toEqual(['/wwlogin/sso/login', 'CorpApp', 'ww1', '1000002'])
    expect(location.searchParams.get('redirect_uri')).toBe(`${public_url}/${school_id}?auto_login=1`)
    const line: Line = { school_id, shape: 'A', adapter: 'wecom', settings: { ...settings, entry: 'both' }, secret, callback: 'https://c/1?auto_login=1', wants_phone: true }
    const inside = new URL(await wecom.start({ app: desk.app.running.app, now: new Date(), device_label: '微信 · Android', trip: new Trip() }, line, 'st'))
    expect([inside.pathname, inside.hash, inside.searchParams.get('scope'), inside.searchParams.get('state')]).toEqual(['/connect/oauth2/authorize', '#wechat_redirect', 'snsapi_privateinfo', 'st'])
  })

  test('who it is comes from the corporation token; a forgotten token is asked for anew, a code is good once', async () => {
    const person = await makePerson(desk.app, { roles: [{ school_id }] })
    platform.answer = asWecom({ userid: person.user_no })
    const first = await desk.goOut('A', 'wecom')
    expect(letIn(await comeBack(desk, { ...first, shape: 'A', code: 'c1' })).user_id).toBe(person.user_id)
    platform.answer = asWecom({ userid: person.user_no }, 'newer-token')
    const second = await desk.goOut('A', 'wecom')
    expect(letIn(await comeBack(desk, { ...second, shape: 'A', code: 'c2' })).user_id).toBe(person.user_id)
    expect(platform.heard.filter(one => one.path === '/cgi-bin/gettoken')).toHaveLength(2)
    const third = await desk.goOut('A', 'wecom')
    expect(said(await comeBack(desk, { ...third, shape: 'A', code: 'c2' }))).toEqual([422, '登录凭证无效或已过期'])
  })

  test('somebody from outside the corporation is nobody', async () => {
    platform.answer = asWecom({ openid: 'o1', external_userid: 'e1' }, 'newer-token')
    const out = await desk.goOut('A', 'wecom')
    expect(said(await comeBack(desk, { ...out, shape: 'A', code: 'c9' }))).toEqual([422, '登录凭证无效或已过期'])
  })

  test('a platform that is silent, broken or sends elsewhere lets nobody in', async () => {
    for (const [answer, status] of [[{ status: 500 }, 503], [{ body: 'not json' }, 422], [{ location: 'http://127.0.0.1:9/' }, 422], [{ body: JSON.stringify({ pad: 'x'.repeat(300_000) }) }, 422]] as const) {
      platform.answer = () => answer
      const out = await desk.goOut('A', 'wecom')
      expect((await comeBack(desk, { ...out, shape: 'A', code: 'c3' })).status).toBe(status)
    }
  })
})

describe('微校', () => {
  beforeAll(async () => {
    await desk.line('B', 'weixiao', { settings: { app_key: 'key1', ocode: 'S100' }, match_by: 'external_bind' })
    await keepSecret('B', 'weixiao')
  })

  test('comes back with wxcode; the school code must be ours', async () => {
    platform.answer = asWeixiao({ ocode: 'S999', card_number: 'C1' })
    const out = await desk.goOut('B', 'weixiao')
    expect([out.location.pathname, out.location.searchParams.get('app_key'), out.location.searchParams.get('ocode')]).toEqual(['/connect/oauth2/authorize', 'key1', 'S100'])
    expect(said(await comeBack(desk, { ...out, shape: 'B', code: 'w1' }))).toEqual([422, '登录凭证无效或已过期'])
  })

  test('nobody is bound: the sentence, then 绑定 after a password login, then straight in; unbound again at once', async () => {
    platform.answer = asWeixiao({ ocode: 'S100', card_number: 'C2' })
    const person = await makePerson(desk.app, { roles: [{ school_id }] })
    const out = await desk.goOut('B', 'weixiao')
    const refused = await comeBack(desk, { ...out, shape: 'B', code: 'w2' })
    expect(said(refused)).toEqual([422, '该账号未绑定，请使用账号密码登录'])
    const { bind_token, label } = offerOf(refused.body.data)
    expect(label).toBe('登录')
    const { token } = await signedIn(desk.app, { username: person.username, school_id })
    const bind = (cookie: string, held = token) => desk.app.call(providerLoginApi.bind, { bind_token }, { token: held, headers: { cookie } })
    expect(said(await bind('campus_provider=another'))[0]).toBe(422)
    expect(said(await bind(out.cookie))).toEqual([200, '操作成功'])
    expect(said(await bind(out.cookie))).toEqual([422, '绑定已过期，请重新从该登录方式进入一次'])
    const again = await desk.goOut('B', 'weixiao')
    expect(letIn(await comeBack(desk, { ...again, shape: 'B', code: 'w3' })).user_id).toBe(person.user_id)
    expect(dataOf(providerLoginApi.mine, await desk.app.call(providerLoginApi.mine, {}, { token })).list.map(one => one.label)).toEqual(['腾讯微校'])
    expect((await desk.app.call(providerLoginApi.unbind, { adapter: 'weixiao' }, { token })).status).toBe(200)
    const third = await desk.goOut('B', 'weixiao')
    expect(said(await comeBack(desk, { ...third, shape: 'B', code: 'w4' }))[1]).toBe('该账号未绑定，请使用账号密码登录')
  })

  test('what is bound to one person cannot be taken by another', async () => {
    platform.answer = asWeixiao({ ocode: 'S100', card_number: 'C3' })
    const [first, second] = [await makePerson(desk.app, { roles: [{ school_id }] }), await makePerson(desk.app, { roles: [{ school_id }] })]
    const offers = [await unmatched('w5'), await unmatched('w6')]
    const tokens = [await signedIn(desk.app, { username: first.username, school_id }), await signedIn(desk.app, { username: second.username, school_id })]
    const answers = []
    for (const [place, offer] of offers.entries()) answers.push(await desk.app.call(providerLoginApi.bind, { bind_token: offer.bind_token }, { token: tokens[place]?.token ?? '', headers: { cookie: offer.cookie } }))
    expect(answers.map(answer => answer.status)).toEqual([200, 409])
  })

  test('somebody of another school binds nothing here', async () => {
    platform.answer = asWeixiao({ ocode: 'S100', card_number: 'C4' })
    const other = await makePerson(desk.app, { roles: [{ school_id: 1002 }] })
    const offer = await unmatched('w7')
    const { token } = await signedIn(desk.app, { username: other.username })
    const answer = await desk.app.call(providerLoginApi.bind, { bind_token: offer.bind_token }, { token, headers: { cookie: offer.cookie } })
    expect(said(answer)).toEqual([422, '您不是该学校的人员，不能绑定'])
  })
})

describe('by mobile number', () => {
  test('whoever has it is found, the same last digits are not enough', async () => {
    const role = [{ school_id }]
    const [one, two] = [await makePerson(desk.app, { roles: role }), await makePerson(desk.app, { roles: role })]
    const name = (user_id: string, mobile: string) => desk.inSchool(db => sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex, mobile) values (${school_id}, ${user_id}, '甲', 'jia', 'j', '1', ${mobile})`.execute(db))
    await name(one.user_id, '13812345678')
    await desk.line('B', 'weixiao', { settings: { app_key: 'key1', ocode: 'S100' }, match_by: 'phone' })
    await keepSecret('B', 'weixiao')
    platform.answer = asWeixiao({ ocode: 'S100', card_number: 'C8', telephone: '+86 138 1234 5678' })
    const out = await desk.goOut('B', 'weixiao')
    expect(letIn(await comeBack(desk, { ...out, shape: 'B', code: 'w8' })).user_id).toBe(one.user_id)
    await name(two.user_id, '13912345678')
    platform.answer = asWeixiao({ ocode: 'S100', card_number: 'C8', telephone: '13712345678' })
    const again = await desk.goOut('B', 'weixiao')
    expect((await comeBack(desk, { ...again, shape: 'B', code: 'w9' })).body.error_id).toBe('identity.notBound')
  })
})

test('what travelled stands in no log line, whatever goes wrong', async () => {
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const { app } = desk.app.running
  const log = createLog('debug', to)
  const line: Line = { school_id, shape: 'A', adapter: 'wecom', settings: { corp_id: 'CanaryCorp', entry: 'both' }, secret, callback: '', wants_phone: false }
  platform.answer = () => ({ body: { errcode: 40029, errmsg: `hint: CanaryCode from ${secret}` } })
  const pre = { app, now: new Date(), log, request: { request_id: '', ip: '', device_label: '', client: 'web' as const } }
  const trip = new Trip()
  const told = await exchange(pre, line, { code: 'CanaryCode', state: 'CanaryState' }, trip).catch((error: unknown) => refusalOf(pre, line, error))
  log.debug({ code: 'CanaryCode', state: 'CanaryState', wxcode: 'CanaryCode', secret, nested: { token: 'CanaryState' } }, 'a careless line')
  expect(isRefusal(told) && told.failure.id).toBe('identity.codeInvalid')
  expect(lines).toHaveLength(2)
  for (const canary of [secret, 'CanaryCode', 'CanaryState']) expect(lines.join('') + JSON.stringify(trip.steps)).not.toContain(canary)
})

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Error && 'failure' in error
}

function offerOf(data: unknown): { bind_token: string; label: string } {
  return typeof data === 'object' && data !== null && 'bind_token' in data && 'label' in data ? { bind_token: String(data.bind_token), label: String(data.label) } : { bind_token: '', label: '' }
}

async function unmatched(code: string) {
  const out = await desk.goOut('B', 'weixiao')
  return { ...offerOf((await comeBack(desk, { ...out, shape: 'B', code })).body.data), cookie: out.cookie }
}
