import { expect, test } from 'vitest'
import { keepToken } from './token-keeper.ts'
import type { TokenClock } from './token-keeper.ts'

const refetch_ms = 3_300_000

function setUp(fails: () => boolean = () => false) {
  let now = 0
  let fetched = 0
  const due = new Set<{ at: number; act: () => void }>()
  const clock: TokenClock = {
    now: () => now,
    after(ms, act) {
      const line = { at: now + ms, act }
      due.add(line)
      return () => due.delete(line)
    },
  }
  const keeper = keepToken(async () => {
    fetched += 1
    if (fails()) throw new Error('no network')
    return `token ${fetched}`
  }, clock)
  /** lets time pass; `asleep`: no appointment is kept meanwhile */
  const pass = async (ms: number, asleep = false) => {
    now += ms
    if (asleep) return
    for (const line of [...due].filter(({ at }) => at <= now)) {
      due.delete(line)
      line.act()
    }
    await new Promise(resolve => setImmediate(resolve))
  }
  return { keeper, pass, fetched: () => fetched, waiting: () => due.size }
}

test('10-A20 the token is fetched again 55 minutes after each fetch, without anybody asking', async () => {
  const { keeper, pass, fetched } = setUp()
  expect(await keeper.get()).toBe('token 1')
  await pass(refetch_ms - 1)
  expect([await keeper.get(), fetched()]).toEqual(['token 1', 1])
  await pass(1)
  expect([await keeper.get(), fetched()]).toEqual(['token 2', 2])
  await pass(refetch_ms)
  expect([await keeper.get(), fetched()]).toEqual(['token 3', 3])
})

test('10-A20 a token that grew old while the computer slept is not used', async () => {
  const { keeper, pass } = setUp()
  await keeper.get()
  await pass(refetch_ms, true)
  expect(await keeper.get()).toBe('token 2')
})

test('files that start together share one fetch', async () => {
  const { keeper, fetched } = setUp()
  expect(await Promise.all([keeper.get(), keeper.get(), keeper.renew()])).toEqual(['token 1', 'token 1', 'token 1'])
  expect(fetched()).toBe(1)
})

test('a refused token is replaced, and the appointment moves with it', async () => {
  const { keeper, pass, fetched, waiting } = setUp()
  await keeper.get()
  await pass(1000)
  expect(await keeper.renew()).toBe('token 2')
  expect(waiting()).toBe(1)
  await pass(refetch_ms - 1000)
  expect(fetched()).toBe(2)
})

test('after a failed refetch the next upload asks again; a stopped page asks no more', async () => {
  let broken = false
  const { keeper, pass, fetched, waiting } = setUp(() => broken)
  await keeper.get()
  broken = true
  await pass(refetch_ms)
  await expect(keeper.get()).rejects.toThrow('no network')
  broken = false
  expect(await keeper.get()).toBe('token 4')
  keeper.stop()
  await pass(refetch_ms)
  expect([fetched(), waiting()]).toEqual([4, 0])
})
