import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { JdevTerminal } from '@apps/terminal'
import { sql } from 'kysely'
import { countCpu } from '../cpu.ts'
import { atLeast, atMost, megabytes, milliseconds, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { admit, count, makeGates, onlineGates, tellPasses, until } from '../gates.ts'
import { percentile, timed } from '../measure.ts'
import { residentOf } from '../product.ts'
import { install } from '../school.ts'

const school_id = 1001
const fleet = join(import.meta.dirname, '../../apps/terminal/main.ts')
const [passes_a_second, probes, pause_ms, patience_ms] = [500, 5, 200, 300_000]

/** Five hundred terminals at once. */
export const deviceFleet: Figure = {
  name: 'device-fleet',
  title: 'Five hundred terminals that tell',
  how: 'PostgreSQL, the broker of the server in the process that measures, 500 virtual terminals in one of their own: connected from nothing, then 500 passes a second between them for five minutes, each stored. Five further terminals in the process that measures tell one pass each again and again: the time until it is acknowledged. The terminals’ process is counted while they tell.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const { app } = await install('postgres', bench)
  const [wanted, over_s] = bench.quick ? [50, 5] : [500, 300]
  const { gates, place_id } = await makeGates(app, wanted + probes)
  const url = `mqtt://127.0.0.1:${await app.running.listenToDevices()}`
  const before = process.memoryUsage.rss()
  const child = spawn(process.execPath, [fleet], { stdio: ['pipe', 'ignore', 'inherit'] })
  const here_ms = await timed(async () => {
    child.stdin.write(`${JSON.stringify({ url, prefix: 'jdev', folder: null, pulse: passes_a_second * 60, terminals: gates.slice(probes) })}\n`)
    await until('all are online', async () => (await onlineGates(app)) === wanted, patience_ms)
  })
  // People pass where somebody is known.
  await admit(app, place_id, 1)
  await until('all know somebody', async () => (await count(app, sql`select count(distinct device_id)::int as n from sync_row where school_id = ${school_id} and kind = 'credential' and state = 'applied'`)) >= wanted, patience_ms)
  const terminals = gates.slice(0, probes).map(gate => new JdevTerminal({ url, ...gate }))
  await Promise.all(terminals.map(terminal => terminal.start()))
  await sleep(pause_ms)
  const stored = () => count(app, sql`select count(*)::int as n from pass_event where school_id = ${school_id}`)
  const spent = await countCpu(bench, child)
  const [first, begun] = [await stored(), performance.now()]
  const waits = (await Promise.all(terminals.map(terminal => tellPasses(terminal, over_s * 1000, pause_ms)))).flat()
  const lasted_ms = performance.now() - begun
  const rate = ((await stored()) - first) / (lasted_ms / 1000)
  const cores = spent().terminals / lasted_ms
  const held = residentOf(child) ?? Number.NaN
  const grown = process.memoryUsage.rss() - before
  child.stdin.end()
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await app.close()
  return [
    atMost(`${wanted} terminals connected from nothing`, here_ms, 60_000, seconds, '31-A19'),
    atLeast('passes a second, stored', rate, passes_a_second * 0.9, value => value.toFixed(0), '31-A19'),
    atMost('a pass acknowledged meanwhile, p95', percentile(waits, 0.95), 300, milliseconds, '31-A19'),
    reported('the same, median', milliseconds(percentile(waits, 0.5))),
    atMost('memory grown by', grown, 300e6, megabytes, '31-A19'),
    atMost('cores that the process of all terminals takes', cores, 1, value => value.toFixed(2), '31 §6'),
    atMost('memory that it holds', held, 400e6, megabytes, '31 §6'),
  ]
}
