import { preferenceApi } from '@campus/school/contract'
import { afterEach, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

let app: TestApp
afterEach(() => app.close())

async function figures(headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${app.url}/metrics`, { headers })
  return { status: answer.status, text: await answer.text() }
}

test('tells calls by name and status, the process, the database and the jobs', async () => {
  app = await startTestApp()
  const { token } = await app.as({ school_id: test_schools.a, codes: 'all' })
  await app.call(preferenceApi.read, { pref_key: 'quick_navs' }, { token })
  await app.call(preferenceApi.save, { pref_key: 'quick_navs', value: 1 }, {})
  await fetch(`${app.url}/web/import/12345678901234?secret=13800000000`)
  await fetch(`${app.url}/nowhere/13800000000`)
  const { status, text } = await figures()
  expect(status).toBe(200)
  expect(text).toContain('campus_http_seconds_count{call="school.preference.read",status="200"} 1')
  expect(text).toContain('campus_http_seconds_count{call="school.preference.save",status="401"} 1')
  expect(text).toContain('campus_http_seconds_count{call="jobs.import.one",status="401"} 1')
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m)
  expect(text).toMatch(/^process_resident_memory_bytes \d/m)
  expect(text).toMatch(/^campus_database_wait_seconds_count [1-9]/m)
  expect(text).toMatch(/^campus_database_waiting \d/m)
  expect(text).toMatch(/^campus_database_open \d/m)
  expect(text).toContain('campus_jobs{state="queued"} 0')
  expect(text).toContain('campus_jobs{state="running"} 0')
  expect(text).not.toMatch(/138000|12345678901234|user_pref|\/web\//)
})

test('are for this machine; behind a proxy that nobody named nobody is local', async () => {
  app = await startTestApp()
  expect((await figures()).status).toBe(200)
  expect((await figures({ 'x-forwarded-for': '203.0.113.7' })).status).toBe(404)
  expect((await figures({ forwarded: 'for=203.0.113.7' })).status).toBe(404)
})

test('are for the listed addresses', async () => {
  app = await startTestApp({ settings: { CAMPUS_TRUST_PROXY: '127.0.0.1', CAMPUS_METRICS_ALLOW: '203.0.113.7,10.1.0.0/16,2001:db8::/32' } })
  const as = (address: string) => figures({ 'x-forwarded-for': address })
  expect([(await as('203.0.113.7')).status, (await as('10.1.255.1')).status, (await as('2001:db8::1')).status]).toEqual([200, 200, 200])
  const refused = await as('203.0.113.8')
  expect([refused.status, refused.text]).toEqual([404, expect.stringContaining('数据不存在或已被删除')])
  expect((await as('10.2.0.1')).status).toBe(404)
})
