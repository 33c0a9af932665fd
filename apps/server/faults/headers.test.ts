import { clientErrorApi, preferenceApi } from '@campus/school/contract'
import { loginApi } from '@campus/identity/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

let app: TestApp
let token: string

beforeAll(async () => {
  app = await startTestApp()
  token = (await app.as({ school_id: test_schools.a, codes: 'all' })).token
})
afterAll(() => app.close())

const pages = ['/', '/login', '/900001', '/ParentsRecord', '/api/docs/index.html']
const answers: [string, string, number, RequestInit?][] = [
  ['a call', '/web/user_pref?pref_key=quick_navs', 200],
  ['a malformed call', '/web/user_pref?pref_key=nothing', 400],
  ['an unknown address of the API', '/web/nothing', 404],
  ['a wrong method', '/web/user_pref', 405, { method: 'DELETE' }],
  ['no JSON', '/web/user_pref', 400, { method: 'POST', body: '{', headers: { 'content-type': 'application/json' } }],
  ['XML', '/web/user_pref', 415, { method: 'POST', body: '<a/>', headers: { 'content-type': 'application/xml' } }],
  ['a captcha', '/web/captcha', 200],
  ['the API description', '/api/openapi.json', 200],
  ['liveness', '/livez', 200],
  ['readiness', '/readyz', 200],
  ['the figures', '/metrics', 200],
]

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${app.url}${path}`, { ...init, headers: { authorization: token, ...init.headers } })
}

/** Directive → its sources. */
function policyOf(answer: Response): Map<string, string[]> {
  const text = answer.headers.get('content-security-policy') ?? ''
  return new Map(text.split(';').map(part => part.trim().split(/\s+/)).map(([name = '', ...sources]) => [name, sources]))
}

describe('security headers', () => {
  test.each([...answers.map(([name, path, , init]) => [name, path, init] as const), ...pages.map(path => [path, path, undefined] as const)])('of %s', async (_name, path, init) => {
    const answer = await ask(path, init)
    const policy = policyOf(answer)
    expect(policy.get('script-src') ?? policy.get('default-src')).toEqual([`'self'`])
    expect(policy.get('object-src')).toEqual([`'none'`])
    expect(policy.get('base-uri')).toEqual([`'none'`])
    expect(policy.get('frame-ancestors')).toEqual([`'none'`])
    expect(answer.headers.get('content-security-policy')).not.toMatch(/unsafe-eval|unsafe-inline/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('x-powered-by')).toBeNull()
    await answer.arrayBuffer()
  })

  test('each page lets in the styles of its own scripts, by a nonce that no other page has', async () => {
    const nonces = await Promise.all(['/', '/', '/ParentsRecord'].map(async path => {
      const answer = await ask(path)
      const [, nonce] = /"style_nonce":"([^"]+)"/.exec(await answer.text()) ?? []
      expect(policyOf(answer).get('style-src')).toEqual([`'self'`, `'nonce-${nonce}'`])
      return nonce
    }))
    expect(new Set(nonces).size).toBe(3)
  })

  test('pages of sub-applications and of the help connect to their own address only', async () => {
    const host = new URL(app.url).host
    for (const path of ['/mini/hall/1001', '/help/', '/help/frame']) {
      expect(policyOf(await ask(path)).get('connect-src'), path).toEqual([`'self'`, `ws://${host}`, `wss://${host}`])
    }
  })

  test('pages of the console reach the reader of their own machine, and one other at a near address that the browser has chosen; no call and no other page does', async () => {
    const host = new URL(app.url).host
    const usual = ['http://127.0.0.1:32156', `'self'`, `ws://${host}`, `wss://${host}`]
    const sources = async (path: string, cookie = '') => policyOf(await ask(path, { headers: { cookie } })).get('connect-src')
    expect(await sources('/SmartCard')).toEqual(usual)
    expect(await sources('/', 'campus_reader=192.168.3.9:32156')).toEqual([usual[0], 'http://192.168.3.9:32156', ...usual.slice(1)])
    for (const bad of ['8.8.8.8:32156', '192.168.3.9:80', '192.168.3.9:99999', '10.0.0.1.evil.test:32156', encodeURIComponent('10.0.0.1:32156;script-src *'), '127.0.0.1', '*:32156']) expect(await sources('/', `campus_reader=${bad}`), bad).toEqual(usual)
    for (const path of ['/mini/hall/1001', '/help/', '/web/user_pref?pref_key=quick_navs']) expect(await sources(path, 'campus_reader=192.168.3.9:32156'), path).not.toContain('http://192.168.3.9:32156')
  })

  test('no page carries a script in its text', async () => {
    for (const path of pages) {
      const text = await (await ask(path)).text()
      const inline = [...text.matchAll(/<script(?![^>]*\bsrc=)([^>]*)>/g)].map(match => match[1] ?? '').filter(attributes => !attributes.includes('application/json'))
      expect(inline, path).toEqual([])
      expect(text, path).not.toMatch(/\son(click|load|error)=/)
    }
  })
})

describe('no answer of the API is kept by anybody', () => {
  test.each(answers)('%s', async (_name, path, status, init) => {
    const answer = await ask(path, init)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([status, 'no-store'])
    await answer.arrayBuffer()
  })

  test('without a session, without a permission, a download', async () => {
    const nobody = await app.as({ school_id: test_schools.a, codes: [] })
    for (const answer of [await fetch(`${app.url}/web/user_pref?pref_key=quick_navs`), await fetch(`${app.url}/web/import/template/student`, { headers: { authorization: nobody.token } }), await ask('/web/import/template/student')]) {
      expect(answer.headers.get('cache-control')).toBe('no-store')
      await answer.arrayBuffer()
    }
  })
})

test('an answer about a fault tells nothing of the inside', async () => {
  // Statements refused by the database, bodies refused by the parser, sessions that are none.
  const nul = '\u0000'
  const bad = [
    await app.call(preferenceApi.save, { pref_key: 'recent_apps', value: nul }, { token }),
    await app.call(preferenceApi.save, { pref_key: 'recent_apps', value: { deep: { [nul]: nul } } }, { token }),
    await app.call(preferenceApi.read, { pref_key: 'quick_navs' }, { token: `${token}x` }),
    await app.call(loginApi.token, { role_no: '999999999999999999', code: `'; drop table role; --`, user_id: '1', school_id: 1, client: 'web' }, { token: 'x' }),
    await app.call(clientErrorApi.report, { route: '/x', name: 'x', hash: 'x', version: 'x' }, { token }),
  ]
  for (const { bytes, status } of bad) {
    const text = Buffer.from(bytes).toString()
    expect(text).not.toMatch(/\bat \w.*:\d+:\d+|node_modules|node:internal|\.ts\b|select |insert into|violates|constraint|syntax error|relation|unsupported Unicode|kysely|postgres/i)
    expect([200, 400, 401, 403, 422]).toContain(status)
  }
})
