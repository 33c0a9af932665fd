import { isWorking } from '@campus/jobs/server'
import { loadConfig } from '@kit/server/config'
import type { Boot } from '@kit/server/http'
import { expect, test } from 'vitest'
import { bootServer } from './boot.ts'
import { freshDatabase, test_settings } from './testing/database.ts'

test('what is prepared at the start is there before anything works in the background', async () => {
  const own = await freshDatabase()
  const env = { ...test_settings, ...own.settings }
  const options = { config: loadConfig(env), env, ...(own.snapshot ? { snapshot: own.snapshot } : {}) }
  const seen: boolean[] = []
  const prepare = async ({ app }: Boot) => void seen.push(isWorking(app))
  const running = await bootServer({ ...options, prepare })
  expect([...seen, isWorking(running.app)]).toEqual([false, true])
  await running.close()
  await own.drop()
})
