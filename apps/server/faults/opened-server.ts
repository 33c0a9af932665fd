import { loadConfig } from '@kit/server/config'
import type { Database } from '@kit/server/db'
import { bootServer } from '../boot.ts'
import { test_settings } from './client.ts'
import { processEnv } from './process-env.ts'

/** A server in the process of the test: for what does not end by a signal it is one as well, and far sooner there. */
export type OpenedServer = { url: string; database: Database; close(): Promise<void> }

/** Opens it on what another one has left, with the settings of the tests under these. */
export function openServer(settings: Record<string, string>): Promise<OpenedServer> {
  return openExactly({ ...test_settings, ...settings })
}

/** Opens it with these settings and no others. */
export async function openExactly(settings: Record<string, string>): Promise<OpenedServer> {
  const env = { ...processEnv(), ...settings }
  const running = await bootServer({ config: loadConfig(env), env })
  const url = await running.http.listen({ host: '127.0.0.1', port: 0 })
  return { url, database: running.database, close: () => running.close() }
}
