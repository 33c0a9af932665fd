import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { importApi } from '@campus/jobs/contract'
import type { ImportBatch } from '@campus/jobs/contract'
import { send } from './client.ts'
import { dataOf } from './sign-in.ts'

/** Who imports, where. */
export type Desk = { url: string; token: string }

const busy: readonly string[] = ['uploaded', 'parsing', 'applying']
const look_ms = 50

/** Uploads a sheet of pupils and waits for the dry run. */
export async function dryRun({ url, token }: Desk, file: string): Promise<ImportBatch> {
  const form = new FormData()
  form.append('file', new Blob([readFileSync(file)]), basename(file))
  const answer = await send(`${url}${pathOf(importApi.upload, { code: 'student' })}`, { method: 'POST', token, form })
  return settled({ url, token }, dataOf(importApi.upload, answer).batch_no)
}

/** Leaves out the rows with errors, as somebody does who mends them later. */
export async function skipErrors(desk: Desk, batch_no: string): Promise<void> {
  for (;;) {
    const answer = await send(`${desk.url}${pathOf(importApi.rows, { batch_no })}?verdict=error&page_index=1&page_size=300`, { token: desk.token })
    const { list } = dataOf(importApi.rows, answer)
    if (list.length === 0) return
    for (const { row_no } of list) {
      const json = { row_no, skip: true }
      dataOf(importApi.fix, await send(`${desk.url}${pathOf(importApi.fix, { batch_no })}`, { method: 'POST', token: desk.token, json }))
    }
  }
}

/** Confirms a batch and waits until it is applied. */
export async function apply(desk: Desk, batch_no: string): Promise<ImportBatch> {
  const answer = await send(`${desk.url}${pathOf(importApi.apply, { batch_no })}`, { method: 'POST', token: desk.token, json: {} })
  dataOf(importApi.apply, answer)
  const batch = await settled(desk, batch_no)
  if (batch.state !== 'applied' || batch.rows_recheck > 0) throw new Error(`the batch is ${batch.state}, ${batch.rows_recheck} rows left out: ${batch.message}`)
  return batch
}

async function settled({ url, token }: Desk, batch_no: string): Promise<ImportBatch> {
  for (;;) {
    const batch = dataOf(importApi.one, await send(`${url}${pathOf(importApi.one, { batch_no })}`, { token }))
    if (!busy.includes(batch.state)) return batch
    await sleep(look_ms)
  }
}

function pathOf(call: { paths: readonly string[] }, params: Record<string, string>): string {
  return (call.paths[0] ?? '').replace(/:(\w+)/g, (_all, name: string) => params[name] ?? '')
}
