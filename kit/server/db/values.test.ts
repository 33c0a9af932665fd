import { sql } from 'kysely'
import type { Generated } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines-under-test.ts'
import type { Subject } from './engines-under-test.ts'
import { migrate } from './index.ts'

const wide_columns = Array.from({ length: 18 }, (_, at) => `c${at}`)
const tables = `
  create table value (
    school_id int not null, id bigint generated always as identity,
    big bigint, amount numeric(12, 2), day date, span interval, days daterange, at timestamptz, clock time, plain timestamp,
    bigs bigint[], amounts numeric[], day_list date[], spans interval[], ranges daterange[], ats timestamptz[], tags text[],
    doc jsonb, bytes bytea, flag boolean, small int, ratio double precision, word text, key uuid,
    primary key (school_id, id));
  create table wide (school_id int not null, id bigint not null, ${wide_columns.map((name) => `${name} text`).join(', ')}, primary key (school_id, id));`

type Value = { school_id: number; id: Generated<string>; small: number | null; word: string | null; [column: string]: unknown }
type Wide = { school_id: number; id: string; [column: string]: unknown }
type Tables = { value: Value; wide: Wide }

const stored: [column: string, parameter: unknown, read: unknown][] = [
  ['big', '9007199254740993', '9007199254740993'],
  ['big', 12, '12'],
  ['big', 9007199254740993n, '9007199254740993'],
  ['amount', '1234567890.10', '1234567890.10'],
  ['amount', 1.5, '1.50'],
  ['day', '2026-03-01', '2026-03-01'],
  ['span', '1 day 02:00:00', '1 day 02:00:00'],
  ['days', '[2026-03-01,2026-04-01)', '[2026-03-01,2026-04-01)'],
  ['at', '2026-03-01T08:00:00+08:00', new Date('2026-03-01T00:00:00Z')],
  ['at', '2026-03-01 08:00:00', new Date('2026-03-01T00:00:00Z')],
  ['at', new Date('2026-03-01T00:00:00.123Z'), new Date('2026-03-01T00:00:00.123Z')],
  ['clock', '07:30', '07:30:00'],
  ['plain', '2026-03-01 07:30:00', '2026-03-01 07:30:00'],
  ['bigs', ['1', null, '9007199254740993'], ['1', null, '9007199254740993']],
  ['bigs', [1, 2], ['1', '2']],
  ['bigs', '{1,2}', ['1', '2']],
  ['amounts', ['1.10', '2'], ['1.10', '2']],
  ['day_list', ['2026-01-02', '2026-01-03'], ['2026-01-02', '2026-01-03']],
  ['spans', ['1 day'], ['1 day']],
  ['ranges', ['[2026-01-01,2026-02-01)'], ['[2026-01-01,2026-02-01)']],
  ['ats', [new Date('2026-03-01T00:00:00Z')], [new Date('2026-03-01T00:00:00Z')]],
  ['tags', ['甲', 'a,b', 'say "hi"', 'back\\slash', '', 'NULL', '{}'], ['甲', 'a,b', 'say "hi"', 'back\\slash', '', 'NULL', '{}']],
  ['tags', [], []],
  ['doc', JSON.stringify({ a: [1, '二', null] }), { a: [1, '二', null] }],
  ['doc', JSON.stringify(['x']), ['x']],
  ['doc', '"text"', 'text'],
  ['doc', { a: 1 }, { a: 1 }],
  ['bytes', Buffer.from([0, 255, 92, 39]), Buffer.from([0, 255, 92, 39])],
  ['bytes', new Uint8Array([1, 2]), Buffer.from([1, 2])],
  ['bytes', '\\x00ff', Buffer.from([0, 255])],
  ['flag', true, true],
  ['flag', 'false', false],
  ['small', '7', 7],
  ['small', 7, 7],
  ['ratio', 0.1, 0.1],
  ['word', "it's 好", "it's 好"],
  ['word', '', ''],
  ['key', '0190b3a0-0000-7000-8000-000000000001', '0190b3a0-0000-7000-8000-000000000001'],
  ['word', null, null],
]

describe.each(engines)('values on $engine', ({ open }) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await open()
    await migrate(subject.database, [{ name: '1_value', sql: tables }])
  })
  afterAll(() => subject.dispose())

  it.each(stored)('%s given as %o is read as %o', async (column, parameter, read) => {
    const found = await subject.database.tenant<Tables, Record<string, unknown>>(1, async (db) => {
      const { id } = await db.insertInto('value').values({ school_id: 1, [column]: parameter }).returning('id').executeTakeFirstOrThrow()
      return db.selectFrom('value').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    })
    expect(found[column]).toStrictEqual(read)
    expect(found.id).toMatch(/^\d+$/)
  })

  it('a list finds rows through = any', async () => {
    const rows = await subject.database.tenant<Tables, unknown[]>(2, async (db) => {
      await db.insertInto('value').values(['a', 'b', 'c'].map((word) => ({ school_id: 2, word }))).execute()
      return (await sql`select word from value where school_id = 2 and word = any(${['a', 'c']}) order by word`.execute(db)).rows
    })
    expect(rows).toEqual([{ word: 'a' }, { word: 'c' }])
  })

  it('the session counts time in Shanghai and writes ISO dates', async () => {
    const { rows } = await subject.database.tenant(1, (db) =>
      sql`select current_setting('TimeZone') zone, current_setting('DateStyle') dates, current_setting('IntervalStyle') spans`.execute(db))
    expect(rows).toEqual([{ zone: 'Asia/Shanghai', dates: 'ISO, YMD', spans: 'postgres' }])
  })

  it('changed rows are counted', async () => {
    const counts = await subject.database.tenant<Tables, bigint[]>(3, async (db) => {
      await db.insertInto('value').values([{ school_id: 3, small: 1 }, { school_id: 3, small: 2 }]).execute()
      const updated = await db.updateTable('value').set({ word: 'x' }).executeTakeFirstOrThrow()
      const deleted = await db.deleteFrom('value').where('small', '=', 1).executeTakeFirstOrThrow()
      return [updated.numUpdatedRows, deleted.numDeletedRows]
    })
    expect(counts).toEqual([2n, 1n])
  })

  it('500 rows of 20 columns go in with one statement', async () => {
    const rows = Array.from({ length: 500 }, (_, at) => ({
      school_id: 1, id: String(at), ...Object.fromEntries(wide_columns.map((name) => [name, `${name} 行 ${at}`])),
    }))
    const found = await subject.database.tenant<Tables, unknown[]>(1, async (db) => {
      await db.insertInto('wide').values(rows).execute()
      return db.selectFrom('wide').selectAll().orderBy('id').execute()
    })
    expect(found).toHaveLength(500)
    expect(found.at(-1)).toEqual(rows.at(-1))
  })

  it('more parameters than the protocol counts are refused with a clear message', async () => {
    const ids = Array.from({ length: 65_536 }, (_, at) => at)
    const query = subject.database.tenant<Tables, unknown>(1, (db) => db.selectFrom('value').select('id').where('small', 'in', ids).execute())
    await expect(query).rejects.toThrow('at most 65535 parameters')
  })

  it('an invalid Date is refused', async () => {
    const query = subject.database.tenant(1, (db) => sql`select ${new Date('never')}::timestamptz`.execute(db))
    await expect(query).rejects.toThrow('Invalid time value')
  })

  it('a second statement in one text is refused', async () => {
    const query = subject.database.tenant(1, (db) => sql.raw('select 1; select 2').execute(db))
    await expect(query).rejects.toMatchObject({ code: '42601' })
  })
})
