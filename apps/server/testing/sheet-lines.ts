import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { jobApi } from '@campus/jobs/contract'
import type { Call, Request } from '@kit/contract'
import { readSheet } from '@kit/server/excel'
import { dataOf } from './request.ts'
import type { Answer, CallOptions } from './request.ts'

const look_ms = 20
type Caller = { call<E extends Call>(call: E, input: Request<E>, options?: CallOptions): Promise<Answer> }

/** The lines of a sheet that was answered, texts as a reader gets them: the quote is off again, and a cell that could run fails. */
export async function sheetLines({ status, bytes, body }: Answer): Promise<string[][]> {
  if (status !== 200) throw new Error(`no sheet: ${status} ${body.msg}`)
  const folder = await mkdtemp(join(tmpdir(), 'campus-sheet-'))
  try {
    await writeFile(join(folder, 'a.xlsx'), bytes)
    const { rows } = await readSheet(join(folder, 'a.xlsx'))
    if (rows.some(({ cells }) => cells.some(({ kind }) => kind === 'formula'))) throw new Error('the sheet holds a formula')
    return rows.map(({ cells }) => cells.map(({ text }) => text))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The same of the sheet that a job makes, once it has ended. */
export async function jobSheet(app: Caller, job_no: string, { token }: Required<Pick<CallOptions, 'token'>>): Promise<string[][]> {
  for (;;) {
    const { state } = dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token }))
    if (state === 'succeeded') return sheetLines(await app.call(jobApi.result, { job_no }, { token }))
    if (state !== 'queued' && state !== 'running') throw new Error(`the job has ended as ${state}`)
    await new Promise(resolve => setTimeout(resolve, look_ms))
  }
}
