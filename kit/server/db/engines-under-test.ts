import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { bootstrapPostgres, openDatabase } from './index.ts'
import type { Database, Engine } from './index.ts'

/** An empty database of one engine for one test file; `again` opens it a second time as another process would. */
export type Subject = { database: Database; again: () => Promise<Database>; urls?: { url: string; admin_url: string }; dispose: () => Promise<void> }

const admin_url = process.env['CAMPUS_TEST_PG_ADMIN_URL']

/** The engines this machine can test: the embedded one always, PostgreSQL when CAMPUS_TEST_PG_ADMIN_URL names a superuser. */
export const engines: { engine: Engine; open: () => Promise<Subject> }[] = [
  { engine: 'pglite', open: openEmbedded },
  ...(admin_url === undefined ? [] : [{ engine: 'postgres' as const, open: () => openFreshDatabase(admin_url) }]),
]

/** Making an empty embedded database takes seconds, copying one a fraction: made once per test file. */
let empty: Promise<Uint8Array> | undefined

async function takeEmptySnapshot(): Promise<Uint8Array> {
  const database = await openDatabase({ data_dir: 'memory://' })
  const snapshot = await database.snapshot()
  await database.close()
  return snapshot
}

async function openEmbedded(): Promise<Subject> {
  empty ??= takeEmptySnapshot()
  const database = await openDatabase({ data_dir: 'memory://', snapshot: await empty })
  return { database, again: async () => database, dispose: () => database.close() }
}

async function openFreshDatabase(server_url: string): Promise<Subject> {
  const mark = randomBytes(4).toString('hex')
  const name = `campus_test_${mark}`
  const [owner_role, app_role] = [`owner_${mark}`, `app_${mark}`]
  await runAsAdmin(server_url, [`create database ${name}`])
  const url = new URL(server_url)
  url.pathname = `/${name}`
  const urls = await bootstrapPostgres(url.href, { owner_password: mark, app_password: `p'${mark}`, owner_role, app_role })
  const opened: Database[] = []
  const again = async (): Promise<Database> => {
    const database = await openDatabase(urls)
    opened.push(database)
    return database
  }
  return {
    database: await again(),
    again,
    urls: { url: urls.url, admin_url: url.href },
    async dispose() {
      await Promise.all(opened.map((database) => database.close()))
      await runAsAdmin(server_url, [`drop database ${name}`, `drop role ${owner_role}`, `drop role ${app_role}`])
    },
  }
}

/** Runs statements one after another as the server's superuser. */
export async function runAsAdmin(url: string, statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
