import { randomInt } from 'node:crypto'
import { captchaPath, preferencePath } from './known-paths.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareSchool } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { startLoad } from './steady-load.ts'
import type { Seen, Target } from './steady-load.ts'

const patience_ms = 240_000
const stop_ms = 30_000
const callers = 10
/** Twenty stand in nodes.test.ts, behind nginx as in life. */
const stops = 2
const targets: readonly Target[] = [
  { method: 'GET', path: preferencePath },
  { method: 'POST', path: preferencePath.split('?')[0] ?? '', body: JSON.stringify({ pref_key: 'quick_navs', value: ['/ParentsRecord'] }) },
  { method: 'GET', path: captchaPath },
]

let base: Prepared
const started = new Set<ServerProcess>()

beforeAll(async () => {
  base = await prepareSchool()
}, patience_ms)

afterAll(async () => {
  for (const server of started) await endServer(server)
  await base?.remove()
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

test('SIGTERM under load without a proxy: every request is answered whole, the process ends with 0', async () => {
  for (let time = 0; time < stops; time += 1) {
    const result = await stopOnce(base.settings)
    const late = result.seen.filter(one => one.sent_at >= result.signalled_at)
    process.stdout.write(`stop ${time}: ${result.seen.length} requests, ${late.length} after the signal, ${late.filter(one => one.error === 'ECONNRESET').length} new connections reset by the closing listener, ended after ${Math.round(result.took_ms)} ms\n`)
    expect(broken(result)).toEqual([])
    expect(result.seen.filter(one => one.status !== null && one.status !== 200 && one.status !== 503)).toEqual([])
    expect(late.filter(one => one.status === 503 && one.connection !== 'close')).toEqual([])
    for (const one of result.seen.filter(answered => answered.status !== null)) expect(JSON.parse(one.body)).toHaveProperty('code')
    expect(result.code).toBe(0)
    expect(result.took_ms).toBeLessThan(stop_ms)
  }
}, patience_ms)
