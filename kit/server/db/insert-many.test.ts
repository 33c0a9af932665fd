import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines-under-test.ts'
import type { Subject } from './engines-under-test.ts'
import { insertMany, insertReturning, migrate } from './index.ts'

const table = `
  create table thing (
    school_id int not null, id int not null, word text, "odd ""name" text, tags text[] not null default '{}', doc jsonb, bytes bytea,
    made timestamptz, size int not null default 7, short varchar(3), constraint thing_key primary key (school_id, id));`

describe.each(engines)('$engine: many rows at once', ({ open }) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await open()
    await migrate(subject.database, [{ name: '01', sql: table }])
  })
  afterAll(() => subject.dispose())

  const within = <R>(fn: (db: Kysely<unknown>) => Promise<R>) => subject.database.tenant<unknown, R>(1, fn)
  const things = (ids: number[]) =>
    within(async db => (await sql`select * from thing where school_id = 1 and id = any(${ids}::int[]) order by id`.execute(db)).rows)

  it('keeps every kind of value, shared or not, and takes nulls as they are', async () => {
    const made = new Date('2026-03-01T00:00:00Z')
    const rows = [
      { school_id: 1, id: 1, word: `a'b"c\\`, 'odd "name': 'x', tags: ['1', null, 'a,b'], doc: JSON.stringify({ a: null }), bytes: Buffer.of(0, 255), made, size: 1, short: 'abc' },
      { school_id: 1, id: 2, word: null, 'odd "name': 'x', tags: [], doc: null, bytes: null, made, size: 2, short: null },
    ]
    await within(db => insertMany(db, 'thing', rows))
    expect(await things([1, 2])).toEqual([{ ...rows[0], doc: { a: null } }, rows[1]])
  })

  it('gives the default where a row says nothing', async () => {
    await within(db => insertMany(db, 'thing', [{ school_id: 1, id: 3, size: undefined }, { school_id: 1, id: 4, size: 8 }, { school_id: 1, id: 5, word: 'w' }]))
    expect(await things([3, 4, 5])).toMatchObject([{ size: 7, word: null, tags: [] }, { size: 8 }, { size: 7, word: 'w' }])
  })

  it('writes any number of rows of one shape, again and again, also where some take the default', async () => {
    const rows = Array.from({ length: 257 }, (_, at) => ({ school_id: 1, id: 1000 + at, word: at % 3 === 0 ? null : `word ${at}`, size: at }))
    await within(db => insertMany(db, 'thing', rows))
    for (const from of [2000, 3000]) await within(db => insertMany(db, 'thing', rows.map(row => ({ ...row, id: row.id - 1000 + from }))))
    await within(db => insertMany(db, 'thing', rows.map(row => ({ ...row, id: row.id + 3000, size: row.size === 50 ? undefined : row.size }))))
    for (const from of [1000, 2000, 3000]) expect(await things(rows.map(row => row.id - 1000 + from))).toMatchObject(rows.map(({ word, size }) => ({ word, size })))
    expect(await things([4049, 4050, 4051])).toMatchObject([{ size: 49 }, { size: 7 }, { size: 51 }])
  })

  it('goes on with a shape after a refusal and after a transaction that had failed before', async () => {
    const rows = Array.from({ length: 100 }, (_, at) => ({ school_id: 1, id: 5000 + at, tags: ['a'], made: new Date(at) }))
    const failed = within(async db => {
      await sql`select 1 / 0`.execute(db).catch(() => undefined)
      await insertMany(db, 'thing', rows)
    })
    await expect(failed).rejects.toThrow(/current transaction is aborted/)
    await expect(within(db => insertMany(db, 'thing', rows.map((row, at) => ({ ...row, id: at === 99 ? 5000 : row.id }))))).rejects.toMatchObject({ constraint: 'thing_key' })
    await within(db => insertMany(db, 'thing', rows))
    expect(await things(rows.map(row => row.id))).toMatchObject(rows.map(({ id, made }) => ({ id, made })))
  })

  it('leaves or changes what is there, and has nothing to do for no rows', async () => {
    const row = { school_id: 1, id: 6, word: 'first', size: 1 }
    await within(db => insertMany(db, 'thing', []))
    await within(db => insertMany(db, 'thing', [row]))
    await within(db => insertMany(db, 'thing', [{ ...row, word: 'second' }], { set: [] }))
    expect(await things([6])).toMatchObject([{ word: 'first' }])
    await within(db => insertMany(db, 'thing', [{ ...row, word: null, size: 9 }], { columns: ['school_id', 'id'], set: ['word'] }))
    expect(await things([6])).toMatchObject([{ word: null, size: 1 }])
    for (const word of ['third', 'fourth']) await within(db => insertMany(db, 'thing', [{ ...row, word, size: 9 }], { columns: ['school_id', 'id'], set: ['size'], fill: ['word'] }))
    expect(await things([6])).toMatchObject([{ word: 'third', size: 9 }])
    for (const [word, size] of [['fifth', 9], ['sixth', 8]] as const) await within(db => insertMany(db, 'thing', [{ ...row, word, size }], { columns: ['school_id', 'id'], set: ['word'], same: ['size'] }))
    expect(await things([6])).toMatchObject([{ word: 'fifth', size: 9 }])
    await expect(within(db => insertMany(db, 'thing', [row]))).rejects.toMatchObject({ constraint: 'thing_key' })
  })

  it('answers which rows are new or changed: those that differ, those that are newer', async () => {
    const key = ['school_id', 'id']
    const rows = [7001, 7002, 7003].map(id => ({ school_id: 1, id, word: 'same', size: 5 }))
    const put = (given: typeof rows, conflict: Parameters<typeof insertReturning>[4]) => within(db => insertReturning(db, 'thing', given, 'id', conflict))
    expect(await put(rows, { columns: key, set: ['word'], differ: ['word'] })).toEqual(['7001', '7002', '7003'])
    expect(await put(rows.map((row, at) => (at === 1 ? { ...row, word: 'other' } : row)), { columns: key, set: ['word'], differ: ['word', 'size'] })).toEqual(['7002'])
    expect(await put(rows.map((row, at) => ({ ...row, word: 'new', size: 4 + at })), { columns: key, set: ['word', 'size'], newer: 'size' })).toEqual(['7003'])
    expect(await things([7001, 7002, 7003])).toMatchObject([{ word: 'same', size: 5 }, { word: 'other', size: 5 }, { word: 'new', size: 6 }])
    expect(await put([], {})).toEqual([])
  })

  it('refuses a column that the table does not have, and a text that is too long for its own', async () => {
    await expect(within(db => insertMany(db, 'thing', [{ school_id: 1, id: 8, wrong: 1 }]))).rejects.toThrow('table thing has no column wrong')
    await expect(within(db => insertMany(db, 'thing', [{ school_id: 1, id: 8, short: 'too long' }]))).rejects.toMatchObject({ code: '22001' })
    expect(await things([8])).toEqual([])
  })
})
