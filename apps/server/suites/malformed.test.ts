import { sessionApi } from '@campus/identity/contract'
import { isDownload, isWebhook } from '@kit/contract'
import type { Call } from '@kit/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { domains } from '../domains.ts'
import { sendRaw, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

const calls: Call[] = domains.flatMap(domain => domain.routes).map(route => route.call)
const nul = '\u0000'
const deep = '['.repeat(5000) + ']'.repeat(5000)

/** What the reader of bodies refuses before it knows what is called. */
const unreadable: [name: string, body: string, type: string][] = [
  ['no JSON', '{"a":', 'application/json'],
  ['nested 5,000 deep', deep, 'application/json'],
  ['XML', '<a/>', 'application/xml'],
  ['a form', 'a=1&b=2', 'application/x-www-form-urlencoded'],
  ['2 MB', JSON.stringify({ a: 'x'.repeat(2_000_000) }), 'application/json'],
]
/** What only the call itself can tell to be wrong. */
const bodies: [name: string, body: string, type: string][] = [
  ['an array', '[1,2,3]', 'application/json'],
  ['null', 'null', 'application/json'],
  ['a prototype', '{"__proto__":{"x":1},"constructor":{"prototype":{}}}', 'application/json'],
  ['the wrong types', '{"school_id":{},"user_id":[],"row_no":"x","cells":7,"pref_key":1,"value":null,"username":9,"cap_key":true}', 'application/json'],
  ['NUL signs', JSON.stringify({ sc_code_type: nul, pref_key: `columns:/${nul}`, value: nul, username: nul, route: nul, name: nul, hash: nul, version: nul }), 'application/json'],
]
const queries = ['?page_index=-1', '?page_size=21', '?page_size=99999', '?school_id=x', `?keyword=${'%25'.repeat(2000)}`, '?dept_id=1e9', '?on=2026-02-30', '?keyword=%00', '?page_index=99999999999999999999']
/** Of a parameter that no call has. */
const unknown_query = '?sort=1;drop'

/** Bodies are read by method, by whether a file comes and by whether they stay letters: one call of each such kind. */
const readers = new Set([...Map.groupBy(calls.filter(hasBody), call => JSON.stringify([call.method, call.details.upload !== undefined, isWebhook(call)])).values()].map(([first]) => first))

let app: TestApp
let token: string | undefined

beforeAll(async () => {
  app = await startTestApp()
})
// One of the calls signs out, even when it is asked badly: who was signed out signs in again.
beforeEach(async () => {
  if (token === undefined || (await app.call(sessionApi.mine, {}, { token })).status !== 200) token = (await app.as({ school_id: test_schools.a, codes: 'all' })).token
})
afterAll(() => app.close())

describe.each(calls.map(call => [call.call, call] as const))('%s', (_name, call) => {
  test('answers a malformed request with a client error, never with a fault of its own', async () => {
    for (const path of call.paths) {
      for (const [name, init, suffix] of requests(call)) {
        const answer = await sendRaw(app.url, call, path.replace(/:\w+/g, name === 'params' ? '..%2f%00' : '1') + suffix, withToken(init))
        expect(answer.status, `${path} with ${name}`).toBeLessThan(500)
        expect(answer.body.code, `${path} with ${name}`).not.toBe(500)
        // A sheet that wants no fields is a sheet, whatever was sent along.
        if (isDownload(call) && answer.status === 200) continue
        expect(answer.body.msg, `${path} with ${name}`).toMatch(/\p{Script=Han}/u)
      }
    }
  })
})

test('a body that is no object is refused with 400 by a call that wants one', async () => {
  const call = calls.find(item => item.call === 'school.preference.save')
  for (const body of ['[1]', '42', '"x"', '{"a":']) {
    const answer = await sendRaw(app.url, call ?? missing(), '/web/user_pref', withToken({ body, headers: { 'content-type': 'application/json' } }))
    expect(answer.status, body).toBe(400)
  }
})

function missing(): never {
  throw new Error('the call is gone')
}

function hasBody(call: Call): boolean {
  return call.method !== 'GET' && call.method !== 'DELETE'
}

function requests(call: Call): [string, RequestInit, string][] {
  if (!hasBody(call)) return [['params', {}, ''], ...queries.filter(query => takes(call, query)).concat(unknown_query).map((query): [string, RequestInit, string] => [query, {}, query])]
  return [...bodies, ...(readers.has(call) ? unreadable : [])].map(([name, body, type]) => [name, { body, headers: { 'content-type': type } }, ''])
}

/** Whether a call has the parameter of such a query: without it the query is a valid one, ten times over. */
function takes({ details: { query } }: Call, text: string): boolean {
  const name = /\w+/.exec(text)?.[0] ?? ''
  return query !== undefined && 'shape' in query && typeof query.shape === 'object' && query.shape !== null && name in query.shape
}

function withToken(init: RequestInit): RequestInit {
  return { ...init, headers: { ...init.headers, authorization: token ?? '' } }
}
