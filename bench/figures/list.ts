import { personPageApi, userDeleteApi } from '@campus/people/contract'
import { mustGet } from '../client.ts'
import { atMost, milliseconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { percentile, timedEach } from '../measure.ts'
import { startProduct } from '../product.ts'
import { fillWithPupils, install, settleStatistics } from '../school.ts'

const school_id = 1001
const base = 10_000_000

/** Other pages of a very large school that are promised a time; the list itself is measured by `peer`. */
export const list: Figure = {
  name: 'list',
  title: 'Pages of one pupil among 100,000',
  how: 'Over HTTP on PostgreSQL, one after the other, the 95th percentile of 60 requests. The list of pupils itself stands under peer, beside a tool of others and the floor.',
  run: measure,
}

async function measure(bench: Bench): Promise<Line[]> {
  const installed = await install('postgres', bench)
  await fillWithPupils(installed, { school_id, base, pupils: bench.quick ? 10_000 : 100_000, guardians: 'one or two' })
  await settleStatistics(installed)
  const { token } = await installed.app.as({ school_id, codes: 'all', scope: 'all' })
  await installed.app.running.close()
  const product = await startProduct(installed.settings)
  const ask = (what: string) => mustGet(`${product.url}${what}`, token)
  const often = async (asked = '') => percentile(await timedEach(bench.quick ? 10 : 60, () => ask(asked)), 0.95)
  const of_pupil = (asked = '') => asked.replace(':id', String(base + 1))
  const lines = [
    atMost('settings of deletion, p95', await often(userDeleteApi.config.paths[0]), 200, milliseconds, '20-A26'),
    atMost('head of a pupil, p95', await often(of_pupil(personPageApi.head.paths[0])), 1000, milliseconds, '20-A34'),
    atMost('his timeline with every lane, p95', await often(of_pupil(personPageApi.timeline.paths[0])), 1500, milliseconds, '20-A34'),
  ]
  await product.stop()
  return lines
}
