import { migrate, openDatabase, readMigrations } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { IdentityDb } from './db.ts'
import { countAttempt, countFailOfAddress, forgiveAttempt, waitOfAddress } from './throttle.queries.ts'
import type { Attempt } from './throttle.queries.ts'

const minute = 60_000
const start = new Date('2026-11-20T08:00:00Z').getTime()
const at = (minutes: number) => new Date(start + minutes * minute)
let database: Database

beforeAll(async () => {
  database = await openDatabase({ data_dir: 'memory://' })
  const folder = (name: string) => join(import.meta.dirname, '../../..', name, 'migrations')
  await migrate(database, await readMigrations([folder('domains/school/server'), folder('domains/identity/server')]))
})
afterAll(() => database.close())

const attempt = (subject: string, minutes: number, lock_times = 5) =>
  database.tenant<IdentityDb, Attempt>(0, db => countAttempt(db, subject, lock_times, at(minutes)))
const forgive = (made: Attempt) => database.tenant<IdentityDb, void>(0, db => forgiveAttempt(db, made))

async function failTimes(subject: string, times: number, minutes: number): Promise<boolean[]> {
  const made: boolean[] = []
  for (let count = 0; count < times; count += 1) made.push((await attempt(subject, minutes)).admitted)
  return made
}

describe('the lock of an account (10-A4)', () => {
  test('of 100 parallel guesses five are let through', async () => {
    const made = await Promise.all(Array.from({ length: 100 }, () => attempt('parallel', 0)))
    expect(made.filter(one => one.admitted)).toHaveLength(5)
  })

  test('the lock lasts 10 minutes, then 30, then 60, while it returns within a day', async () => {
    await failTimes('longer', 5, 0)
    expect(await failTimes('longer', 1, 9.9)).toEqual([false])
    expect(await failTimes('longer', 6, 10)).toEqual([true, true, true, true, true, false])
    expect(await failTimes('longer', 1, 39.9)).toEqual([false])
    expect(await failTimes('longer', 6, 40)).toEqual([true, true, true, true, true, false])
    expect(await failTimes('longer', 1, 99.9)).toEqual([false])
    expect(await failTimes('longer', 6, 100)).toEqual([true, true, true, true, true, false])
    expect(await failTimes('longer', 6, 100 + 60 + 24 * 60)).toEqual([true, true, true, true, true, false])
    expect(await failTimes('longer', 1, 100 + 60 + 24 * 60 + 10)).toEqual([true])
  })

  test('fails spread over more than 15 minutes do not lock', async () => {
    await failTimes('slow', 4, 0)
    expect(await failTimes('slow', 5, 15)).toEqual([true, true, true, true, true])
  })

  test('a right password forgives, also when it was the last try', async () => {
    await failTimes('right', 4, 0)
    await forgive(await attempt('right', 0))
    expect(await failTimes('right', 5, 1)).toEqual([true, true, true, true, true])
    expect(await failTimes('right', 1, 10.9)).toEqual([false])
    expect(await failTimes('right', 1, 11)).toEqual([true])
  })

  test('a right password let in before does not take back a lock that others caused', async () => {
    const early = await attempt('mixed', 0)
    await failTimes('mixed', 4, 0)
    await forgive(early)
    expect(await failTimes('mixed', 1, 1)).toEqual([false])
  })

  test('the number of tries is the school\'s', async () => {
    await attempt('three', 0, 3)
    await attempt('three', 0, 3)
    await attempt('three', 0, 3)
    expect((await attempt('three', 0, 3)).admitted).toBe(false)
  })
})

test('an address that failed too often waits until its minute is over', async () => {
  await Promise.all(Array.from({ length: 3 }, () => database.tenant<IdentityDb, void>(0, db => countFailOfAddress(db, '10.0.0.1', at(0)))))
  const wait = (minutes: number, limit: number) => database.tenant<IdentityDb, number>(0, db => waitOfAddress(db, '10.0.0.1', limit, at(minutes)))
  expect(await wait(0.5, 3)).toBe(30)
  expect(await wait(0.5, 4)).toBe(0)
  expect(await wait(1, 3)).toBe(0)
})
