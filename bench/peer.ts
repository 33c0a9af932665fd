import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installOnDemand, runIn } from './on-demand.ts'

/** The general tool that the list is measured beside. */
const version = '11.3.5'

/** What the peer is started with. */
export type Peer = { file: string; settings: Record<string, string>; token: string }

/**
 * Installs the peer once a machine and prepares its own tables in a database. The only package of its that would have to be compiled serves
 * flows written in JavaScript, which no list uses; it is left empty.
 * @throws Error when it cannot be installed
 */
export async function preparePeer(database_url: string): Promise<Peer> {
  const { folder, is_new } = await installOnDemand(`directus@${version}`)
  if (is_new) writeFileSync(join(folder, 'node_modules/isolated-vm/isolated-vm.js'), 'module.exports = {}\n')
  const token = 'peer-of-the-bench'
  const settings = {
    DB_CLIENT: 'pg', DB_CONNECTION_STRING: database_url, SECRET: token, ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: token, ADMIN_TOKEN: token, HOST: '127.0.0.1',
    TELEMETRY: 'false', LOG_LEVEL: 'error', RATE_LIMITER_ENABLED: 'false', CACHE_ENABLED: 'false', QUERY_LIMIT_DEFAULT: '20', WEBSOCKETS_ENABLED: 'false', PRESSURE_LIMITER_ENABLED: 'false',
    STORAGE_LOCAL_ROOT: join(folder, 'uploads'), EXTENSIONS_PATH: join(folder, 'extensions'), DB_POOL__MAX: '10',
  }
  const file = join(folder, 'node_modules/directus/cli.js')
  await runIn(folder, process.execPath, [file, 'bootstrap'], settings)
  return { file, settings, token }
}
