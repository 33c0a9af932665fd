import { describeCatalogue, planDistribution } from '@kit/server/db'
import type { CatalogueTable } from '@kit/server/db'
import { breachesOf, breachesOfMigration, loadParser, parse, readKnown } from '@kit/server/citus-guard'
import type { Known } from '@kit/server/citus-guard'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { allMigrations } from '../boot.ts'
import { startTestApp } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

/** The first migration that a cluster may have to take as it is; what stands in older ones runs before the tables are distributed. */
const first_on_a_cluster = '20261213_20'

let app: TestApp
let catalogue: CatalogueTable[]
let known: Known

beforeAll(async () => {
  await loadParser()
  app = await startTestApp()
  catalogue = await app.running.database.owner(describeCatalogue)
  known = await app.running.database.owner(db => readKnown({ query: async text => ({ command: 'SELECT', affected: null, rows: [...(await sql.raw<Record<string, string>>(text).execute(db)).rows] }) }))
})
afterAll(() => app.close())

test('every table of the product has its place on a cluster, and no key stands in the way', () => {
  const { reference, distributed, local } = planDistribution(catalogue)
  expect(distributed[0]).toBe('school')
  expect(local).toEqual(['work'])
  expect(reference).toContain('account')
  expect(distributed.length + reference.length + local.length).toBe(catalogue.filter(table => !table.is_view && table.partition_of === null).length)
})

test('a table follows those it refers to', () => {
  const { reference, distributed } = planDistribution(catalogue)
  const order = [...reference, ...distributed]
  const early = catalogue.flatMap(({ name, foreign_keys }) => foreign_keys.filter(key => key.table !== name && order.indexOf(key.table) > order.indexOf(name)).map(key => key.name))
  expect(early).toEqual([])
})

test('no migration from now on holds what a cluster refuses', async () => {
  const migrations = (await allMigrations()).filter(({ name }) => name >= first_on_a_cluster)
  const found = migrations.flatMap(({ name, sql: part, links = '' }) => breachesOfMigration(`${part}\n${links}`, known).map(({ rule, what }) => `${name}: ${rule} (${what})`))
  expect(migrations.length).toBeGreaterThan(0)
  expect(found).toEqual([])
})

test('a planted migration is caught', () => {
  const planted = `
    create trigger t after insert on person for each row execute function f();
    alter table person add constraint k foreign key (school_id, user_id) references person on delete set null (user_id);
    grant update (user_name) on person to app;
    insert into person (school_id) select school_id from student;
    create table fine (school_id integer not null primary key); update person set user_name = 'a'`
  expect(breachesOfMigration(planted, known).map(({ rule }) => rule)).toEqual(['tables have no triggers', 'on delete set null names no columns', 'rights are given on whole tables', 'insert … select has returning or on conflict'])
})

test('the guard learns from the catalogue which tables, views and functions are of schools', () => {
  const rulesOf = (text: string) => parse(text).flatMap(statement => breachesOf(statement, text, known)).map(({ rule, what }) => `${rule}: ${what}`)
  expect(rulesOf('select l.user_id from live_person l join account a on a.user_id = l.user_id join school_state_v s on s.school_id = $1')).toEqual(['a table of schools is bound by school_id = $n itself: live_person l'])
  expect(rulesOf('update person set user_name = $1 where school_id = $2 returning birthday::text, user_id::text')).toEqual(['returning holds columns and immutable functions only: birthday::text'])
  expect(rulesOf('select place_then(school_id, place_id, now()) from place where school_id = $1')).toEqual(['a statement calls no function that reads tables: place_then'])
})
