import { loadConfig } from '@kit/server/config'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { install, makeApp } from './boot.ts'
import { missingMigrations, showMigrations } from './schema-state.ts'
import { emptyDatabase } from './testing/index.ts'
import { test_settings } from './testing/database.ts'

let own: Awaited<ReturnType<typeof emptyDatabase>>

beforeAll(async () => {
  own = await emptyDatabase()
  const env = { ...test_settings, CAMPUS_DATA_DIR: 'memory://' }
  await install({ app: await makeApp({ config: loadConfig(env), env }), database: own.database })
})
afterAll(() => own?.drop())

test('servers that start at the same moment let the app role see the migrations without being in each other’s way', async () => {
  const { database } = own
  for (let round = 0; round < 15; round += 1) {
    await database.owner(db => sql`revoke select on kysely_migration from ${sql.id(database.app_role)}`.execute(db))
    await Promise.all([showMigrations(database), showMigrations(database)])
    expect(await missingMigrations(database, [])).toEqual([])
  }
}, 60_000)
