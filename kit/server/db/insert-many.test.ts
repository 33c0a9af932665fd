import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from './engines-under-test.ts'
import type { Subject } from './engines-under-test.ts'
import { insertMany, migrate } from './index.ts'

const table = `
  create table thing (
    school_id int not null, id int not null, word text, "odd ""name" text, tags text[] not null default '{}', doc jsonb, bytes bytea,
    made timestamptz, size int not null default 7, constraint thing_key primary key (school_id, id));`

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
      { school_id: 1, id: 1, word: `a'b"c\\`, 'odd "name': 'x', tags: ['1', null, 'a,b'], doc: JSON.stringify({ a: null }), bytes: Buffer.of(0, 255), made, size: 1 },
      { school_id: 1, id: 2, word: null, 'odd "name': 'x', tags: [], doc: null, bytes: null, made, size: 2 },
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
    await expect(within(db => insertMany(db, 'thing', [row]))).rejects.toMatchObject({ constraint: 'thing_key' })
  })
})
