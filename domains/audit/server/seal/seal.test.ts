import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { archive } from '../archive.queries.ts'
import { writeOperation } from '../operation.queries.ts'
import { checkJournal, sayFinding } from './check-journal.ts'
import { sealDue } from './keeper.ts'
import { sealJournal } from './make-seals.ts'
import { readWatch } from './seal.queries.ts'
import { sealKeyOf } from './seal-key.ts'

const { a, b } = test_schools
const minute = 60_000
const request = { request_id: '5b0f8f3a-8f6e-4d5b-9a55-0d5b0c6f7a11', ip: '10.0.0.1', device_label: 'Chrome', client: 'web' as const }
const line = { request, op_type: 4, call: 'people.student.update', ok: true, code: 600, msg: '操作成功', duration_ms: 3 }

let app: TestApp
let begun: Date

beforeAll(async () => {
  app = await startTestApp()
  begun = app.clock.now()
})
afterAll(() => app.close())

const write = (target_id: string, at: Date, school_id: number = a) =>
  app.running.database.tenant<unknown, void>(school_id, db => writeOperation(db, school_id, { ...line, target_id, happened_at: at, before: { b: 1, aa: 'x' }, after: { b: 2.5, aa: null, list: [1, { z: 1, y: '二' }] } }))
const key = () => sealKeyOf(app.running.app.secrets)
const seal = (now: Date, school_id: number = a) => sealJournal({ database: app.running.database, key: key(), now }, school_id, 'operation_log')
const check = (school_id: number = a) => checkJournal({ database: app.running.database, now: app.clock.now(), keep_days: 1096, public_key: key().public_key }, school_id, 'operation_log')
const after = (ms: number) => new Date(begun.getTime() + ms)
/** As somebody with the database in his hands, past the product's role. */
const tamper = (statement: string, school_id: number = a) => app.running.database.owner_exec(`set local app.school_id = '${school_id}'; ${statement}`)
const said = async () => (await check()).findings.map(finding => sayFinding(finding).replace(/ [0-9a-f-]{36}.*? (\S+)$/, ' $1'))

async function seals(school_id: number = a): Promise<{ rows: number; late: number; altered: number }[]> {
  return app.running.database.tenant<unknown, { rows: number; late: number; altered: number }[]>(school_id, async db =>
    (await sql<{ rows: number; late: number; altered: number }>`select rows, late, altered from audit_seal where school_id = ${school_id} and table_name = 'operation_log' order by seal_no`.execute(db)).rows)
}

describe('sealing', () => {
  test('takes every row a minute old once, and rows that came late with the next seal, counted', async () => {
    const now = begun
    for (const [at, target] of [[-5, 'one'], [-4, 'two'], [0, 'young']] as const) await write(target, new Date(now.getTime() + at * minute), b)
    await seal(now, b)
    expect(await seals(b)).toEqual([{ rows: 2, late: 0, altered: 0 }])
    await write('late', new Date(now.getTime() - 3 * minute), b)
    await seal(after(2 * minute), b)
    expect(await seals(b)).toEqual([{ rows: 2, late: 0, altered: 0 }, { rows: 2, late: 1, altered: 0 }])
    await seal(after(3 * minute), b)
    expect(await seals(b)).toHaveLength(2)
    expect(await check(b)).toMatchObject({ seals: 2, rows: 4, findings: [] })
  })

  test('two processes at one journal make each seal once', async () => {
    const at = after(10 * minute)
    await write('raced', at, b)
    await Promise.all([seal(after(20 * minute), b), seal(after(20 * minute), b)])
    expect((await seals(b)).map(one => one.rows)).toEqual([2, 2, 1])
    expect((await check(b)).findings).toEqual([])
  })

  test('a line with half a surrogate pair or U+0000 is hashed as the database gives it back', async () => {
    const at = after(30 * minute)
    const words = '理由\ud800和\0'
    await app.running.database.tenant<unknown, void>(b, db => writeOperation(db, b, { ...line, happened_at: at, reason: words, target_name: words, before: { [words]: 1 }, after: { [words]: [words] } }))
    await seal(after(40 * minute), b)
    expect((await seals(b)).at(-1)).toMatchObject({ rows: 1, altered: 0 })
    expect((await check(b)).findings).toEqual([])
  })

  test('a line of the archive journal can be made again from what is stored', async () => {
    await app.running.database.tenant<unknown, void>(b, db =>
      archive(db, { school_id: b, at: app.clock.now(), request_id: request.request_id.toUpperCase() }, [
        { person_kind: 1, person_id: '7', person_name: '王子轩', op_type: 4, source: 'typed', changes: [{ field: 'z', label: '字', before: undefined, after: { b: 1, a: new Date(0) } }] },
      ]),
    )
    await sealJournal({ database: app.running.database, key: key(), now: after(2 * minute) }, b, 'archive_log')
    const found = await checkJournal({ database: app.running.database, now: app.clock.now(), keep_days: 1096, public_key: key().public_key }, b, 'archive_log')
    expect(found).toMatchObject({ seals: 1, rows: 1, findings: [] })
    const [made] = await app.running.database.tenant<unknown, { altered: number }[]>(b, async db =>
      (await sql<{ altered: number }>`select altered from audit_seal where school_id = ${b} and table_name = 'archive_log'`.execute(db)).rows)
    expect(made).toEqual({ altered: 0 })
  })
})

describe('10-A22 audit-verify names', () => {
  let turn = 0
  beforeEach(async () => {
    turn += 1
    await write(`row-${turn}`, after(-5 * minute))
    await write(`other-${turn}`, after(-4 * minute))
    await seal(begun)
  })
  afterEach(async () => {
    if (is_mended && (await said()).length > 0) throw new Error('the damage of this test was not mended')
  })
  let is_mended = true
  const damaged = async (statement: string, mend: string) => {
    await tamper(statement)
    const found = await said()
    await tamper(mend)
    return found
  }
  const row = () => `school_id = ${a} and target_id = 'row-${turn}'`

  test('an edited row', async () => {
    expect(await damaged(`update operation_log set user_name = 'x' where ${row()}`, `update operation_log set user_name = null where ${row()}`)).toEqual(['edited operation_log people.student.update'])
  })
  test('a row whose microseconds were edited', async () => {
    expect(await damaged(`update operation_log set happened_at = happened_at + interval '1 microsecond' where ${row()}`, `update operation_log set happened_at = happened_at - interval '1 microsecond' where ${row()}`)).toEqual(['edited operation_log people.student.update'])
  })
  test('a row put to another time, near or far', async () => {
    for (const span of ['2 minutes', '70 days']) {
      expect(await damaged(`update operation_log set happened_at = happened_at - interval '${span}' where ${row()}`, `update operation_log set happened_at = happened_at + interval '${span}' where ${row()}`)).toEqual(['moved operation_log people.student.update'])
    }
  })
  test('a deleted row', async () => {
    await tamper(`create table kept_row as select * from operation_log where ${row()}; delete from operation_log where ${row()}`)
    expect((await check()).findings).toMatchObject([{ kind: 'deleted', table: 'operation_log', happened_at: after(-5 * minute).toISOString() }])
    await tamper('insert into operation_log select * from kept_row; drop table kept_row')
  })
  test('an inserted row', async () => {
    const added = `school_id = ${a} and target_id = 'added'`
    const copy = `insert into operation_log select (jsonb_populate_record(l, jsonb_build_object('target_id', 'added', 'log_id', gen_random_uuid()))).* from operation_log l where ${row()}`
    expect(await damaged(copy, `delete from operation_log where ${added}`)).toEqual(['inserted operation_log people.student.update'])
  })
  test('a seal that was changed, taken away or made without the key', async () => {
    const sealed = `school_id = ${a} and table_name = 'operation_log'`
    const last = `${sealed} and seal_no = (select max(seal_no) from audit_seal where ${sealed})`
    expect(await damaged(`update audit_seal set late = late + 1 where ${last}`, `update audit_seal set late = late - 1 where ${last}`)).toEqual([expect.stringMatching(/its content was changed$/)])
    expect(await damaged(`update audit_seal set leaves = leaves || leaves where ${last}`, `update audit_seal set leaves = substring(leaves for length(leaves) / 2) where ${last}`)).toContainEqual(expect.stringMatching(/its list of rows was changed$/))
    expect(await damaged(`update audit_seal set seal_no = seal_no + 50 where ${last}`, `update audit_seal set seal_no = seal_no - 50 where ${last}`)).toContainEqual(expect.stringMatching(/a seal before it is missing$/))
    const other = await checkJournal({ database: app.running.database, now: app.clock.now(), keep_days: 1096, public_key: sealKeyOf({ seal_key: Buffer.alloc(32, 7) }).public_key }, a, 'operation_log')
    expect(other.findings).toContainEqual(expect.objectContaining({ what: 'it is not signed with the key of the installation' }))
  })
  test('a row that was edited before it was sealed', async () => {
    is_mended = false
    await write('unsealed', after(minute))
    await tamper(`update operation_log set user_name = 'x' where school_id = ${a} and target_id = 'unsealed'`)
    await seal(after(10 * minute))
    expect(await said()).toEqual(['edited operation_log people.student.update'])
  })
})

test('a round seals what is due and keeps what it found wrong', async () => {
  await write('watched', after(-2 * minute), test_schools.enterprise)
  await sealDue(app.running)
  const state = () => app.running.database.tenant(test_schools.enterprise, db => readWatch(db, test_schools.enterprise))
  expect((await state()).find(one => one.table_name === 'operation_log')).toMatchObject({ checked_until: expect.any(Date), broken: null })
  await tamper(`update operation_log set user_name = 'x' where school_id = ${test_schools.enterprise}`, test_schools.enterprise)
  app.clock.advance(6 * minute)
  await sealDue(app.running)
  expect((await state()).find(one => one.table_name === 'operation_log')?.broken).toMatchObject({ count: 1, findings: [expect.stringMatching(/^edited operation_log/)] })
})

test('10-A22 the product’s role adds seals and never changes or removes one', async () => {
  const run = (statement: string) => app.running.database.tenant<unknown, unknown>(a, db => sql.raw(statement).execute(db))
  await expect(run(`update audit_seal set rows = rows where school_id = ${a}`)).rejects.toThrow(/permission denied/)
  await expect(run(`delete from audit_seal where school_id = ${a}`)).rejects.toThrow(/permission denied/)
})
