import { api, get, post } from '@kit/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openapi } from './openapi.ts'

const reply = z.object({})

const calls = Object.values(api('web', 'demo.noun', {
  needing: get('needing', { reply, need: 'demo.noun.view' }),
  session: get('session', { reply, session: true }),
  ticket: post('ticket', { reply, ticket: 'role' }),
  app: post('app', { reply, auth: 'app' }),
  device: get('device', { reply, auth: 'device' }),
  webhook: post('webhook', { reply, auth: 'webhook' }),
  none: get('none', { reply, open: '登录前' }),
}))

test.each([
  ['needing', 'get', [{ session: [] }]],
  ['session', 'get', [{ session: [] }]],
  ['ticket', 'post', [{ ticket: [] }]],
  ['app', 'post', [{ app: [] }]],
  ['device', 'get', [{ device: [] }]],
  ['webhook', 'post', [{ webhook: [] }]],
  ['none', 'get', []],
])('OpenAPI names the credential that the call %s takes', (name, method, security) => {
  expect(openapi(calls)).toMatchObject({ paths: { [`/web/${name}`]: { [method]: { security } } } })
})

test('each credential named by a call is declared', () => {
  const declared = { session: {}, ticket: {}, app: {}, device: {}, webhook: {} }
  expect(openapi(calls)).toMatchObject({ components: { securitySchemes: declared } })
})
