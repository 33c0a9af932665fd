import { describeCatalogue } from '@kit/server/db'
import type { CatalogueTable } from '@kit/server/db'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'

/** Tables of the installation: no tenant, so no school_id in the key. A new one is a decision, not an accident. */
const installation = ['account', 'account_school', 'audit_seal_key', 'audit_watch', 'broker_lead', 'captcha', 'device_client', 'device_enrol_code', 'device_model', 'device_serial', 'dictionary_item', 'dictionary_type', 'key_rotation', 'key_rotation_step', 'login_throttle', 'password_history', 'provider_visit', 'realtime_watch', 'remember_token', 'school_registry', 'sm2_key', 'ticket', 'upload_ticket', 'work']

let app: TestApp
let tables: CatalogueTable[]
let owned: CatalogueTable[]

beforeAll(async () => {
  app = await startTestApp()
  const all = await app.running.database.owner(describeCatalogue)
  tables = all.filter(table => !table.is_view && table.partition_of === null)
  owned = tables.filter(table => !installation.includes(table.name))
})
afterAll(() => app.close())

describe('every school-owned table', () => {
  test('is all but the named installation tables', () => {
    expect(tables.map(table => table.name)).toEqual(expect.arrayContaining(installation))
    expect(owned.length).toBeGreaterThan(20)
  })
  test('has school_id not null and first in its primary key', () => {
    expect(owned.filter(table => table.primary_key[0] !== 'school_id').map(table => table.name)).toEqual([])
    expect(owned.filter(table => table.columns.find(column => column.name === 'school_id')?.nullable !== false).map(table => table.name)).toEqual([])
  })
  test('has school_id first in every unique key', () => {
    expect(owned.flatMap(table => table.unique.filter(key => key.columns[0] !== 'school_id').map(key => `${table.name}.${key.name}`))).toEqual([])
  })
  test('has school_id first in every foreign key to another school-owned table', () => {
    const names = owned.map(table => table.name)
    const wrong = owned.flatMap(table => table.foreign_keys.filter(key => names.includes(key.table) && key.columns[0] !== 'school_id').map(key => `${table.name}.${key.name}`))
    expect(wrong).toEqual([])
  })
  test('forces row-level security on its owner too', () => {
    expect(owned.filter(table => !table.rls || !table.forced || table.policies.length === 0).map(table => table.name)).toEqual([])
  })
  test('has no trigger, so that it can be distributed', () => {
    expect(tables.filter(table => table.triggers.length > 0).map(table => table.name)).toEqual([])
  })
})

describe('the app role', () => {
  test('is no superuser, bypasses nothing and owns nothing', async () => {
    const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(test_schools.a, db =>
      sql`select rolsuper, rolbypassrls, (select count(*)::int from pg_class where relowner = r.oid) as owns
        from pg_roles r where rolname = current_user`.execute(db),
    )
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, owns: 0 }])
  })
  test('10-A22 cannot change or remove a log line', async () => {
    for (const statement of [sql`update operation_log set msg = ''`, sql`delete from operation_log`, sql`delete from archive_log`]) {
      const attempt = app.running.database.tenant<unknown, unknown>(test_schools.a, db => statement.execute(db))
      await expect(attempt).rejects.toMatchObject({ code: '42501' })
    }
  })
  test('without a WHERE in any table sees no row of another school', async () => {
    for (const { name } of owned) {
      const { rows } = await app.running.database.tenant<unknown, { rows: { n: number }[] }>(test_schools.a, db =>
        sql<{ n: number }>`select count(*)::int as n from ${sql.table(name)} where school_id <> ${test_schools.a}`.execute(db),
      )
      expect([name, rows[0]?.n]).toEqual([name, 0])
    }
  })
  test('without a tenant sees no school at all', async () => {
    const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(0, db => sql`select 1 from school`.execute(db))
    expect(rows).toEqual([])
  })
})
