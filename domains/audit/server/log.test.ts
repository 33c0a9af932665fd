import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { archive } from './archive.queries.ts'
import { writeOperation } from './operation.queries.ts'
import type { AuditTables } from './tables.gen.ts'

const { a, b } = test_schools
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const at = new Date('2026-11-20T08:00:00Z')
const request = { request_id: '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.0.0.1', device_label: 'Chrome', client: 'web' as const }
const line = { request, op_type: 4, call: 'people.student.update', ok: true, code: 600, msg: '操作成功', duration_ms: 3, happened_at: at, target_id: '7' }

test('a line keeps what changed, masked, in the month it happened', async () => {
  const before = { mobile: '13812345678', name: '甲', password: 'x' }
  const after = { mobile: '15912345678', name: '甲', password: 'y' }
  const rows = await app.running.database.tenant<AuditTables, unknown[]>(a, async db => {
    await writeOperation(db, a, { ...line, before, after, reason: '更正 13812345678' })
    return db.selectFrom('operation_log').selectAll().select(sql<string>`tableoid::regclass::text`.as('part')).where('target_id', '=', '7').execute()
  })
  expect(rows).toHaveLength(1)
  expect(rows[0]).toMatchObject({
    part: 'operation_log_202611', module_code: 'people', before: { mobile: '138****5678', password: '●' }, after: { mobile: '159****5678', password: '●' }, reason: '更正 138****5678',
  })
})

test('the archive journal takes many rows at once and finds them by field', async () => {
  const rows = Array.from({ length: 1100 }, (_, number) => ({
    person_kind: 1, person_id: String(number + 1), person_name: `人${number}`, op_type: 4, source: 'import' as const, batch_no: 'B1',
    changes: [{ field: 'mobile', label: '手机', before: null, after: '13812345678' }],
  }))
  const found = await app.running.database.tenant<AuditTables, { n: string; kept: unknown }>(a, async db => {
    await archive(db, { school_id: a, at, user_name: '导入员' }, rows)
    const counted = await db.selectFrom('archive_log').select(sql<string>`count(*)`.as('n')).where('batch_no', '=', 'B1').where(sql<boolean>`fields @> '{mobile}'`).executeTakeFirstOrThrow()
    const kept = await db.selectFrom('archive_log').select('changes').where('person_id', '=', '1').executeTakeFirstOrThrow()
    return { ...counted, kept: kept.changes }
  })
  expect(found).toEqual({ n: '1100', kept: [{ field: 'mobile', label: '手机', before: null, after: '138****5678' }] })
})

test('10-A22 nobody who works for the product changes or removes a line, nor sees another school\'s', async () => {
  const run = (school_id: number, statement: string) => app.running.database.tenant<unknown, unknown[]>(school_id, async db => (await sql.raw(statement).execute(db)).rows)
  for (const table of ['operation_log', 'archive_log', 'operation_log_202611']) {
    await expect(run(a, `update ${table} set user_name = 'x'`)).rejects.toThrow(/permission denied/)
    await expect(run(a, `delete from ${table}`)).rejects.toThrow(/permission denied/)
    await expect(run(a, `truncate ${table}`)).rejects.toThrow(/permission denied/)
  }
  expect(await run(b, `select * from archive_log where batch_no = 'B1'`)).toEqual([])
})

test('days are counted in Shanghai', async () => {
  const rows = await app.running.database.tenant<unknown, unknown[]>(b, async db => {
    await writeOperation(db, b, { ...line, op_type: 12, happened_at: new Date('2026-10-31T16:30:00Z') })
    await writeOperation(db, b, { ...line, op_type: 12, happened_at: new Date('2026-11-01T15:30:00Z') })
    await writeOperation(db, b, { ...line, op_type: 12, happened_at: new Date('2031-01-01T15:30:00Z') })
    return (await sql`select day, n from operation_count_v where school_id = ${b} and op_type = 12 order by day`.execute(db)).rows
  })
  expect(rows).toEqual([{ day: '2026-11-01', n: '2' }, { day: '2031-01-01', n: '1' }])
})
