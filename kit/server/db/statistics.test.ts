import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { engines } from './engines-under-test.ts'
import { migrate, openDatabase, readMigrations, refreshStatistics } from './index.ts'
import { analyzeGrown } from './statistics.ts'

test('the embedded engine learns of a table that grew, once', async () => {
  const database = await openDatabase({ data_dir: 'memory://' })
  await database.owner_exec('create table grown (school_id int not null, id int not null, primary key (school_id, id))')
  expect(await analyzeGrown(database)).toEqual([])
  await database.owner_exec('insert into grown select 1, n from generate_series(1, 5000) n')
  expect(await analyzeGrown(database)).toEqual(['grown'])
  expect(await analyzeGrown(database)).toEqual([])
  await database.owner_exec('insert into grown select 2, n from generate_series(1, 5000) n')
  expect(await analyzeGrown(database)).toEqual(['grown'])
  await database.owner_exec('insert into grown select 3, n from generate_series(1, 10000) n')
  expect(await Promise.all([analyzeGrown(database), analyzeGrown(database)])).toEqual([['grown'], []])
  await database.close()
})

describe.each(engines)('$engine', ({ open }) => {
  test('the role that works has tables analysed that it filled', async () => {
    const { database, dispose } = await open()
    const grown = { name: '30000101_00_grown', sql: 'create table grown (school_id int not null, id int not null, primary key (school_id, id))' }
    await migrate(database, [...(await readMigrations([join(import.meta.dirname, '../migrations')])), grown])
    await database.tenant<unknown, unknown>(1, db => sql`insert into grown select 1, n from generate_series(1, 5000) n`.execute(db))
    await database.tenant<unknown, void>(1, db => refreshStatistics(db))
    const { rows } = await database.owner(db => sql<{ known: number }>`select reltuples::int as known from pg_class where relname = 'grown'`.execute(db))
    expect(rows).toEqual([{ known: 5000 }])
    await dispose()
  })
})
