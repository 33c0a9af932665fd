import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const oldest_postgres = 15
const installed_under = '/usr/lib/postgresql'
const start_attempts = 600
const attempt_ms = 100

/** A running private cluster: `url` is a superuser's, `pid` the postmaster's, `stop` ends the server and deletes its directory. */
export type Cluster = { url: string; pid: number | undefined; stop: () => Promise<void> }
type Owner = { uid?: number; gid?: number }

/** Folder of the newest PostgreSQL (15 or later) binaries; undefined when there is none. */
export function findPostgres(): string | undefined {
  if (!existsSync(installed_under)) return undefined
  const versions = readdirSync(installed_under).map(Number).filter(v => v >= oldest_postgres).toSorted((a, b) => b - a)
  return versions.map(v => join(installed_under, String(v), 'bin')).find(bin => existsSync(join(bin, 'initdb')))
}

/**
 * Starts a PostgreSQL of our own in a temporary directory on a free port of 127.0.0.1, without fsync: it lives as long as
 * one test run. Throws when PostgreSQL is missing or does not start.
 */
export async function startCluster(): Promise<Cluster> {
  const bin = findPostgres()
  if (bin === undefined) throw new Error(`No PostgreSQL ${oldest_postgres} or later under ${installed_under}.`)
  const owner = clusterOwner()
  const home = mkdtempSync(join(tmpdir(), 'campus-pg-'))
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(home, owner.uid, owner.gid)
  const password = randomBytes(16).toString('hex')
  initialise(bin, home, password, owner)
  const port = await freePort()
  const server = startServer(bin, home, port, owner)
  const cluster = handleOf(server, home, `postgres://postgres:${password}@127.0.0.1:${port}/postgres`)
  try {
    await waitUntilReady(server, home)
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

/** PostgreSQL refuses to run as root: then it runs as the package's own user. */
function clusterOwner(): Owner {
  if (process.getuid?.() !== 0) return {}
  const read = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim())
  const owner = { uid: read('-u'), gid: read('-g') }
  if (!(owner.uid > 0)) throw new Error('This machine has no user `postgres` to run the test database as.')
  return owner
}

function initialise(bin: string, home: string, password: string, owner: Owner): void {
  const secret = join(home, 'password')
  writeFileSync(secret, `${password}\n`)
  const options = ['-D', join(home, 'data'), '-U', 'postgres', '--pwfile', secret, '--auth', 'scram-sha-256', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync']
  const run = spawnSync(join(bin, 'initdb'), options, { ...owner, cwd: home, encoding: 'utf8' })
  if (run.status === 0) return
  rmSync(home, { recursive: true, force: true })
  throw new Error(`initdb failed: ${run.error?.message ?? run.stderr}`)
}

function startServer(bin: string, home: string, port: number, owner: Owner): ChildProcess {
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: home, fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const log = openSync(join(home, 'log'), 'a')
  return spawn(join(bin, 'postgres'), ['-D', join(home, 'data'), '-p', String(port), ...options], { ...owner, cwd: home, stdio: ['ignore', log, log] })
}

function handleOf(server: ChildProcess, home: string, url: string): Cluster {
  const stop = async () => {
    const has_ended = server.exitCode !== null || server.signalCode !== null
    const ended = has_ended ? undefined : once(server, 'exit')
    // SIGINT is PostgreSQL's fast shutdown: sessions are cut, files are closed.
    server.kill('SIGINT')
    await ended
    rmSync(home, { recursive: true, force: true })
  }
  return { url, pid: server.pid, stop }
}

/** The server writes its state into the eighth line of postmaster.pid. */
async function waitUntilReady(server: ChildProcess, home: string): Promise<void> {
  const file = join(home, 'data', 'postmaster.pid')
  for (let attempt = 0; attempt < start_attempts; attempt++) {
    if (server.exitCode !== null) break
    if (existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready') return
    await sleep(attempt_ms)
  }
  throw new Error(`PostgreSQL did not start: ${readFileSync(join(home, 'log'), 'utf8')}`)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port.')
  return address.port
}
