import { expect, test } from 'vitest'
import { openDatabase } from './index.ts'
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
  await database.close()
})
