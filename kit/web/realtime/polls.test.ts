import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectKit } from '../ports.ts'
import { openPolls } from './polls.ts'
import { z } from 'zod'

const every_ms = 5000
let tickets: string[]
let watched: string[]
let polled: string[]
let fails: 'ticket' | 'watch' | 'poll' | null
let heard: string[]

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', globalThis)
  tickets = []
  watched = []
  polled = []
  heard = []
  fails = null
  const failing = (step: typeof fails) => (fails === step ? Promise.reject(new Error(`no ${step}`)) : Promise.resolve())
  connectKit({
    refreshToken: () => Promise.reject(new Error('unused')),
    readPreference: () => Promise.resolve(null),
    savePreference: () => Promise.resolve(),
    reportError: () => Promise.resolve(),
    job: () => Promise.reject(new Error('unused')),
    downloadJob: () => Promise.resolve(),
    cancelJob: () => Promise.resolve(),
    jobChannel: { name: 'job:{no}', row: z.object({}) },
    realtime: {
      ticket: async () => {
        await failing('ticket')
        tickets.push(`client${tickets.length + 1}`)
        return { client_id: tickets.at(-1) ?? '', token: '', url: '', topic: '', connect_timeout: 1, expire_at: '2026-11-20T08:00:00+08:00' }
      },
      watch: async (client_id, channels) => {
        await failing('watch')
        watched.push(`${client_id} ${channels.join()}`)
      },
      poll: async client_id => {
        await failing('poll')
        polled.push(client_id)
        return { since: 'node.1', frames: [] }
      },
    },
    uploadToken: () => Promise.reject(new Error('unused')),
    ImportEntry: () => null,
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const polls = () => openPolls({ frame: () => undefined, state: state => heard.push(state), gap: () => heard.push('gap') }, () => ['job:1'])
const turn = () => vi.advanceTimersByTimeAsync(every_ms)

test('a poller whose wish to hear was lost on its way does not go on deaf: it begins anew', async () => {
  fails = 'watch'
  const asking = polls()
  asking.start()
  await turn()
  expect([polled, heard]).toEqual([[], []])
  fails = null
  await turn()
  expect(watched.at(-1)).toBe(`${tickets.at(-1) ?? ''} job:1`)
  expect(polled).toEqual([tickets.at(-1)])
  expect(heard).toEqual(['gap', 'polling'])
  asking.stop()
})

test('a failed ticket or a failed answer is asked for again at the next turn, with the same browser where there is one', async () => {
  fails = 'ticket'
  const asking = polls()
  asking.start()
  await turn()
  fails = 'poll'
  await turn()
  fails = null
  await turn()
  expect([tickets, polled]).toEqual([['client1'], ['client1']])
  asking.stop()
})

test('one who is stopped while his ticket is on its way asks nothing afterwards', async () => {
  const asking = polls()
  asking.start()
  asking.stop()
  await turn()
  expect([tickets, polled, heard]).toEqual([['client1'], [], []])
})
