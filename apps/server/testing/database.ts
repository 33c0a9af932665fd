import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadConfig } from '@kit/server/config'
import { bootstrapPostgres } from '@kit/server/db'
import pg from 'pg'
import { install, makeApp, openConfigured } from '../boot.ts'

/** Where a test's own database is: settings for `loadConfig`, a snapshot for the embedded engine, and how to drop it. */
export type TestDatabase = { settings: Record<string, string>; snapshot?: Uint8Array; drop(): Promise<void> }

const passwords = { owner_password: 'owner-of-tests', app_password: 'app-of-tests' }
const template_name = 'campus_test_template'
const fresh_secrets = Object.fromEntries(
  ['TOKEN_KEY', 'DATA_KEY', 'ID_INDEX_KEY', 'SEAL_KEY', 'SM2_KEY'].map((name, at) => [`CAMPUS_SECRET_${name}`, `${at}f3a9c1d07b26e84${'5be2907d1c4f68a3'.repeat(3)}`]),
)

/** Settings every test server has. */
export const test_settings: Record<string, string> = { CAMPUS_ENV: 'test', CAMPUS_PORT: '0', CAMPUS_DURABLE: '0', CAMPUS_LOG_LEVEL: 'error', ...fresh_secrets }

/** Migrates one empty database per engine, once a run; every test starts from a copy. */
export async function prepareTemplates(snapshot_file: string, admin_url: string | undefined): Promise<void> {
  await mkdir(dirname(snapshot_file), { recursive: true })
  await writeFile(snapshot_file, await migratedSnapshot())
  if (admin_url === undefined) return
  await recreate(admin_url, template_name)
  const settings = { ...test_settings, ...urls(admin_url, template_name) }
  await installInto(settings)
}

/** A fresh migrated database of the engine named by CAMPUS_TEST_ENGINE (`pglite` by default). */
export async function freshDatabase(): Promise<TestDatabase> {
  if (process.env.CAMPUS_TEST_ENGINE !== 'postgres') {
    const file = process.env.CAMPUS_TEST_SNAPSHOT
    const snapshot = file ? await readFile(file) : await migratedSnapshot()
    return { settings: { CAMPUS_DATA_DIR: 'memory://' }, snapshot, drop: async () => undefined }
  }
  const admin_url = process.env.CAMPUS_TEST_PG_ADMIN_URL
  if (!admin_url) throw new Error('CAMPUS_TEST_PG_ADMIN_URL must name a PostgreSQL superuser')
  const name = `campus_${randomUUID().replaceAll('-', '')}`
  await asAdmin(admin_url, [`create database ${name} template ${template_name}`])
  const data_dir = `.tmp/${name}`
  const drop = async () => {
    await asAdmin(admin_url, [`drop database if exists ${name} with (force)`])
    await rm(data_dir, { recursive: true, force: true })
  }
  return { settings: { CAMPUS_DATA_DIR: data_dir, ...urls(admin_url, name) }, drop }
}

async function migratedSnapshot(): Promise<Uint8Array> {
  const config = loadConfig({ ...test_settings, CAMPUS_DATA_DIR: 'memory://' })
  const database = await openConfigured(config)
  await install({ app: await makeApp({ config, env: test_settings }), database })
  const snapshot = await database.snapshot()
  await database.close()
  return snapshot
}

async function installInto(settings: Record<string, string>): Promise<void> {
  const config = loadConfig({ ...settings, CAMPUS_DATA_DIR: 'memory://' })
  const database = await openConfigured(config)
  await install({ app: await makeApp({ config, env: settings }), database })
  await database.close()
}

async function recreate(admin_url: string, name: string): Promise<void> {
  await asAdmin(admin_url, [`drop database if exists ${name} with (force)`, `create database ${name}`])
  const url = new URL(admin_url)
  url.pathname = `/${name}`
  await bootstrapPostgres(url.href, passwords)
}

function urls(admin_url: string, name: string): Record<string, string> {
  const as = (user: string, password: string) => {
    const url = new URL(admin_url)
    url.username = user
    url.password = password
    url.pathname = `/${name}`
    return url.href
  }
  return { DATABASE_URL: as('campus_app', passwords.app_password), DATABASE_OWNER_URL: as('campus_owner', passwords.owner_password) }
}

async function asAdmin(admin_url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: admin_url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
