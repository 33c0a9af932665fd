import { Worker } from 'node:worker_threads'
import type { SheetRow } from './cell.ts'
import { SheetRefused } from './refusal.ts'
import { rowUnpacker } from './sheet-message.ts'
import type { SheetAnswer, SheetJob } from './sheet-message.ts'

export interface SheetPoolOptions {
  /** Threads at the same time; further jobs wait in order. Default 2. */
  workers?: number
  /** Heap of one thread. Default 512 MB. */
  memory_mb?: number
  /** After this time a job is ended and its file is `unreadable`. Default 120,000 ms. */
  timeout_ms?: number
}

export interface SheetPool {
  /**
   * Runs one job in its own thread and gives the last answer. Rejects with SheetRefused, or with the thread's own error.
   * A file that is too much for the thread's memory or time is `unreadable`.
   */
  run(job: SheetJob, onRows: (rows: SheetRow[], sheet: number) => void): Promise<SheetAnswer>
}

/**
 * Keeps hostile and heavy sheets away from the server's loop and heap. A thread lives for one job: whatever a file did to it is
 * gone with it, and its memory goes back to the system.
 */
export function createSheetPool({ workers = 2, memory_mb = 512, timeout_ms = 120_000 }: SheetPoolOptions = {}): SheetPool {
  const waiting: (() => void)[] = []
  let free = workers

  const enter = async () => {
    if (free > 0) free -= 1
    else await new Promise<void>((resolve) => waiting.push(resolve))
  }
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free += 1
  }
  return {
    async run(job, onRows) {
      await enter()
      try {
        return await runInThread(job, onRows, memory_mb, timeout_ms)
      } finally {
        leave()
      }
    },
  }
}

/** The pool of the process: two threads, whoever asks. */
export const sharedSheetPool = createSheetPool()

async function runInThread(job: SheetJob, onRows: (rows: SheetRow[], sheet: number) => void, memory_mb: number, timeout_ms: number): Promise<SheetAnswer> {
  const worker = new Worker(new URL('./sheet-worker.ts', import.meta.url), {
    workerData: job,
    // The flags of the process (a debugger's port, --eval) are not meant for its threads.
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memory_mb, maxYoungGenerationSizeMb: 16 },
  })
  const timer = setTimeout(() => void worker.terminate(), timeout_ms)
  try {
    return await lastAnswer(worker, onRows)
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}

function lastAnswer(worker: Worker, onRows: (rows: SheetRow[], sheet: number) => void): Promise<SheetAnswer> {
  const unpack = rowUnpacker()
  return new Promise((resolve, reject) => {
    worker.on('message', (answer: SheetAnswer) => {
      // Under `node --watch` a thread tells of the files it imports on the same port.
      if (!('kind' in answer)) return
      if (answer.kind === 'refused') reject(new SheetRefused(answer.reason))
      else if (answer.kind !== 'rows') resolve(answer)
      else {
        onRows(unpack(answer.batch), answer.batch.sheet)
        worker.postMessage('taken')
      }
    })
    worker.on('error', (error) => reject(isOutOfMemory(error) ? new SheetRefused('unreadable') : error))
    worker.on('exit', () => reject(new SheetRefused('unreadable')))
  })
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
