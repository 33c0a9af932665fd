import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { monthAfter, monthOf, startOfMonth, turnMonths } from '@kit/server/db'
import { firstMonthKept, journalMonths } from './month.ts'
import { writeOperation } from './operation.queries.ts'

const { a } = test_schools
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const write = (at: string) =>
  app.running.database.tenant<unknown, void>(a, db =>
    writeOperation(db, a, { request: { request_id: '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.0.0.1', device_label: '', client: 'web' }, op_type: 4, call: 'people.dept.update', ok: true, code: 600, msg: '', duration_ms: 1, happened_at: new Date(at), target_kind: 'month' }))
const later = new Date('2027-04-15T00:00:00Z')
const kept = async () => {
  const { rows } = await app.running.database.tenant<unknown, { rows: { part: string; day: string }[] }>(a, db =>
    sql<{ part: string; day: string }>`select tableoid::regclass::text as part, (happened_at at time zone 'Asia/Shanghai')::date as day from operation_log where school_id = ${a} and target_kind = 'month' order by happened_at`.execute(db))
  return rows
}

describe('months', () => {
  test.each([['2026-10-31T15:59:59Z', '2026-10'], ['2026-10-31T16:00:00Z', '2026-11']])('%s lies in %s at school', (at, month) => {
    expect(monthOf(new Date(at))).toBe(month)
  })
  test('follow each other over years', () => {
    expect([monthAfter('2026-12'), monthAfter('2026-01', -1), monthAfter('2026-05', 25)]).toEqual(['2027-01', '2025-12', '2028-06'])
    expect(startOfMonth('2026-11').toISOString()).toBe('2026-10-31T16:00:00.000Z')
  })
  test('are kept while one of their days is young enough, 180 days at least', () => {
    const now = new Date('2026-11-20T00:00:00Z')
    expect(firstMonthKept(now, 365)).toBe('2025-11')
    expect(firstMonthKept(now, 1)).toBe('2026-05')
  })
})

test('10-A22 months are made ahead, rows go only with their whole month, and a month whose rows lie elsewhere is left alone', async () => {
  const { database } = app.running
  for (const at of ['2026-04-30T15:00:00Z', '2026-04-30T16:30:00Z', '2026-11-19T00:00:00Z', '2028-03-01T00:00:00Z']) await write(at)
  const turned = await turnMonths(database, later, journalMonths(later, 300), 13)
  const wanted = Array.from({ length: 14 }, (_, at) => monthAfter('2027-04', at).replace('-', ''))
  const made = ['operation_log', 'archive_log'].flatMap(table => wanted.map(month => `${table}_${month}`))
  expect(turned.made).toEqual(made.filter(name => name !== 'operation_log_202803'))
  expect(turned.blocked).toEqual(['operation_log_202803'])
  expect(turned.dropped).toEqual(['operation_log_202601', 'operation_log_202602', 'operation_log_202603', 'operation_log_202604', 'operation_log_202605', 'archive_log_202601', 'archive_log_202602', 'archive_log_202603', 'archive_log_202604', 'archive_log_202605'])
  expect(await kept()).toEqual([{ part: 'operation_log_202611', day: '2026-11-19' }, { part: 'operation_log_other', day: '2028-03-01' }])
  await write('2028-01-15T00:00:00Z')
  expect((await kept())[1]).toEqual({ part: 'operation_log_202801', day: '2028-01-15' })
  expect((await turnMonths(database, later, journalMonths(later, 300), 13))).toMatchObject({ made: [], dropped: [] })
})
