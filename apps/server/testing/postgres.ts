import { randomUUID } from 'node:crypto'
import { bootstrapPostgres } from '@kit/server/db'
import pg from 'pg'

/** A database of a PostgreSQL server of tests: the settings that name it, and how to drop it. */
export type OwnDatabase = { settings: { DATABASE_URL: string; DATABASE_OWNER_URL: string }; drop(): Promise<void> }
type Run = (statement: string) => Promise<number>

const passwords = { owner_password: 'owner-of-tests', app_password: 'app-of-tests' }
/** Held while a template is made or copied: a copy fails when somebody else looks at the same template in that moment. */
export const template_lock = 20261120

/** A name that no other test has. */
export function databaseName(): string {
  return `campus_${randomUUID().replaceAll('-', '')}`
}

/** Makes an empty database with both roles. `admin_url` is a superuser's. */
export async function makeDatabase(admin_url: string, name: string): Promise<OwnDatabase> {
  await asAdmin(admin_url, run => run(`create database ${name}`))
  const url = new URL(admin_url)
  url.pathname = `/${name}`
  await bootstrapPostgres(url.href, passwords)
  return ownDatabase(admin_url, name)
}

/** Makes a database as a copy of a template to which nobody is connected. */
export async function copyDatabase(admin_url: string, name: string, template: string): Promise<OwnDatabase> {
  await asAdmin(admin_url, async run => {
    await run(`select pg_advisory_lock(${template_lock})`)
    // By files, not by blocks through the log: half the processor time.
    await run(`create database ${name} template ${template} strategy file_copy`)
  })
  return ownDatabase(admin_url, name)
}

/** Runs statements as the superuser over one connection. `run` answers the number of rows. */
export async function asAdmin(admin_url: string, work: (run: Run) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: admin_url })
  await client.connect()
  try {
    await work(async statement => (await client.query(statement)).rowCount ?? 0)
  } finally {
    await client.end()
  }
}

/** How to reach a database that is there. */
export function ownDatabase(admin_url: string, name: string): OwnDatabase {
  const as = (user: string, password: string) => {
    const url = new URL(admin_url)
    url.username = user
    url.password = password
    url.pathname = `/${name}`
    return url.href
  }
  const settings = { DATABASE_URL: as('campus_app', passwords.app_password), DATABASE_OWNER_URL: as('campus_owner', passwords.owner_password) }
  return { settings, drop: () => asAdmin(admin_url, run => run(`drop database if exists ${name} with (force)`)) }
}
