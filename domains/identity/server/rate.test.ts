import { startTestApp } from '@apps/server/testing'
import { loginApi } from '@campus/identity/contract'
import { expect, test } from 'vitest'

test('an address gets so many captchas a minute, then waits for the next minute', async () => {
  const app = await startTestApp({ settings: { CAMPUS_CAPTCHA_PER_MINUTE: '2' } })
  try {
    app.clock.advance(60_000 - (app.clock.now().getTime() % 60_000))
    const ask = () => app.call(loginApi.captcha, {})
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
    const refused = await ask()
    expect([refused.status, refused.body.msg]).toEqual([429, '请求过于频繁，请稍后再试'])
    app.clock.advance(60_000)
    expect((await ask()).status).toBe(200)
  } finally {
    await app.close()
  }
})
