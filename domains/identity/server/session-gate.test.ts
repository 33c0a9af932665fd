import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { subAppApi } from '@campus/identity/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerSessionGate } from './session-gate.ts'
import { dataOf } from './testing/wire.ts'

const { a: school_id, b } = test_schools
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

/** What somebody has to accept when he opens a sub-application. */
async function asked(at: number): Promise<unknown> {
  const { token } = await app.as({ school_id: at, codes: [] })
  const { url } = dataOf(subAppApi.link, await app.call(subAppApi.link, { code: 'door' }, { token }))
  const told = dataOf(subAppApi.verify, await app.call(subAppApi.verify, { query: url.slice(url.indexOf('?') + 1) }))
  return 'docs_to_accept' in told ? told.docs_to_accept : null
}

test('80-Y1 what a registered gate asks to accept is told when the session of a sub-application begins; every gate, of this school', async () => {
  expect(await asked(school_id)).toEqual([])
  const privacy = { code: 'privacy', version: 2, title: '隐私政策' }
  registerSessionGate(app.running.app, async visitor => (visitor.school_id === school_id ? [privacy] : []))
  registerSessionGate(app.running.app, async () => [{ code: 'terms', version: 1, title: '服务协议' }])
  expect(await asked(school_id)).toEqual([privacy, { code: 'terms', version: 1, title: '服务协议' }])
  expect(await asked(b)).toEqual([{ code: 'terms', version: 1, title: '服务协议' }])
})
