import { loginApi } from '@campus/identity/contract'
import { preferenceApi } from '@campus/school/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { Answer, TestApp } from '../testing/index.ts'

let app: TestApp
afterEach(() => app.close())

const minute_ms = 60_000
const captcha = (headers: Record<string, string> = {}) => app.call(loginApi.captcha, { type: 'nonce' }, { headers })
const from = (address: string) => ({ 'x-forwarded-for': address })

async function statuses(times: number, ask: (time: number) => Promise<Answer>): Promise<number[]> {
  const seen: number[] = []
  for (let time = 0; time < times; time += 1) seen.push((await ask(time)).status)
  return seen
}

/** The next minute of the server's clock, at its beginning, so that no window ends in the middle of a test. */
function nextMinute(): void {
  app.clock.advance(minute_ms - (app.clock.now().getTime() % minute_ms))
}

function expectTooFast(answer: Answer): void {
  expect([answer.status, answer.body.msg]).toEqual([429, '请求过于频繁，请稍后再试'])
  const wait = Number(answer.headers.get('retry-after'))
  expect(wait).toBeGreaterThan(0)
  expect(wait).toBeLessThanOrEqual(60)
}

describe('rates are settings', () => {
  test('captchas of one address', async () => {
    app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '3' } })
    nextMinute()
    expect(await statuses(3, () => captcha())).toEqual([200, 200, 200])
    expectTooFast(await captcha())
    nextMinute()
    expect((await captcha()).status).toBe(200)
  })

  test('anonymous calls of one address, guesses at tokens included', async () => {
    app = await startTestApp({ settings: { CAMPUS_ANONYMOUS_PER_MINUTE: '4' } })
    const { token } = await app.as({ school_id: test_schools.a, codes: 'all' })
    nextMinute()
    const guess = () => app.call(preferenceApi.read, { pref_key: 'quick_navs' }, { token: 'guessed' })
    expect(await statuses(2, guess)).toEqual([401, 401])
    expect(await statuses(2, () => captcha())).toEqual([200, 200])
    expectTooFast(await captcha())
    expectTooFast(await guess())
    expect((await app.call(preferenceApi.read, { pref_key: 'quick_navs' }, { token })).status).toBe(200)
  })

  test('pages of sub-applications and of the help count with the anonymous calls of their address', async () => {
    app = await startTestApp({ settings: { CAMPUS_ANONYMOUS_PER_MINUTE: '4' } })
    nextMinute()
    const open = (path: string) => fetch(`${app.url}${path}`)
    const opened: number[] = []
    for (const path of ['/mini/hall/1001', '/help/', '/help/frame?userId=x']) opened.push((await open(path)).status)
    expect([...opened, (await captcha()).status]).toEqual([200, 200, 404, 200])
    const refused = await open('/mini/hall/1001')
    expect([refused.status, refused.headers.get('content-type'), Number(refused.headers.get('retry-after')) > 0]).toEqual([429, 'text/html; charset=utf-8', true])
    expect(await refused.text()).toContain('请求过于频繁，请稍后再试')
    expect([(await open('/help/frame?userId=x')).status, (await captcha()).status, (await open('/login')).status]).toEqual([429, 429, 200])
    nextMinute()
    expect((await open('/mini/hall/1001')).status).toBe(200)
  })

  test('calls of one person, wherever they come from; others go on', async () => {
    app = await startTestApp({ settings: { CAMPUS_USER_PER_MINUTE: '3' } })
    const [me, other] = [await app.as({ school_id: test_schools.a, codes: 'all' }), await app.as({ school_id: test_schools.a, codes: 'all' })]
    const read = (token: string) => app.call(preferenceApi.read, { pref_key: 'quick_navs' }, { token })
    nextMinute()
    expect(await statuses(3, () => read(me.token))).toEqual([200, 200, 200])
    expectTooFast(await read(me.token))
    expect((await read(other.token)).status).toBe(200)
    nextMinute()
    expect((await read(me.token)).status).toBe(200)
  })
})

describe('X-Forwarded-For', () => {
  test('of anybody is ignored: spoofing it wins no tries', async () => {
    app = await startTestApp({ settings: { CAMPUS_ANONYMOUS_PER_MINUTE: '3' } })
    nextMinute()
    expect(await statuses(5, time => captcha(from(`203.0.113.${time}`)))).toEqual([200, 200, 200, 429, 429])
  })

  test('of a proxy that is not the named one is ignored too', async () => {
    app = await startTestApp({ settings: { CAMPUS_ANONYMOUS_PER_MINUTE: '3', CAMPUS_TRUST_PROXY: '10.1.2.3,192.168.0.0/16' } })
    nextMinute()
    expect(await statuses(5, time => captcha(from(`203.0.113.${time}`)))).toEqual([200, 200, 200, 429, 429])
  })

  test('of the named proxy tells callers apart, and only its last word counts', async () => {
    app = await startTestApp({ settings: { CAMPUS_ANONYMOUS_PER_MINUTE: '1', CAMPUS_TRUST_PROXY: '127.0.0.1' } })
    nextMinute()
    expect(await statuses(3, time => captcha(from(`203.0.113.${time}`)))).toEqual([200, 200, 200])
    expect(await statuses(3, time => captcha(from(`198.51.100.${time}, 203.0.113.9`)))).toEqual([200, 429, 429])
  })
})
