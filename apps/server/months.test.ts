import { passesRead } from '@campus/devices/server'
import { monthAfter, monthOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domains } from './domains.ts'
import { allMonths, months_ahead_of_operator, turnAllMonths } from './months.ts'
import { startTestApp, test_schools } from './testing/index.ts'
import type { TestApp } from './testing/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('every table that lies in months is turned by its domain, and each has its coming months ready, a year of them after `migrate up`, and nothing older than it keeps', async () => {
  const parts = async () => (await app.running.database.tenant<unknown, { rows: { parent: string; name: string }[] }>(0, db => sql<{ parent: string; name: string }>`
    select i.inhparent::regclass::text as parent, c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relname ~ '_[0-9]{6}$'`.execute(db))).rows
  const declared = await allMonths(app.running, domains)
  expect(declared.map(({ table }) => table).toSorted()).toEqual([...new Set((await parts()).map(({ parent }) => parent))].toSorted())
  app.clock.advance(3 * 365 * 86_400_000)
  const { blocked } = await turnAllMonths(app.running, domains, months_ahead_of_operator)
  expect(blocked).toEqual([])
  const later = app.clock.now()
  const months = Map.groupBy(await parts(), ({ parent }) => parent)
  for (const { table, first } of await allMonths(app.running, domains)) {
    const there = (months.get(table) ?? []).map(({ name }) => name.slice(-6)).toSorted()
    expect([table, there.includes(monthAfter(monthOf(later), 13).replace('-', '')), there.every(month => month >= first.replace('-', ''))]).toEqual([table, true, true])
  }
})

test('30 §3 rule 31: a month of passes goes after the days that the school with most to keep has set, and waits for who has begun to read; nobody waits where nobody reads', async () => {
  const { database } = app.running
  const { a } = test_schools
  const firstPasses = async () => (await allMonths(app.running, domains)).find(({ table }) => table === 'pass_event')?.first
  const ago = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)
  const inSchool = (work: (db: Kysely<unknown>) => Promise<unknown>) => database.tenant<unknown, unknown>(a, work)
  const old = ago(500)
  await inSchool(db => sql`insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, verify_mode, pass_state) values (${a}, ${old.toISOString().slice(0, 10)}, 1, 'old:1', ${old}, ${old}, ${old}, 0, '0123456789abcdef', 2, 1)`.execute(db))
  expect(await firstPasses()).toBe(monthOf(ago(400)))
  await inSchool(db => passesRead({ db, school_id: a }, ago(501)))
  expect(await firstPasses()).toBe(old.toISOString().slice(0, 7))
  await inSchool(db => passesRead({ db, school_id: a }, old))
  await inSchool(db => passesRead({ db, school_id: a }, ago(600)))
  expect(await firstPasses()).toBe(monthOf(ago(400)))
  const keep = (days: number) => inSchool(db => sql`update device_setting set pass_keep_days = ${days} where school_id = ${a}`.execute(db))
  await keep(200)
  expect(await firstPasses()).toBe(monthOf(ago(400)))
  await keep(800)
  expect(await firstPasses()).toBe(monthOf(ago(800)))
  await expect(keep(179)).rejects.toThrow('pass_keep_days')
})
