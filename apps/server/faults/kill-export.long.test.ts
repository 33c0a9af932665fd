import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { JobRow } from '@campus/jobs/contract'
import { studentExportApi } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataOf, send } from './client.ts'
import { prepareSuper, school_id } from './prepared-people.ts'
import type { PreparedSuper } from './prepared-people.ts'
import { openServer } from './opened-server.ts'
import { untilJob } from './pupil-import.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const patience_ms = 300_000
const pupils = 3000
const most_tries = 5

let base: PreparedSuper
let server: ServerProcess | undefined

beforeAll(async () => {
  base = await prepareSuper(pupils)
  server = await startServer(base.settings)
}, patience_ms)

afterAll(async () => {
  await endServer(server)
  await base?.remove()
})

/** Where the file store keeps the exports of the school. */
function folder(): string {
  return join(base.settings.CAMPUS_DATA_DIR ?? '', 'files', String(school_id), 'export')
}

function exports(): Promise<string[]> {
  return readdir(folder()).catch(() => [])
}

/** Starts an export, waits until the server tells of progress, kills it; what it told last. */
async function killWhileExporting(): Promise<JobRow> {
  const client = { url: server?.url ?? '', token: base.token }
  const { job_no } = dataOf(studentExportApi.export, await send(client.url, studentExportApi.export, { reason: '核对' }, { token: client.token }))
  const running = await untilJob(client, job_no, job => job.done > 0)
  server?.signal('SIGKILL')
  await server?.ended
  return running
}

/** The parts of an export's name behind its number. */
async function filesOf(job_no: string): Promise<string[]> {
  return (await exports()).filter(name => name.startsWith(job_no)).map(name => name.slice(job_no.length).replace(/^\.[0-9a-f-]+/, ''))
}

/** The job as it ended at a server. */
function untilEnded(url: string, job_no: string): Promise<JobRow> {
  return untilJob({ url, token: base.token }, job_no, job => job.state !== 'queued' && job.state !== 'running')
}

/** On a busy machine the last row may be written before the kill arrives: then once more. */
async function killInTheMiddle(): Promise<JobRow> {
  for (let tries = 0; tries < most_tries; tries += 1) {
    const running = await killWhileExporting()
    if (running.done < running.total && (await filesOf(running.job_no)).some(name => name.endsWith('.partial'))) return running
    server = await startServer(base.settings)
    await untilEnded(server.url, running.job_no)
    await rm(folder(), { recursive: true, force: true })
  }
  throw new Error(`${most_tries} exports were whole before they could be killed`)
}

test('a kill -9 in the middle of an export leaves no half of it behind: the next start writes it whole', async () => {
  const running = await killInTheMiddle()
  const { job_no } = running
  expect(await filesOf(job_no)).toEqual(['.xlsx.partial'])

  const next = await openServer(base.settings)
  const ended = await untilEnded(next.url, job_no).finally(() => next.close())
  expect(ended).toMatchObject({ state: 'succeeded', done: running.total, has_result: true })
  const left = await exports()
  expect(left).toHaveLength(1)
  expect(left[0]).toMatch(/\.xlsx$/)
}, patience_ms)
