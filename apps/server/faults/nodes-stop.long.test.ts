import { randomInt } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captchaPath, preferencePath } from './known-paths.ts'
import type { ServerProcess } from './server-process.ts'
import { startLoad } from './steady-load.ts'
import type { Seen, Target } from './steady-load.ts'
import { prepareNodes } from './two-nodes.ts'
import type { Nodes } from './two-nodes.ts'

const patience_ms = 240_000
const stops = 20
const callers = 4
/** So often each of them asks before the first signal, and again after the last end. */
const rounds_of_a_caller = 5
/** As long as a call takes, so that a signal meets both, calls under way and connections that wait for one. */
const rest_ms = 25
/** Somewhere in the work of a server. */
const any_moment_ms = 50
const targets: readonly Target[] = [
  { method: 'GET', path: preferencePath },
  { method: 'POST', path: preferencePath.split('?')[0] ?? '', body: JSON.stringify({ pref_key: 'quick_navs', value: ['/ParentsRecord'] }) },
  { method: 'GET', path: captchaPath },
]

let nodes: Nodes
beforeAll(async () => {
  nodes = await prepareNodes([])
}, patience_ms)
afterAll(() => nodes?.close())

/** Stops all of them while callers ask, each at a moment of its own; what the callers saw from before the first signal until after the last end. */
async function stopUnderLoad(old: readonly ServerProcess[], codes: (number | null)[]): Promise<Seen[]> {
  const load = startLoad(nodes.nginx.url, nodes.school.token, targets, callers, rest_ms)
  const untilMore = async () => {
    const enough = load.seen.length + callers * rounds_of_a_caller
    await expect.poll(() => load.seen.length, { interval: 10 }).toBeGreaterThan(enough)
  }
  await untilMore()
  for (const server of old) {
    await new Promise(resolve => setTimeout(resolve, randomInt(0, any_moment_ms)))
    server.signal('SIGTERM')
  }
  for (const server of old) codes.push((await server.ended).code)
  await untilMore()
  return load.stop()
}

test('behind nginx SIGTERM under load, twenty times on one server after the other, breaks no request', async () => {
  let alive = await Promise.all([nodes.start(0), nodes.start(1)])
  const all: Seen[] = []
  const codes: (number | null)[] = []
  for (let time = 0; time < stops; time += 2) {
    // Nobody calls while the next ones start: what breaks, breaks around a signal.
    const fresh = await Promise.all([nodes.start(time + 2), nodes.start(time + 3)])
    all.push(...(await stopUnderLoad(alive, codes)))
    alive = fresh
  }
  process.stdout.write(`${all.length} requests through nginx while ${stops} servers were stopped\n`)
  expect(all.filter(one => one.status !== 200), nodes.nginx.said()).toEqual([])
  expect(codes).toEqual(Array.from({ length: stops }, () => 0))
}, patience_ms)
