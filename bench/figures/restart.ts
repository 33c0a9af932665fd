import { setTimeout as sleep } from 'node:timers/promises'
import { studentApi } from '@campus/people/contract'
import { mustGet } from '../client.ts'
import { atMost, megabytes, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median, timedEach } from '../measure.ts'
import { startProduct } from '../product.ts'
import { fillWithPupils, install, settleStatistics } from '../school.ts'

const school_id = 1001
const pupils = 4000
const lists = 100
const rest_ms = 5000

/** How soon the server is back after a stop, and what it holds once it has worked and rests again. */
export const restart: Figure = {
  name: 'restart',
  title: 'Restart and rest with 4,000 pupils',
  how: 'From the start of the process until /readyz answers; then 100 lists, five seconds of rest, and the resident memory of the process (the embedded engine lives in it, PostgreSQL beside it). The engines take turns; the first start is not counted.',
  run,
}

type Seen = { started: number[]; resident: number[] }

async function run(bench: Bench): Promise<Line[]> {
  const engines = { postgres: await prepare('postgres', bench), pglite: await prepare('pglite', bench) }
  const seen = { postgres: noted(), pglite: noted() }
  for (let round = 0; round <= (bench.quick ? 1 : 3); round += 1) {
    for (const engine of ['postgres', 'pglite'] as const) {
      const { started_ms, resident } = await oneRestart(engines[engine])
      if (round === 0) continue
      seen[engine].started.push(started_ms)
      seen[engine].resident.push(resident)
    }
  }
  return [
    atMost('restart on PostgreSQL', median(seen.postgres.started), 5000, seconds),
    atMost('restart on the embedded engine', median(seen.pglite.started), 5000, seconds),
    atMost('resident at rest, PostgreSQL', median(seen.postgres.resident), 400e6, megabytes),
    atMost('resident at rest, embedded engine', median(seen.pglite.resident), 700e6, megabytes),
  ]
}

async function prepare(engine: 'postgres' | 'pglite', bench: Bench) {
  const installed = await install(engine, bench)
  await fillWithPupils(installed, { school_id, base: 10_000_000, pupils, guardians: 'one or two' })
  await settleStatistics(installed)
  const { token } = await installed.app.as({ school_id, codes: 'all', scope: 'all' })
  await installed.app.running.close()
  return { settings: { ...installed.settings, CAMPUS_DURABLE: '1' }, token }
}

async function oneRestart({ settings, token }: { settings: Record<string, string>; token: string }) {
  const product = await startProduct(settings)
  await timedEach(lists, at => mustGet(`${product.url}${studentApi.list.paths[0]}?page_index=${1 + (at % 50)}&page_size=20`, token))
  await sleep(rest_ms)
  const resident = product.rss() ?? Number.NaN
  await product.stop()
  return { started_ms: product.started_ms, resident }
}

function noted(): Seen {
  return { started: [], resident: [] }
}
