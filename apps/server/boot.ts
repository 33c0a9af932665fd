import { join } from 'node:path'
import { writeOperation } from '@campus/audit/server'
import { openGate } from '@campus/identity/server'
import { canDetect } from '@campus/faces/server'
import { isWorking } from '@campus/jobs/server'
import { alarmEvents, needOf } from '@kit/contract'
import { readBuild } from '@kit/server/config'
import type { Config } from '@kit/server/config'
import { keepStatistics, migrate, openDatabase, readMigrations } from '@kit/server/db'
import type { Database, Migration } from '@kit/server/db'
import { composeEvents } from '@kit/server/event'
import { listExportPort } from '@kit/server/excel'
import { openFiles } from '@kit/server/files'
import { createHttp, createMetrics, measureDatabase, meterPort } from '@kit/server/http'
import type { App, Boot, Clock, DomainServer, ReadyPart } from '@kit/server/http'
import { createLog } from '@kit/server/log'
import { composeChannels, openRealtime } from '@kit/server/realtime'
import { loadSecrets } from '@kit/server/secrets'
import type { FastifyInstance } from 'fastify'
import { scheduleBackups } from './backup/schedule.ts'
import { openConsole, serveFiles } from './console.ts'
import { domains as all_domains } from './domains.ts'
import { holdInstallation } from './installation.ts'
import { jobCounts } from './job-counts.ts'
import { composeSubApps, openMini } from './mini.ts'
import { refuseOutdated } from './rotation/rotation.ts'
import { keepMonths } from './months.ts'
import { missingMigrations, showMigrations } from './schema-state.ts'
import { offerSeeds } from './schools.ts'

export type BootOptions = {
  config: Config
  env: Record<string, string | undefined>
  clock?: Clock
  /** embedded engine: a migrated snapshot to start from */
  snapshot?: Uint8Array
  domains?: readonly DomainServer[]
  /** what is to be there before anything works in the background */
  prepare?: (boot: Boot) => Promise<void>
}
export type Running = Boot & {
  http: FastifyInstance
  /** opens the doors for devices and answers their addresses; the first is the plain port, or the outside broker's */
  openToDevices(): Promise<string[]>
  /** the same; answers the port of the first */
  listenToDevices(): Promise<number>
  /** stops listening and waits for the last requests; `close` then ends the rest */
  drain(): Promise<void>
  close(): Promise<void>
}

const root = join(import.meta.dirname, '../..')
const kit_migrations = join(root, 'kit/server/migrations')

/** All migrations of the composed domains. */
export function allMigrations(domains: readonly DomainServer[] = all_domains): Promise<Migration[]> {
  return readMigrations([kit_migrations, ...domains.flatMap(domain => domain.migrations ?? [])])
}

/** Opens the database of a configuration without touching it. */
export function openConfigured(config: Config, snapshot?: Uint8Array, on_error?: (error: Error) => void): Promise<Database> {
  const { DATABASE_URL: url, DATABASE_OWNER_URL: owner_url } = config
  if (url !== undefined) return openDatabase({ url, owner_url, pool_size: config.CAMPUS_POOL_SIZE, on_error })
  const data_dir = config.CAMPUS_DATA_DIR === 'memory://' ? 'memory://' : join(config.CAMPUS_DATA_DIR, 'db')
  return openDatabase({ data_dir, durable: config.CAMPUS_DURABLE, snapshot, on_error })
}

/** Brings the schema and the reference tables up to date. */
export async function install(boot: Boot, domains: readonly DomainServer[] = all_domains): Promise<string[]> {
  const { applied } = await migrate(boot.database, await allMigrations(domains))
  await showMigrations(boot.database)
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
  const codes = new Set([...needs, ...domains.flatMap(domain => domain.codes ?? [])])
  const scratch = config.CAMPUS_DATA_DIR === 'memory://' ? join('.tmp', String(process.pid)) : config.CAMPUS_DATA_DIR
  return {
    config,
    secrets: loadSecrets(config, env),
    log: createLog(config.CAMPUS_LOG_LEVEL),
    clock: options.clock ?? { now: () => new Date() },
    files: await openFiles(scratch),
    facts: domains.flatMap(domain => domain.facts ?? []),
    calls,
    consumers: composeEvents([...Object.values(alarmEvents), ...domains.flatMap(domain => domain.events ?? [])], domains.flatMap(domain => domain.consumers ?? [])),
    codes,
    channels: composeChannels(domains.flatMap(domain => domain.channels ?? []), codes),
  }
}

/**
 * Opens database and domains and builds the HTTP server; nothing listens yet.
 * @throws Error in one clear line when the directory is in use, a setting is unsafe or migrations are missing
 */
export async function bootServer(options: BootOptions): Promise<Running> {
  const { config, domains = all_domains } = options
  const app = await makeApp(options)
  const metrics = createMetrics()
  const lost = (error: Error) => app.log.warn({ err: error }, 'a database session was lost')
  const database = measureDatabase(await openConfigured(config, options.snapshot, lost), metrics)
  const boot: Boot = { app, database }
  await bringUp(boot, domains)
  await refuseOutdated(boot)
  await holdInstallation(boot)
  for (const domain of domains) domain.compose?.(boot)
  for (const { list } of domains.flatMap(domain => domain.routes)) if (list) listExportPort.fill(app, list)
  composeSubApps(app)
  offerSeeds(app, domains)
  meterPort.fill(app, jobCounts(database))
  const endBackup = await scheduleBackups(boot, options.env)
  const build = readBuild(root)
  const pages = await openConsole(config, build)
  const mini = await openMini(boot)
  const ready = await readyParts(boot, domains)
  const server = await createHttp({ app, database, domains, gate: openGate(boot), write_operation: writeOperation, metrics, ready, build, fallback: (request, reply, wait) => mini.answer(request, reply, wait) ?? pages.answer(request, reply) })
  const { http } = server
  const realtime = await openRealtime(boot, http.server)
  await serveFiles(http, pages)
  await mini.serve(http)
  await options.prepare?.(boot)
  const stops: (() => Promise<void>)[] = [keepStatistics(database, error => app.log.warn({ err: error }, 'statistics were not gathered'))]
  stops.push(await keepMonths(boot, domains))
  for (const domain of domains) if (domain.start) stops.push(await domain.start(boot))
  stops.push(endBackup)
  const drain = () => {
    realtime.leave()
    return server.drain()
  }
  const close = async () => {
    await realtime.close()
    await http.close()
    for (const stop of stops.toReversed()) await stop()
    await database.close()
  }
  return { ...boot, http, openToDevices: realtime.listen, listenToDevices: async () => Number(new URL((await realtime.listen())[0] ?? '').port), drain, close }
}

async function readyParts({ app, database }: Boot, domains: readonly DomainServer[]): Promise<ReadyPart[]> {
  const migrations = await allMigrations(domains)
  return [
    { name: 'migrations', check: async () => (await missingMigrations(database, migrations)).length === 0 },
    { name: 'worker', check: async () => isWorking(app) },
    { name: 'face_detector', is_optional: true, check: async () => canDetect(app) },
  ]
}

/** The embedded engine migrates itself; a real server is migrated here only when the owner's address is known. */
async function bringUp(boot: Boot, domains: readonly DomainServer[]): Promise<void> {
  const { config } = boot.app
  if (config.DATABASE_URL === undefined || config.DATABASE_OWNER_URL !== undefined) {
    await install(boot, domains)
    return
  }
  const missing = await missingMigrations(boot.database, await allMigrations(domains))
  if (missing.length > 0) throw new Error(`${missing.length} migrations are missing: run "npm run cli -- migrate up" with DATABASE_OWNER_URL`)
}
