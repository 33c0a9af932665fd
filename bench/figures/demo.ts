import { atMost, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { median } from '../measure.ts'
import { startProduct } from '../product.ts'
import { install } from '../school.ts'

const demo_settings = { CAMPUS_PROFILE: 'demo' }

/** The demo school, made at the first start. */
export const demo: Figure = {
  name: 'demo',
  title: 'Making the demo school',
  how: 'The first start over a migrated, empty database minus the second one, which finds everything made. Each round has a database of its own; the engines take turns.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const found = { postgres: new Array<number>(), pglite: new Array<number>() }
  for (let round = 0; round < (bench.quick ? 1 : 3); round += 1) {
    found.postgres.push(await makeDemo('postgres', bench))
    found.pglite.push(await makeDemo('pglite', bench))
  }
  return [
    atMost('demo school on PostgreSQL', median(found.postgres), 30_000, seconds),
    atMost('demo school on the embedded engine', median(found.pglite), 30_000, seconds),
    reported('rounds on PostgreSQL, embedded', `${found.postgres.map(seconds).join(' ')}, ${found.pglite.map(seconds).join(' ')}`),
  ]
}

async function makeDemo(engine: 'postgres' | 'pglite', bench: Bench): Promise<number> {
  const { app, settings } = await install(engine, bench)
  await app.running.close()
  const first = await startProduct({ ...settings, ...demo_settings })
  await first.stop()
  const second = await startProduct({ ...settings, ...demo_settings })
  await second.stop()
  return first.started_ms - second.started_ms
}
