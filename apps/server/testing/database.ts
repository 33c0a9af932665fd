import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '@kit/server/config'
import { monthOf, openDatabase } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import { allMigrations, install, makeApp, openConfigured } from '../boot.ts'
import { domains } from '../domains.ts'
import { turnAllMonths } from '../months.ts'
import { asAdmin, copyDatabase, databaseName, makeDatabase, template_lock } from './postgres.ts'

/** Where a test's own database is: settings for `loadConfig`, a snapshot for the embedded engine, and how to drop it. */
export type TestDatabase = { settings: Record<string, string>; snapshot?: Uint8Array; drop(): Promise<void> }

const scratch = join(import.meta.dirname, '../../../.tmp')
const fresh_secrets = Object.fromEntries(
  ['TOKEN_KEY', 'DATA_KEY', 'ID_INDEX_KEY', 'SEAL_KEY', 'SM2_KEY'].map((name, at) => [`CAMPUS_SECRET_${name}`, `${at}f3a9c1d07b26e84${'5be2907d1c4f68a3'.repeat(3)}`]),
)

/** Settings every test server has. */
export const test_settings: Record<string, string> = { CAMPUS_ENV: 'test', CAMPUS_PORT: '0', CAMPUS_MQTT_PORT: '0', CAMPUS_DURABLE: '0', CAMPUS_LOG_LEVEL: 'error', CAMPUS_MQTT_HOOK_SECRET: 'what the outside broker of the tests shows'.replaceAll(' ', '-'), ...fresh_secrets }

/** A fresh migrated database of the engine named by CAMPUS_TEST_ENGINE (`pglite` by default). */
export async function freshDatabase(): Promise<TestDatabase> {
  if (process.env.CAMPUS_TEST_ENGINE !== 'postgres') {
    return { settings: { CAMPUS_DATA_DIR: 'memory://' }, snapshot: await embeddedTemplate(), drop: async () => undefined }
  }
  const admin_url = process.env.CAMPUS_TEST_PG_ADMIN_URL
  if (!admin_url) throw new Error('CAMPUS_TEST_PG_ADMIN_URL must name a PostgreSQL superuser')
  const template = await postgresTemplate(admin_url)
  const name = databaseName()
  const copy = await copyDatabase(admin_url, name, template)
  const data_dir = join(scratch, name)
  const drop = async () => {
    await copy.drop()
    await rm(data_dir, { recursive: true, force: true })
  }
  return { settings: { CAMPUS_DATA_DIR: data_dir, ...copy.settings }, drop }
}

/** An empty database of the engine under test: no table, both roles. */
export async function emptyDatabase(): Promise<{ database: Database; drop(): Promise<void> }> {
  const admin_url = process.env.CAMPUS_TEST_PG_ADMIN_URL
  if (process.env.CAMPUS_TEST_ENGINE !== 'postgres' || !admin_url) {
    const database = await openDatabase({ data_dir: 'memory://' })
    return { database, drop: () => database.close() }
  }
  const own = await makeDatabase(admin_url, databaseName())
  const database = await openDatabase({ url: own.settings.DATABASE_URL, owner_url: own.settings.DATABASE_OWNER_URL })
  const drop = async () => {
    await database.close()
    await own.drop()
  }
  return { database, drop }
}

/** What a template depends on: the migrations, the reference data and, for the months that stand ready, the day. */
async function templateKey(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, sql, links } of await allMigrations()) hash.update(`${name}${sql}${links ?? ''}`)
  hash.update(await readFile(join(import.meta.dirname, '../../../domains/school/server/data/dictionaries.json')))
  return hash.update(monthOf(new Date())).digest('hex').slice(0, 16)
}

/** The migrated embedded database as a snapshot, made once per state of the migrations and shared by all test files. */
async function embeddedTemplate(): Promise<Uint8Array> {
  const file = join(scratch, `template-${await templateKey()}.tar`)
  if (existsSync(file)) return readFile(file)
  const database = await installed({ CAMPUS_DATA_DIR: 'memory://' })
  const snapshot = await database.snapshot()
  await database.close()
  await mkdir(scratch, { recursive: true })
  await writeFile(`${file}.${process.pid}`, snapshot)
  await rename(`${file}.${process.pid}`, file)
  return snapshot
}

/** The migrated template database of a PostgreSQL server; the lock lets one test file make it. */
async function postgresTemplate(admin_url: string): Promise<string> {
  const name = `campus_template_${await templateKey()}`
  await asAdmin(admin_url, async run => {
    await run(`select pg_advisory_lock(${template_lock})`)
    const found = await run(`select 1 from pg_database where datname = '${name}'`)
    if (found > 0) return
    await run(`drop database if exists ${name}_making with (force)`)
    const { settings } = await makeDatabase(admin_url, `${name}_making`)
    await (await installed(settings)).close()
    await run(`alter database ${name}_making rename to ${name}`)
  })
  return name
}

async function installed(settings: Record<string, string>): Promise<Database> {
  const env = { ...test_settings, CAMPUS_DATA_DIR: 'memory://', ...settings }
  const config = loadConfig(env)
  const database = await openConfigured(config)
  const boot = { app: await makeApp({ config, env }), database }
  await install(boot)
  await turnAllMonths(boot, domains)
  return database
}
