import { join } from 'node:path'
import { writeOperation } from '@campus/audit/server'
import { openGate } from '@campus/identity/server'
import { needOf } from '@kit/contract'
import type { Config } from '@kit/server/config'
import { migrate, migrationStatus, openDatabase, readMigrations } from '@kit/server/db'
import type { Database, Migration } from '@kit/server/db'
import { openFiles } from '@kit/server/files'
import { createHttp } from '@kit/server/http'
import type { App, Boot, Clock, DomainServer } from '@kit/server/http'
import { createLog } from '@kit/server/log'
import { loadSecrets } from '@kit/server/secrets'
import type { FastifyInstance } from 'fastify'
import { openConsole, serveFiles } from './console.ts'
import { domains as all_domains } from './domains.ts'

export type BootOptions = {
  config: Config
  env: Record<string, string | undefined>
  clock?: Clock
  /** embedded engine: a migrated snapshot to start from */
  snapshot?: Uint8Array
  domains?: readonly DomainServer[]
}
export type Running = Boot & { http: FastifyInstance; close(): Promise<void> }

const kit_migrations = join(import.meta.dirname, '../../kit/server/migrations')

/** All migrations of the composed domains. */
export function allMigrations(domains: readonly DomainServer[] = all_domains): Promise<Migration[]> {
  return readMigrations([kit_migrations, ...domains.map(domain => domain.migrations)])
}

/** Opens the database of a configuration without touching it. */
export function openConfigured(config: Config, snapshot?: Uint8Array): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner_url } = config
  if (url !== undefined) return openDatabase({ url, owner_url, pool_size: config.CAMPUS_POOL_SIZE })
  const data_dir = config.CAMPUS_DATA_DIR === 'memory://' ? 'memory://' : join(config.CAMPUS_DATA_DIR, 'db')
  return openDatabase({ data_dir, durable: config.CAMPUS_DURABLE, snapshot })
}

/** Brings the schema and the reference tables up to date. */
export async function install(boot: Boot, domains: readonly DomainServer[] = all_domains): Promise<string[]> {
  const { applied } = await migrate(boot.database, await allMigrations(domains))
  for (const { install: step } of domains) {
    if (step) await boot.database.tenant<unknown, void>(0, db => step(db, boot.app))
  }
  return applied
}

/** The app object: everything a server shares, without a database handle. */
export async function makeApp(options: BootOptions): Promise<App> {
  const { config, env, domains = all_domains } = options
  const calls = domains.flatMap(domain => domain.routes).map(route => route.call)
  const needs = calls.flatMap(call => needOf(call) ?? [])
  const scratch = config.CAMPUS_DATA_DIR === 'memory://' ? join('.tmp', String(process.pid)) : config.CAMPUS_DATA_DIR
  return {
    config,
    secrets: loadSecrets(config, env),
    log: createLog(config.CAMPUS_LOG_LEVEL),
    clock: options.clock ?? { now: () => new Date() },
    files: await openFiles(scratch),
    facts: domains.flatMap(domain => domain.facts ?? []),
    calls,
    codes: new Set([...needs, ...domains.flatMap(domain => domain.codes ?? [])]),
  }
}

/**
 * Opens database and domains and builds the HTTP server; nothing listens yet.
 * @throws Error in one clear line when the directory is in use, a setting is unsafe or migrations are missing
 */
export async function bootServer(options: BootOptions): Promise<Running> {
  const { config, domains = all_domains } = options
  const app = await makeApp(options)
  const database = await openConfigured(config, options.snapshot)
  const boot: Boot = { app, database }
  await bringUp(boot, domains)
  for (const domain of domains) domain.compose?.(boot)
  const pages = await openConsole(config)
  const http = await createHttp({ app, database, domains, gate: openGate(boot), write_operation: writeOperation, fallback: pages.answer })
  await serveFiles(http, pages)
  const stops: (() => Promise<void>)[] = []
  for (const domain of domains) if (domain.start) stops.push(await domain.start(boot))
  const close = async () => {
    await http.close()
    for (const stop of stops.toReversed()) await stop()
    await database.close()
  }
  return { ...boot, http, close }
}

/** The embedded engine migrates itself; a real server is migrated here only when the owner's address is known. */
async function bringUp(boot: Boot, domains: readonly DomainServer[]): Promise<void> {
  const { config } = boot.app
  if (config.DATABASE_URL === undefined || config.DATABASE_OWNER_URL !== undefined) {
    await install(boot, domains)
    return
  }
  const status = await migrationStatus(boot.database, await allMigrations(domains))
  const missing = status.filter(row => row.applied_at === null)
  if (missing.length > 0) throw new Error(`${missing.length} migrations are missing: run "npm run cli -- migrate up" with DATABASE_OWNER_URL`)
}
