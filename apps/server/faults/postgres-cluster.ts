import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bootstrapPostgres } from '@kit/server/db'
import pg from 'pg'

const installed_under = '/usr/lib/postgresql'
const start_ms = 60_000
const passwords = { owner_password: 'owner-of-tests', app_password: 'app-of-tests' }

/** A PostgreSQL server of one test, with real syncs, that may be killed and started again on its port and directory. */
export type FaultyPostgres = {
  /** DATABASE_URL and DATABASE_OWNER_URL */
  settings: Record<string, string>
  /** kill -9 of the postmaster, or an immediate stop; resolves when nothing of it runs any more */
  crash(how: 'SIGKILL' | 'SIGQUIT'): Promise<void>
  /** resolves when it takes connections */
  start(): Promise<void>
  remove(): Promise<void>
}

/** Makes the cluster with both roles in its own temporary directory. @throws Error in one line when PostgreSQL is not installed */
export async function makePostgres(): Promise<FaultyPostgres> {
  const bin = findBinaries()
  const home = mkdtempSync(join(tmpdir(), 'campus-fault-pg-'))
  const owner = unprivileged()
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(home, owner.uid, owner.gid)
  const data = join(home, 'data')
  const made = spawnSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth', 'trust', '-E', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'], { ...owner, cwd: home, encoding: 'utf8' })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const admin_url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let server: ChildProcess | undefined
  const attempt = async () => {
    server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${home}`], { ...owner, cwd: home, stdio: 'ignore' })
    return untilReady(admin_url, server)
  }
  const start = async () => {
    for (let tries = 0; tries < 20; tries += 1) if (await attempt()) return
    throw new Error('PostgreSQL did not start')
  }
  const crash = async (how: NodeJS.Signals) => {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    server.kill(how)
    await gone
  }
  await start()
  const { url, owner_url } = await bootstrapPostgres(admin_url, passwords)
  const remove = async () => {
    await crash('SIGINT')
    rmSync(home, { recursive: true, force: true })
  }
  return { settings: { DATABASE_URL: url, DATABASE_OWNER_URL: owner_url }, crash, start, remove }
}

function findBinaries(): string {
  const versions = existsSync(installed_under) ? readdirSync(installed_under).map(Number).filter(version => version >= 15) : []
  const found = versions.toSorted((a, b) => b - a).map(version => join(installed_under, String(version), 'bin')).find(bin => existsSync(join(bin, 'initdb')))
  if (found === undefined) throw new Error('This test needs PostgreSQL 15 or later: run `sudo apt-get install -y postgresql`, then again.')
  return found
}

/** PostgreSQL refuses to run as root: then it runs as the package's own user. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const read = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout)
  return { uid: read('-u'), gid: read('-g') }
}

/** False when the server ended instead: after kill -9 its children hold the old memory for a moment, and it refuses to start beside them. */
async function untilReady(url: string, server: ChildProcess): Promise<boolean> {
  const deadline = Date.now() + start_ms
  while (Date.now() < deadline && server.exitCode === null) {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    const is_up = await client.connect().then(() => true, () => false)
    await client.end().catch(() => {})
    if (is_up) return true
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return false
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}
