import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The general tool that the list is measured beside, installed on demand outside of this project. */
const version = '11.3.5'
const folder = join(tmpdir(), `campus-peer-directus-${version}`)
const cli = join(folder, 'node_modules/directus/cli.js')

/** What the peer is started with. */
export type Peer = { file: string; settings: Record<string, string>; token: string }

/**
 * Installs the peer once a machine and prepares its own tables in a database. Scripts of its packages do not run: the only one that would have to
 * be compiled serves flows written in JavaScript, which no list uses; it is left empty.
 * @throws Error when it cannot be installed
 */
export function preparePeer(database_url: string): Peer {
  const token = 'peer-of-the-bench'
  const settings = {
    DB_CLIENT: 'pg', DB_CONNECTION_STRING: database_url, SECRET: token, ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: token, ADMIN_TOKEN: token, HOST: '127.0.0.1',
    TELEMETRY: 'false', LOG_LEVEL: 'error', RATE_LIMITER_ENABLED: 'false', CACHE_ENABLED: 'false', QUERY_LIMIT_DEFAULT: '20', WEBSOCKETS_ENABLED: 'false', PRESSURE_LIMITER_ENABLED: 'false',
    STORAGE_LOCAL_ROOT: join(folder, 'uploads'), EXTENSIONS_PATH: join(folder, 'extensions'), DB_POOL__MAX: '10',
  }
  if (!existsSync(cli)) install()
  run(process.execPath, [cli, 'bootstrap'], settings)
  return { file: cli, settings, token }
}

function install(): void {
  mkdirSync(folder, { recursive: true })
  run('npm', ['i', '--prefix', folder, `directus@${version}`, '--ignore-scripts', '--no-audit', '--no-fund'], {})
  writeFileSync(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {}\n')
}

function run(command: string, args: readonly string[], settings: Record<string, string>): void {
  const done = spawnSync(command, args, { cwd: folder, env: { ...process.env, ...settings }, encoding: 'utf8' })
  if (done.status !== 0) throw new Error(`the peer: ${command} ${args.join(' ')} failed: ${done.error?.message ?? `${done.stdout}${done.stderr}`.slice(-2000)}`)
}
