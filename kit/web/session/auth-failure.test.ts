import { afterEach, beforeEach, expect, test, vi } from 'vitest'

let said: string[]
let gone_to: string[]

beforeEach(() => {
  said = []
  gone_to = []
  vi.useFakeTimers()
  vi.stubGlobal('window', { setTimeout, location: { replace: (path: string) => void gone_to.push(path) } })
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('10-A15 twenty refused calls say one message and go to the login page 2 s after the first, without token', async () => {
  const { setToastSink } = await import('../parts/toast.ts')
  const { readStored, store } = await import('./storage.ts')
  const { sessionLost } = await import('./auth-failure.ts')
  setToastSink((_tone, text) => void said.push(text))
  store('token', 'spent')
  for (let call = 0; call < 20; call += 1) sessionLost('登录已失效，请重新登录')
  expect(said).toEqual(['登录已失效，请重新登录'])
  vi.advanceTimersByTime(1700)
  expect([gone_to, readStored('token')]).toEqual([[], 'spent'])
  vi.advanceTimersByTime(600)
  expect([gone_to, readStored('token')]).toEqual([['/'], null])
  vi.advanceTimersByTime(10_000)
  expect([said.length, gone_to.length]).toEqual([1, 1])
})
