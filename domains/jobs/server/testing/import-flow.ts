import { setTimeout } from 'node:timers/promises'
import { platform_codes } from '@campus/identity/contract'
import { batch_view_all, importApi, job_view_all, jobApi } from '@campus/jobs/contract'
import type { ImportBatch, ImportRow, JobRow } from '@campus/jobs/contract'
import type { Call, Envelope, Reply, Request } from '@kit/contract'
import type { Database } from '@kit/server/db'
import { writeTemplate } from '@kit/server/excel'
import type { App } from '@kit/server/http'
import { z } from 'zod'
import { importTemplatePort } from '../index.ts'
import { makeProbeTable, probeTemplate } from './probe.ts'
import type { ProbeDb } from './probe.ts'

type Answer = { status: number; body: Envelope; bytes: Uint8Array }
type Options = { token?: string; headers?: Record<string, string>; file?: { name: string; body: Uint8Array } }
type User = { token: string; school_id: number }
type Who = { school_id: number; codes: readonly string[] }

/** The part of a running test server that these steps need. */
export type Server<U extends User = User> = {
  running: { app: App; database: Database }
  as(who: Who): Promise<U>
  call<E extends Call>(call: E, input: Request<E>, options?: Options): Promise<Answer>
}

/** Adds the test template and its table to a server; answers a maker of people who may use it. */
export async function addProbe<U extends User>(app: Server<U>): Promise<(school_id: number, more?: readonly string[]) => Promise<U>> {
  const need = [...app.running.app.codes].find(code => code !== batch_view_all && code !== job_view_all && !platform_codes.has(code))
  if (need === undefined) throw new Error('the server has no permission code to borrow')
  await makeProbeTable(app.running.database)
  importTemplatePort.fill(app.running.app, probeTemplate(need))
  return (school_id, more = []) => app.as({ school_id, codes: [need, ...more] })
}

/** The data of an answer, parsed by the reply schema of its call. */
export function dataOf<E extends Call>(call: E, answer: Answer): Reply<E>
export function dataOf(call: Call, answer: Answer): unknown {
  if (answer.status !== 200) throw new Error(`${call.call}: ${answer.status} ${answer.body.msg}`)
  return z.parse(call.details.reply, answer.body.data)
}

/** A filled-in template; a line is 编号, 名称, 类型. */
export async function sheetOf(lines: string[][], labels = ['编号', '名称', '类型']): Promise<Uint8Array> {
  const columns = labels.map(label => ({ label, prop: label, required: false }))
  return new Uint8Array(await writeTemplate({ sheet: '试件', notes: ['说明'], columns, samples: lines }))
}

/** Lines `n1 … n{count}`, all new. */
export function manyLines(count: number): string[][] {
  return Array.from({ length: count }, (_, at) => [`n${at + 1}`, `名${at + 1}`, '甲'])
}

export function sendSheet(app: Server, user: User, body: Uint8Array, headers: Record<string, string> = {}, input: { options?: string } = {}): Promise<Answer> {
  return app.call(importApi.upload, { code: 'probe', ...input }, { token: user.token, file: { name: '试件.xlsx', body }, headers })
}

/** Uploads and waits for the dry run. */
export async function parsed(app: Server, user: User, lines: string[][]): Promise<ImportBatch> {
  const answer = await sendSheet(app, user, await sheetOf(lines))
  return settled(app, user, dataOf(importApi.upload, answer).batch_no)
}

export async function batchNow(app: Server, user: User, batch_no: string): Promise<ImportBatch> {
  return dataOf(importApi.one, await app.call(importApi.one, { batch_no }, { token: user.token }))
}

/** The batch once nobody works on it. */
export async function settled(app: Server, user: User, batch_no: string): Promise<ImportBatch> {
  for (;;) {
    const batch = await batchNow(app, user, batch_no)
    if (!['uploaded', 'parsing', 'applying', 'undoing'].includes(batch.state)) return batch
    await setTimeout(20)
  }
}

export async function rowsOf(app: Server, user: User, batch_no: string): Promise<ImportRow[]> {
  return dataOf(importApi.rows, await app.call(importApi.rows, { batch_no, page_size: 300 }, { token: user.token })).list
}

/** Confirms and waits. */
export async function applied(app: Server, user: User, batch_no: string): Promise<ImportBatch> {
  dataOf(importApi.apply, await app.call(importApi.apply, { batch_no }, { token: user.token }))
  return settled(app, user, batch_no)
}

export async function jobNow(app: Server, user: User, job_no: string): Promise<JobRow> {
  return dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token: user.token }))
}

/** The job once it has ended. */
export async function ended(app: Server, user: User, job_no: string): Promise<JobRow> {
  for (;;) {
    const job = await jobNow(app, user, job_no)
    if (job.state !== 'queued' && job.state !== 'running') return job
    await setTimeout(20)
  }
}

/** Every probe of the person's school by number. */
export function probes(app: Server, user: User): Promise<ProbeDb['probe'][]> {
  return app.running.database.tenant<ProbeDb, ProbeDb['probe'][]>(user.school_id, db =>
    db.selectFrom('probe').selectAll().where('school_id', '=', user.school_id).orderBy('probe_no').execute(),
  )
}
