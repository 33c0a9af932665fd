import { beforeEach, expect, test } from 'vitest'
import { connectKit } from '../ports.ts'
import { lockIsFree, renewSession } from './renew.ts'
import { readStored, store } from './storage.ts'
import { z } from 'zod'

let asked = 0
let answer: () => Promise<string>

beforeEach(() => {
  asked = 0
  store('token', 'old')
  store('refreshLock', null)
  connectKit({
    refreshToken: () => {
      asked += 1
      return answer()
    },
    readPreference: () => Promise.resolve(null),
    savePreference: () => Promise.resolve(),
    reportError: () => Promise.resolve(),
    job: () => Promise.reject(new Error('unused')),
    downloadJob: () => Promise.resolve(),
    cancelJob: () => Promise.resolve(),
    jobChannel: { name: 'job:{no}', row: z.object({}) },
    realtime: { ticket: () => Promise.reject(new Error('unused')), watch: () => Promise.resolve(), poll: () => Promise.reject(new Error('unused')) },
    uploadToken: () => Promise.reject(new Error('unused')),
    ImportEntry: () => null,
  })
})

test('twenty calls that find the token expired renew it once', async () => {
  answer = () => Promise.resolve('new')
  const renewed = await Promise.all(Array.from({ length: 20 }, () => renewSession('old')))
  expect(renewed).toEqual(Array.from({ length: 20 }, () => true))
  expect(asked).toBe(1)
  expect(readStored('token')).toBe('new')
  expect(readStored('refreshLock')).toBeNull()
})

test('a call that comes late takes the token another tab has stored', async () => {
  store('token', 'from another tab')
  expect(await renewSession('old')).toBe(true)
  expect(asked).toBe(0)
})

test('while another tab holds the lock its token is waited for', async () => {
  store('refreshLock', `other:${Date.now() + 10_000}`)
  const waiting = renewSession('old')
  store('token', 'from another tab')
  expect(await waiting).toBe(true)
  expect(asked).toBe(0)
})

test('a refused renewal leaves the token and frees the lock', async () => {
  answer = () => Promise.reject(new Error('refused'))
  await expect(renewSession('old')).rejects.toThrow('refused')
  expect(readStored('token')).toBe('old')
  expect(readStored('refreshLock')).toBeNull()
})

test('a signed-out browser is not renewed', async () => {
  store('token', null)
  expect(await renewSession('old')).toBe(false)
  expect(asked).toBe(0)
})

test.each([
  [null, true],
  ['a:1000', true],
  ['a:1001', false],
  ['spoilt', true],
])('at 1000 the lock %j is free: %s', (lock, free) => {
  expect(lockIsFree(lock, 1000)).toBe(free)
})
