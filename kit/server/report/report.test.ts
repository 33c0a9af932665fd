import { count, distinct, mean, minutes, rate, report, Refusal } from '@kit/contract'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { engines } from '../db/engines-under-test.ts'
import type { Subject } from '../db/engines-under-test.ts'
import { migrate } from '../db/index.ts'
import { readReport } from './index.ts'

const visits = report({
  title: '来访统计',
  keys: { gate: { label: '门', value: z.string(), hidden: true }, gate_name: { label: '门名', value: z.string().nullable() }, day: { label: '日期', kind: 'day', value: z.string() } },
  measures: { visits: count('次数'), people: distinct('人数'), late: count('迟到'), late_rate: rate('迟到率', 'late', 'visits'), stay: minutes('停留'), mean_stay: mean('平均停留', '分钟', 'stay', 'visits') },
  filters: {},
  range: { most_days: 31, usual: 'week' },
})

const week = { from: '2026-03-02', to: '2026-03-08', page_index: 1, page_size: 20 }

describe.each(engines)('a report on $engine', ({ open }) => {
  let subject: Subject
  const read = (asked: object = {}, db_school = 1) => subject.database.tenant<unknown, z.output<typeof visits.reply>>(db_school, db => of(db, db_school, { ...week, ...asked }))
  const of = (db: QueryExecutorProvider, school_id: number, asked: typeof week & { sort?: string }) => readReport(db, visits, {
    rows: sql`from visit v where v.school_id = ${school_id} and v.day >= ${asked.from}::date and v.day <= ${asked.to}::date`,
    keys: { gate: sql`v.gate`, day: sql`v.day::text` },
    measures: { visits: sql`count(*)`, people: sql`count(distinct v.person)`, late: sql`count(*) filter (where v.late)`, stay: sql`sum(v.stay)` },
    labels: { gate_name: { of: 'gate', names: async ids => new Map(ids.map(id => [id, `${id}门`])) } },
  }, asked)

  beforeAll(async () => {
    subject = await open()
    await migrate(subject.database, [{ name: '1_visit', sql: 'create table visit (school_id int not null, id bigint generated always as identity, gate text not null, day date not null, person int not null, late boolean not null, stay int not null, primary key (school_id, id))' }])
    const add = (school_id: number, lines: readonly (readonly [string, string, number, boolean, number])[]) => subject.database.tenant<unknown, unknown>(school_id, db => sql`
      insert into visit (school_id, gate, day, person, late, stay) values ${sql.join(lines.map(([gate, day, person, late, stay]) => sql`(${school_id}::int, ${gate}, ${day}::date, ${person}::int, ${late}::boolean, ${stay}::int)`))}`.execute(db))
    await add(1, [['东', '2026-03-02', 1, true, 10], ['东', '2026-03-02', 2, false, 20], ['东', '2026-03-03', 1, false, 40], ['西', '2026-03-02', 1, true, 5], ['西', '2026-04-01', 9, true, 5]])
    await add(2, [['东', '2026-03-02', 7, true, 99]])
  })
  afterAll(() => subject.dispose())

  it('groups within the days and the school, and adds up all groups, rates from their parts and people once', async () => {
    const { list, total, totals } = await read()
    expect(list).toEqual([
      { gate: '东', gate_name: '东门', day: '2026-03-02', visits: 2, people: 2, late: 1, late_rate: 50, stay: 30, mean_stay: 15 },
      { gate: '东', gate_name: '东门', day: '2026-03-03', visits: 1, people: 1, late: 0, late_rate: 0, stay: 40, mean_stay: 40 },
      { gate: '西', gate_name: '西门', day: '2026-03-02', visits: 1, people: 1, late: 1, late_rate: 100, stay: 5, mean_stay: 5 },
    ])
    expect({ total, totals }).toEqual({ total: 3, totals: { visits: 4, people: 2, late: 2, late_rate: 50, stay: 75, mean_stay: 18.8 } })
  })

  it('totals are those of all pages, on a page beyond the end too', async () => {
    const first = await read({ page_size: 1, sort: '-late_rate' })
    expect([first.list.map(row => row.gate), first.total, first.totals.visits]).toEqual([['西'], 3, 4])
    const beyond = await read({ page_size: 1, page_index: 9 })
    expect([beyond.list, beyond.total, beyond.totals.visits]).toEqual([[], 3, 4])
  })

  it('sorts by a label by its key, by a figure, and ignores what it does not know', async () => {
    expect((await read({ sort: '-gate_name' })).list.map(row => row.gate)).toEqual(['西', '东', '东'])
    expect((await read({ sort: '-stay' })).list.map(row => row.stay)).toEqual([40, 30, 5])
  })

  it('days without rows answer nothing and zeros', async () => {
    expect(await read({ from: '2025-01-01', to: '2025-01-02' })).toEqual({ list: [], total: 0, totals: { visits: 0, people: 0, late: 0, late_rate: null, stay: 0, mean_stay: null } })
  })

  it.each([[{ from: '2026-03-08', to: '2026-03-02' }, 'common.rangeReversed'], [{ from: '2026-01-01', to: '2026-03-01' }, 'common.rangeTooLong']])('%o is refused', async (days, id) => {
    const refused = await read(days).catch((error: unknown) => error)
    expect(refused instanceof Refusal && refused.failure.id).toBe(id)
  })
})
