import { createHash } from 'node:crypto'
import { existsSync, globSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loadConfig } from '@kit/server/config'
import { monthOf, openDatabase } from '@kit/server/db'
import type { Database } from '@kit/server/db'
import type { Boot } from '@kit/server/http'
import { allMigrations, install, makeApp, openConfigured } from '../boot.ts'
import { domains } from '../domains.ts'
import { turnAllMonths } from '../months.ts'
import { asAdmin, copyDatabase, databaseName, makeDatabase, ownDatabase, template_lock } from './postgres.ts'
import { makeTestSchools } from './schools.ts'

/** Where a test's own database is: settings for `loadConfig`, a snapshot for the embedded engine, whether the test schools are in it, and how to drop it. */
export type TestDatabase = { settings: Record<string, string>; snapshot?: Uint8Array; has_schools: boolean; drop(): Promise<void> }

const root = join(import.meta.dirname, '../../..')
const scratch = join(root, '.tmp')
const fresh_secrets = Object.fromEntries(
  ['TOKEN_KEY', 'DATA_KEY', 'ID_INDEX_KEY', 'SEAL_KEY', 'SM2_KEY'].map((name, at) => [`CAMPUS_SECRET_${name}`, `${at}f3a9c1d07b26e84${'5be2907d1c4f68a3'.repeat(3)}`]),
)

/** Settings every test server has. */
export const test_settings: Record<string, string> = { CAMPUS_ENV: 'test', CAMPUS_PORT: '0', CAMPUS_MQTT_PORT: '0', CAMPUS_DURABLE: '0', CAMPUS_LOG_LEVEL: 'error', CAMPUS_MQTT_HOOK_SECRET: 'what the outside broker of the tests shows'.replaceAll(' ', '-'), ...fresh_secrets }

/**
 * A fresh migrated database of the engine named by CAMPUS_TEST_ENGINE (`pglite` by default).
 * @param wanted `schools`: with the test schools in it, where a copy costs no more with them than without
 */
export async function freshDatabase(wanted: 'empty' | 'schools' = 'empty'): Promise<TestDatabase> {
  if (process.env.CAMPUS_TEST_ENGINE !== 'postgres') {
    return { settings: { CAMPUS_DATA_DIR: 'memory://' }, snapshot: await embeddedTemplate(), has_schools: false, drop: async () => undefined }
  }
  const admin_url = process.env.CAMPUS_TEST_PG_ADMIN_URL
  if (!admin_url) throw new Error('CAMPUS_TEST_PG_ADMIN_URL must name a PostgreSQL superuser')
  const has_schools = wanted === 'schools'
  const template = has_schools ? await schoolsTemplate(admin_url) : await postgresTemplate(admin_url)
  const name = databaseName()
  const copy = await copyDatabase(admin_url, name, template)
  const data_dir = join(scratch, name)
  const drop = async () => {
    await copy.drop()
    await rm(data_dir, { recursive: true, force: true })
  }
  return { settings: { CAMPUS_DATA_DIR: data_dir, ...copy.settings }, has_schools, drop }
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

const keys: { template?: Promise<string>; schools?: Promise<string> } = {}

/** What a template depends on: the migrations, the reference data and, for the months that stand ready, the day. Read once in a process. */
const templateKey = () => (keys.template ??= readTemplateKey())

async function readTemplateKey(): Promise<string> {
  const hash = createHash('sha256')
  for (const { name, sql, links } of await allMigrations()) hash.update(`${name}${sql}${links ?? ''}`)
  hash.update(await readFile(join(root, 'domains/school/server/data/dictionaries.json')))
  return hash.update(monthOf(new Date())).digest('hex').slice(0, 16)
}

/** What a template with schools depends on besides: whatever a domain may put into a new school, and the day on which it does. */
const schoolsKey = () => (keys.schools ??= readSchoolsKey())

async function readSchoolsKey(): Promise<string> {
  const hash = createHash('sha256').update(await templateKey())
  const sources = globSync(['domains/*/{server,contract}/**/*.{ts,json}', 'apps/server/{schools,testing/schools}.ts'], { cwd: root, exclude: ['**/*.test.ts'] }).toSorted()
  for (const source of sources) hash.update(await readFile(join(root, source)))
  return hash.update(new Date().toDateString()).digest('hex').slice(0, 16)
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

/** The migrated template database of a PostgreSQL server. */
async function postgresTemplate(admin_url: string): Promise<string> {
  return madeOnce(admin_url, `campus_template_${await templateKey()}`, async making => {
    const { settings } = await makeDatabase(admin_url, making)
    await (await installed(settings)).close()
  })
}

/** The same with the test schools. */
async function schoolsTemplate(admin_url: string): Promise<string> {
  const empty = await postgresTemplate(admin_url)
  return madeOnce(admin_url, `campus_schools_${await schoolsKey()}`, async (making, run) => {
    await run(`create database ${making} template ${empty}`)
    const { app, database } = await openBoot(ownDatabase(admin_url, making).settings)
    await makeTestSchools({ app, database }, domains)
    await database.close()
  })
}

/** Makes a template that is not there; the lock lets one test file do it. */
async function madeOnce(admin_url: string, name: string, make: (making: string, run: (statement: string) => Promise<number>) => Promise<void>): Promise<string> {
  await asAdmin(admin_url, async run => {
    const isThere = async () => (await run(`select 1 from pg_database where datname = '${name}'`)) > 0
    if (await isThere()) return
    await run(`select pg_advisory_lock(${template_lock})`)
    if (await isThere()) return
    await run(`drop database if exists ${name}_making with (force)`)
    await make(`${name}_making`, run)
    await run(`alter database ${name}_making rename to ${name}`)
  })
  return name
}

async function openBoot(settings: Record<string, string>): Promise<Boot> {
  const env = { ...test_settings, CAMPUS_DATA_DIR: 'memory://', ...settings }
  const config = loadConfig(env)
  return { app: await makeApp({ config, env }), database: await openConfigured(config) }
}

async function installed(settings: Record<string, string>): Promise<Database> {
  const boot = await openBoot(settings)
  await install(boot)
  await turnAllMonths(boot, domains)
  return boot.database
}
