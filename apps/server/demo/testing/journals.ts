import { verifySchool } from '@campus/audit/server'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { demo_schools } from '../accounts.ts'
import type { DemoServer } from './start-demo.ts'

/** What the journals of the main school hold; a part of the tests of the demo, which make one for all of them. */
export function testJournals(demo: () => DemoServer): void {
  test('has its log sealed, every row in one seal', async () => {
    const { main } = demo_schools
    const { rows } = await demo().running.database.tenant<unknown, { rows: Record<string, unknown>[] }>(main, db =>
      sql<Record<string, unknown>>`
        select table_name, sum(rows)::int as sealed, sum(late)::int as late, sum(altered)::int as altered,
          case table_name when 'operation_log' then (select count(*)::int from operation_log where school_id = ${main}) else (select count(*)::int from archive_log where school_id = ${main}) end as rows
        from audit_seal where school_id = ${main} group by 1 order by 1`.execute(db),
    )
    expect(rows).toMatchObject([{ table_name: 'archive_log', late: 0, altered: 0 }, { table_name: 'operation_log', sealed: 9000, rows: 9000, late: 0, altered: 0 }])
    expect(rows[0]?.sealed).toBe(rows[0]?.rows)
    expect(Number(rows[0]?.rows)).toBeGreaterThanOrEqual(12_000)
  })

  test('has the archives of people over fourteen months, of every source that a roll knows, nobody before he came', async () => {
    const found = await demo().running.database.tenant<unknown, Record<string, unknown>[]>(demo_schools.main, async db => (await sql<Record<string, unknown>>`
      select count(*)::int as people, count(distinct to_char(happened_at at time zone 'Asia/Shanghai', 'YYYY-MM'))::int as months, array_agg(distinct source order by source) as sources,
        count(*) filter (where person_id not in (select user_id from school_user where school_id = ${demo_schools.main}))::int as strangers,
        count(*) filter (where exists (select from student_span t where t.school_id = l.school_id and t.user_id = l.person_id group by t.user_id
          having min(t.valid_from) > (l.happened_at at time zone 'Asia/Shanghai')::date))::int as early
      from archive_log l where school_id = ${demo_schools.main}`.execute(db)).rows)
    expect(found).toMatchObject([{ strangers: 0, early: 0, sources: ['command', 'import', 'promotion', 'typed'] }])
    expect(Number(found[0]?.people)).toBeGreaterThanOrEqual(12_000)
    expect(Number(found[0]?.months)).toBeGreaterThanOrEqual(14)
  })

  test('has a chain of seals in which nothing is wrong', async () => {
    const { database, app } = demo().running
    const reports = await verifySchool({ database, secrets: app.secrets, now: app.clock.now(), keep_days: app.config.CAMPUS_JOURNAL_KEEP_DAYS }, demo_schools.main)
    expect(reports.map(({ findings }) => findings)).toEqual([[], []])
    expect(reports.every(({ rows, seals }) => rows >= 9000 && seals > 1)).toBe(true)
  })
}
