import { monthAfter, monthOf } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { domains } from './domains.ts'
import { months_ahead_of_operator, turnAllMonths } from './months.ts'
import { startTestApp } from './testing/index.ts'
import type { TestApp } from './testing/index.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('every table that lies in months is turned by its domain, and each has its coming months ready, a year of them after `migrate up`, and nothing older than it keeps', async () => {
  const parts = async () => (await app.running.database.tenant<unknown, { rows: { parent: string; name: string }[] }>(0, db => sql<{ parent: string; name: string }>`
    select i.inhparent::regclass::text as parent, c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where c.relname ~ '_[0-9]{6}$'`.execute(db))).rows
  const now = app.clock.now()
  const declared = domains.flatMap(domain => domain.months?.({ now, config: app.running.app.config }) ?? [])
  expect(declared.map(({ table }) => table).toSorted()).toEqual([...new Set((await parts()).map(({ parent }) => parent))].toSorted())
  app.clock.advance(3 * 365 * 86_400_000)
  const { blocked } = await turnAllMonths(app.running, domains, months_ahead_of_operator)
  expect(blocked).toEqual([])
  const later = app.clock.now()
  const months = Map.groupBy(await parts(), ({ parent }) => parent)
  for (const { table, first } of domains.flatMap(domain => domain.months?.({ now: later, config: app.running.app.config }) ?? [])) {
    const there = (months.get(table) ?? []).map(({ name }) => name.slice(-6)).toSorted()
    expect([table, there.includes(monthAfter(monthOf(later), 13).replace('-', '')), there.every(month => month >= first.replace('-', ''))]).toEqual([table, true, true])
  }
})
