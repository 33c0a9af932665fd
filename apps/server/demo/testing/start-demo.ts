import { loadConfig } from '@kit/server/config'
import { bootServer } from '../../boot.ts'
import type { Running } from '../../boot.ts'
import { freshDatabase, test_settings } from '../../testing/database.ts'

/** A server of the tests on a fresh database; nothing is made yet. */
export type DemoServer = { running: Running; close(): Promise<void> }

/** Starts it, for a demo day. */
export async function startDemo(today = '2026-11-20'): Promise<DemoServer> {
  const own = await freshDatabase()
  const env = { ...test_settings, CAMPUS_PROFILE: 'demo', CAMPUS_DEMO_TODAY: today, ...own.settings }
  const running = await bootServer({ config: loadConfig(env), env, ...(own.snapshot ? { snapshot: own.snapshot } : {}) })
  const close = async () => {
    await running.close()
    await own.drop()
  }
  return { running, close }
}
