import { randomInt } from 'node:crypto'
import { captchaPath, preferencePath } from './known-paths.ts'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSchool } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { startLoad } from './steady-load.ts'
import type { Seen, Target } from './steady-load.ts'

const patience_ms = 400_000
const stop_ms = 30_000
const callers = 10
const lanes = 2
const stops_per_lane = 10
const targets: readonly Target[] = [
  { method: 'GET', path: preferencePath },
  { method: 'POST', path: preferencePath.split('?')[0] ?? '', body: JSON.stringify({ pref_key: 'quick_navs', value: ['/ParentsRecord'] }) },
  { method: 'GET', path: captchaPath },
]

let base: Prepared
let folder: string
const started = new Set<ServerProcess>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-stop-'))
  base = await prepareSchool()
}, patience_ms)

afterAll(async () => {
  for (const server of started) await endServer(server)
  await base?.remove()
  await rm(folder, { recursive: true, force: true })
})

/** One server under load, stopped at a random moment. */
async function stopOnce(settings: Record<string, string>): Promise<{ seen: Seen[]; signalled_at: number; took_ms: number; code: number | null }> {
  const server = await startServer(settings)
  started.add(server)
  const { seen, stop } = startLoad(server.url, base.token, targets, callers)
  await expect.poll(() => seen.length, { timeout: 20_000, interval: 10 }).toBeGreaterThan(callers * 4)
  await new Promise(resolve => setTimeout(resolve, randomInt(0, 100)))
  const signalled_at = performance.now()
  server.signal('SIGTERM')
  const { code } = await server.ended
  const took_ms = performance.now() - signalled_at
  return { seen: await stop(), signalled_at, took_ms, code }
}

/** Not wholly answered, although it was sent before the signal or on a connection that the server had kept. */
function broken({ seen, signalled_at }: { seen: Seen[]; signalled_at: number }): Seen[] {
  return seen.filter(one => one.status === null && (one.sent_at < signalled_at || !one.is_fresh))
}

test('SIGTERM under load, twenty times: every request is answered whole, the process ends with 0', async () => {
  const lane = async (number: number) => {
    const settings = { ...base.settings, CAMPUS_DATA_DIR: join(folder, `lane-${number}`) }
    await cp(base.settings.CAMPUS_DATA_DIR ?? '', settings.CAMPUS_DATA_DIR, { recursive: true })
    for (let time = 0; time < stops_per_lane; time += 1) {
      const result = await stopOnce(settings)
      const late = result.seen.filter(one => one.sent_at >= result.signalled_at)
      process.stdout.write(`stop ${number}.${time}: ${result.seen.length} requests, ${late.length} after the signal, ${late.filter(one => one.error === 'ECONNRESET').length} new connections reset by the closing listener, ended after ${Math.round(result.took_ms)} ms\n`)
      expect(broken(result)).toEqual([])
      expect(result.seen.filter(one => one.status !== null && one.status !== 200 && one.status !== 503)).toEqual([])
      expect(late.filter(one => one.status === 503 && one.connection !== 'close')).toEqual([])
      for (const one of result.seen.filter(answered => answered.status !== null)) expect(JSON.parse(one.body)).toHaveProperty('code')
      expect(result.code).toBe(0)
      expect(result.took_ms).toBeLessThan(stop_ms)
    }
  }
  // Every lane to its end, so that none starts a server after the test.
  const ends = await Promise.allSettled(Array.from({ length: lanes }, (_, number) => lane(number)))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}, patience_ms)
