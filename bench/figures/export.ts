import { setTimeout as sleep } from 'node:timers/promises'
import { jobApi } from '@campus/jobs/contract'
import type { JobRow } from '@campus/jobs/contract'
import { studentApi, studentExportApi } from '@campus/people/contract'
import { mustGet, send } from '../client.ts'
import { atMost, megabytes, milliseconds, reported, seconds } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { percentile, timed, timedEach } from '../measure.ts'
import { watchMemory } from '../memory.ts'
import { startProbe } from '../probe.ts'
import { startProduct } from '../product.ts'
import { fillWithPupils, install, settleStatistics } from '../school.ts'
import { dataOf } from '../sign-in.ts'

const school_id = 1001
const look_ms = 100
const one_page = `${studentApi.list.paths[0]}?page_index=1&page_size=20&keyword=10000001`

/** What a very large export holds in memory while it is written. */
export const exportRoll: Figure = {
  name: 'export',
  title: 'Exporting the roll of 100,000 pupils',
  how: 'One export of every pupil with guardians, all columns, on PostgreSQL; resident memory of the server process, every 50 ms, against what it held after 30 searches. Meanwhile another person searches for one pupil every 50 ms.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const pupils = bench.quick ? 10_000 : 100_000
  const installed = await install('postgres', bench)
  await fillWithPupils(installed, { school_id, base: 10_000_000, pupils, guardians: 'one or two' })
  await settleStatistics(installed)
  const { token } = await installed.app.as({ school_id, codes: 'all', scope: 'all' })
  await installed.app.running.close()
  const product = await startProduct(installed.settings)
  const alone = await timedEach(30, () => mustGet(`${product.url}${one_page}`, token))
  const memory = watchMemory(product)
  const probe = startProbe(`${product.url}${one_page}`, { token, pause_ms: 50 })
  let job: JobRow | undefined
  const ms = await timed(async () => {
    job = await exportAll(product.url, token)
  })
  const beside = await probe.stop()
  const grown = memory.stop()
  await product.stop()
  if (job?.state !== 'succeeded' || job.done !== pupils) throw new Error(`the export is ${job?.state}, ${job?.done} rows: ${job?.error_msg}`)
  return [
    atMost(`${pupils.toLocaleString('en')} rows: memory grown by`, grown, 150e6, megabytes),
    reported('time', seconds(ms)),
    reported('p99 of other calls: meanwhile, before', `${milliseconds(percentile(beside, 0.99))}, ${milliseconds(percentile(alone, 0.99))}`),
  ]
}

async function exportAll(url: string, token: string): Promise<JobRow> {
  const started = await send(`${url}${studentExportApi.export.paths[0]}`, { method: 'POST', token, json: { reason: '核对' } })
  const { job_no } = dataOf(studentExportApi.export, started)
  for (;;) {
    const job = dataOf(jobApi.one, await send(`${url}${(jobApi.one.paths[0] ?? '').replace(':job_no', job_no)}`, { token }))
    if (job.state !== 'queued' && job.state !== 'running') return job
    await sleep(look_ms)
  }
}
