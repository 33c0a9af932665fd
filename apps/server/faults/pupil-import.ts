import { readFile } from 'node:fs/promises'
import { importApi, jobApi } from '@campus/jobs/contract'
import type { ImportBatch, JobRow } from '@campus/jobs/contract'
import { demoClasses, writeSampleSheets } from '@campus/people/server'
import { schoolYearOf } from '../demo/school-year.ts'
import { dataOf, sendOnce as send } from './client.ts'

const patience_ms = 120_000
const look_ms = 20
/** Nobody hits a moment of the whole batch. */
const batch_look_ms = 100

/** A client of one server, signed in. */
export type Client = { url: string; token: string }

/** The filled sheet of pupils, for the classes that the demo school has today. */
export async function pupilSheet(folder: string, pupils: number): Promise<Buffer> {
  const school_year = schoolYearOf(new Date().toISOString().slice(0, 10))
  const files = await writeSampleSheets(folder, { pupils, guardians: pupils, seed: 'faults', classes: demoClasses(school_year) })
  return readFile(files.student)
}

/** Uploads a sheet and waits for its dry run. */
export async function dryRun({ url, token }: Client, sheet: Buffer): Promise<ImportBatch> {
  const made = dataOf(importApi.upload, await send(url, importApi.upload, { code: 'student' }, { token, file: { name: 'student.xlsx', body: sheet } }))
  return untilBatch({ url, token }, made.batch_no, ['parsed', 'refused', 'failed'])
}

/** Starts the apply; the number of its job. */
export async function startApply({ url, token }: Client, batch_no: string): Promise<string> {
  const { job_no } = dataOf(importApi.apply, await send(url, importApi.apply, { batch_no }, { token }))
  if (job_no === null) throw new Error('the apply has no job')
  return job_no
}

/** Starts to take an applied batch back; the number of its job. */
export async function startUndo({ url, token }: Client, batch_no: string): Promise<string> {
  const { job_no } = dataOf(importApi.undo, await send(url, importApi.undo, { batch_no }, { token }))
  if (job_no === null) throw new Error('the undo has no job')
  return job_no
}

/** The progress a caller sees. */
export async function readJob({ url, token }: Client, job_no: string): Promise<JobRow> {
  return dataOf(jobApi.one, await send(url, jobApi.one, { job_no }, { token }))
}

/** Asks for the progress until it fits; every look is given to `fits`. */
export async function untilJob(client: Client, job_no: string, fits: (job: JobRow) => boolean): Promise<JobRow> {
  const deadline = Date.now() + patience_ms
  for (;;) {
    const job = await readJob(client, job_no)
    if (fits(job)) return job
    if (Date.now() > deadline) throw new Error(`job ${job_no} is still ${job.state}, ${job.done} of ${job.total}`)
    await new Promise(resolve => setTimeout(resolve, look_ms))
  }
}

/** Asks for a batch until it is in one of the states. */
export async function untilBatch({ url, token }: Client, batch_no: string, states: readonly ImportBatch['state'][]): Promise<ImportBatch> {
  const deadline = Date.now() + patience_ms
  for (;;) {
    const batch = dataOf(importApi.one, await send(url, importApi.one, { batch_no }, { token }))
    if (states.includes(batch.state)) return batch
    if (Date.now() > deadline) throw new Error(`batch ${batch_no} is still ${batch.state}`)
    await new Promise(resolve => setTimeout(resolve, batch_look_ms))
  }
}
