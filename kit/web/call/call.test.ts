import { api, Done, get } from '@kit/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'

const thingApi = api('web', 'test.thing', { list: get('thing/list', { reply: Done, session: true }) })
const expired = '登录已失效，请重新登录'

let said: string[]
let gone_to: string[]
let sent: (string | null)[]
let renewals: number
let renew: () => Promise<string>
let good_token: string

beforeEach(() => {
  said = []
  gone_to = []
  sent = []
  renewals = 0
  good_token = 'fresh'
  vi.useFakeTimers()
  vi.stubGlobal('window', { setTimeout, location: { replace: (path: string) => void gone_to.push(path) } })
  vi.stubGlobal('fetch', async (_url: string, { headers }: { headers: Record<string, string> }) => {
    const token = new Headers(headers).get('authorization')
    sent.push(token)
    return token === good_token ? Response.json({ code: 600, msg: '', data: {} }) : Response.json({ code: 401, msg: expired, data: null }, { status: 401 })
  })
  vi.resetModules()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The console's way of calling, freshly loaded, with a session whose token has run out. */
async function openConsole() {
  const { setToastSink } = await import('../parts/toast.ts')
  const { readStored, store } = await import('../session/storage.ts')
  const { connectKit } = await import('../ports.ts')
  const { call } = await import('./call.ts')
  const { CallError } = await import('./envelope.ts')
  const none = () => Promise.reject(new Error('not asked for'))
  const refreshToken = () => {
    renewals += 1
    return renew()
  }
  connectKit({
    refreshToken, readPreference: none, savePreference: none, reportError: none, job: none, downloadJob: none, cancelJob: none, uploadToken: none,
    jobChannel: { name: 'job:{no}', row: z.object({}) }, realtime: { ticket: none, watch: none, poll: none }, ImportEntry: () => null,
  })
  setToastSink((_tone, text) => void said.push(text))
  store('token', 'spent')
  renew = () => Promise.reject(new CallError({ status: 401, code: 401, msg: expired }))
  const callTwenty = async () => {
    const all = Promise.allSettled(Array.from({ length: 20 }, () => call(thingApi.list, {})))
    await vi.advanceTimersByTimeAsync(1000)
    return (await all).map(one => one.status)
  }
  return { callTwenty, readStored }
}

test('10-A15 twenty calls refused at once renew the session once, are all sent again and all succeed', async () => {
  const { callTwenty, readStored } = await openConsole()
  renew = () => Promise.resolve('fresh')
  expect(new Set(await callTwenty())).toEqual(new Set(['fulfilled']))
  expect([renewals, readStored('token'), said, gone_to]).toEqual([1, 'fresh', [], []])
  expect([sent.filter(token => token === 'spent').length, sent.filter(token => token === 'fresh').length]).toEqual([20, 20])
})

test('10-A15 twenty calls whose session cannot be renewed say one message and leave once for the login page, 2 s later', async () => {
  const { callTwenty, readStored } = await openConsole()
  expect(new Set(await callTwenty())).toEqual(new Set(['rejected']))
  expect([renewals, said, gone_to, readStored('token')]).toEqual([1, [expired], [], 'spent'])
  await vi.advanceTimersByTimeAsync(2000)
  expect([said, gone_to, readStored('token')]).toEqual([[expired], ['/'], null])
  await vi.advanceTimersByTimeAsync(10_000)
  expect([said.length, gone_to.length]).toEqual([1, 1])
})

test('10-A15 a renewed session that is refused again does not renew for ever', async () => {
  const { callTwenty } = await openConsole()
  good_token = 'another'
  renew = () => Promise.resolve('fresh')
  expect(new Set(await callTwenty())).toEqual(new Set(['rejected']))
  await vi.advanceTimersByTimeAsync(10_000)
  expect([renewals, said, gone_to, sent.length]).toEqual([1, [expired], ['/'], 40])
})
