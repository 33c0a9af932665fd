import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { runCli, runHere } from './cli-process.ts'
import { openExactly } from './opened-server.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

// docs/operators.md, the first ten minutes and the restore drill, typed as they stand there.
const patience_ms = 240_000

let root: string
let postgres: FaultyPostgres
let server: ServerProcess | undefined
let prod: Record<string, string>

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'campus-first-'))
  prod = { CAMPUS_ENV: 'prod', CAMPUS_PORT: '0', CAMPUS_MQTT_PORT: '0', CAMPUS_DURABLE: '0', CAMPUS_LOG_LEVEL: 'error', CAMPUS_DATA_DIR: join(root, 'data'), CAMPUS_SECRETS_FILE: join(root, 'etc/secrets.json') }
  postgres = await makePostgres()
}, patience_ms)
afterAll(async () => {
  await endServer(server)
  await postgres?.remove()
  await rm(root, { recursive: true, force: true })
})

/** The secrets of the file as variables: the tests' own stand there otherwise. */
async function ownSecrets(): Promise<Record<string, string>> {
  const stored = z.record(z.string(), z.string()).parse(JSON.parse(await readFile(prod.CAMPUS_SECRETS_FILE ?? '', 'utf8')))
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => [`CAMPUS_SECRET_${name.toUpperCase()}`, value]))
}

/** Whether a server opens on it and is ready. */
async function serves(settings: Record<string, string>): Promise<void> {
  const opened = await openExactly(settings)
  await ready(opened.url).finally(() => opened.close())
}

async function ready(url: string): Promise<void> {
  // Without a kept connection, which the stop that follows would wait for.
  expect((await fetch(`${url}/readyz`, { headers: { connection: 'close' } })).status).toBe(200)
}

describe('an administrator’s first steps', () => {
  test('secrets, schema, school, administrator, server; a command for the embedded database waits for nobody: it says that the server holds it', async () => {
    expect(await runCli(['make-secrets', prod.CAMPUS_SECRETS_FILE ?? ''], prod)).toContain('keep a copy in a safe place')
    expect((await stat(prod.CAMPUS_SECRETS_FILE ?? '')).mode & 0o777).toBe(0o600)
    expect(await runHere(['check-config'], prod)).toContain('environment: prod')
    expect(await runHere(['migrate', 'up'], prod)).toContain('applied:')
    expect(await runHere(['create-school', '2001', '第一小学'], prod)).toContain('/2001')
    expect(await runHere(['create-admin', 'superadmin', '管理员'], prod)).toMatch(/password .*: \S{14}\n/)
    server = await startServer({ ...prod, ...(await ownSecrets()) })
    await ready(server.url)
    await expect(runCli(['reset-admin-password', 'superadmin'], prod)).rejects.toThrow(`is in use by process ${server.pid}`)
    server.signal('SIGTERM')
    expect((await server.ended).code).toBe(0)
  }, patience_ms)

  test('a backup and the drill: restored into a new directory, which proves it, it serves', async () => {
    const folder = join(root, 'backup')
    expect(await runHere(['backup', folder], prod)).toContain('1 schools')
    const drill = { ...prod, CAMPUS_DATA_DIR: join(root, 'drill') }
    expect(await runHere(['restore', folder], drill)).toContain('every table equals the backup')
    await serves(drill)
  }, patience_ms)

  test('moved to PostgreSQL it serves without the owner’s address, and a backup needs none either', async () => {
    const both = { ...prod, ...postgres.settings }
    expect(await runHere(['move-to-postgres'], both)).toContain('every table equals the source')
    const { DATABASE_OWNER_URL: _owner, ...app_only } = both
    await serves(app_only)
    expect(await runHere(['create-school', '2002', '第二小学'], app_only)).toContain('/2002')
    expect(await runHere(['create-admin', 'admin2'], app_only)).toContain('account: admin2')
    const folder = join(root, 'backup-postgres')
    await runHere(['backup', folder], app_only)
    expect(await runHere(['restore', '--verify', folder], app_only)).toContain('every table equals the backup')
    expect(await runHere(['reset-admin-password', 'superadmin'], app_only)).toContain('account: superadmin')
  }, patience_ms)
})
