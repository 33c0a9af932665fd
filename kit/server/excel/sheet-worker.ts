import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { buildErrorSheet } from './error-sheet.ts'
import { SheetRefused } from './refusal.ts'
import { packRows } from './sheet-message.ts'
import type { SheetAnswer, SheetJob } from './sheet-message.ts'
import { readRows } from './sheet-reader.ts'

async function run(job: SheetJob, port: MessagePort): Promise<SheetAnswer> {
  if (job.kind === 'error_sheet') return { kind: 'written', bytes: await buildErrorSheet(job.input) }
  const sheets = await readRows(job.input, async (rows, sheet) => {
    const taken = once(port, 'message')
    post(port, { kind: 'rows', batch: packRows(rows, sheet) })
    await taken
  })
  return { kind: 'read', sheets }
}

function post(port: MessagePort, answer: SheetAnswer): void {
  port.postMessage(answer)
}

async function main(port: MessagePort): Promise<void> {
  const job: SheetJob = workerData
  try {
    post(port, await run(job, port))
  } catch (error) {
    if (!(error instanceof SheetRefused)) throw error
    post(port, { kind: 'refused', reason: error.reason })
  }
}

if (parentPort) await main(parentPort)
