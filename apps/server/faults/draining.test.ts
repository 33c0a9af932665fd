import { expect, test } from 'vitest'
import { startTestApp } from '../testing/index.ts'

test('a server that is being stopped is alive, but no longer ready: a balancer sends nobody any more', async () => {
  const app = await startTestApp()
  try {
    expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
    const drained = app.running.drain()
    const [ready, alive] = await Promise.all([fetch(`${app.url}/readyz`), fetch(`${app.url}/livez`)])
    expect([ready.status, ready.headers.get('retry-after'), ready.headers.get('connection'), await ready.json()]).toEqual([503, '5', 'close', { status: 'unavailable', failing: ['running'] }])
    expect([alive.status, await alive.json()]).toEqual([200, { status: 'ok', version: '1.4.9', build_id: expect.any(String) }])
    await drained
    await expect(fetch(`${app.url}/livez`)).rejects.toThrow('fetch failed')
  } finally {
    await app.close()
  }
})
