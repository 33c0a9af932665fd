import { loadConfig } from '@kit/server/config'
import { schoolMoment } from '@kit/terminal-protocol'
import { bootServer } from '../../boot.ts'
import type { Running } from '../../boot.ts'
import { TestClock } from '../../testing/clock.ts'
import { freshDatabase, test_settings } from '../../testing/database.ts'

const [noon_minute, minute_ms] = [720, 60_000]

/** A server of the tests on a fresh database; nothing is made yet. */
export type DemoServer = { running: Running; clock: TestClock; close(): Promise<void> }

/** Starts it, for a demo day. */
export async function startDemo(today = '2026-11-20'): Promise<DemoServer> {
  const own = await freshDatabase()
  const env = { ...test_settings, CAMPUS_PROFILE: 'demo', CAMPUS_DEMO_TODAY: today, ...own.settings }
  const clock = daytime()
  const running = await bootServer({ config: loadConfig(env), env, clock, ...(own.snapshot ? { snapshot: own.snapshot } : {}) })
  const close = async () => {
    await running.close()
    await own.drop()
  }
  return { running, clock, close }
}

/** No earlier than noon: by night the server works through the deletions of the demo, and what was made is not what stands there. */
function daytime(): TestClock {
  const clock = new TestClock()
  clock.advance(Math.max(noon_minute - schoolMoment(clock.now()).minute, 0) * minute_ms)
  return clock
}
