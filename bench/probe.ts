import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { z } from 'zod'

const Times = z.array(z.number())

/** An address asked in a loop beside the work under measurement; `stop` answers the milliseconds of every answer. */
export type Probe = { stop(): Promise<number[]> }

/** Starts asking; fails at `stop` when any answer was not 200. */
export function startProbe(url: string, { token, pause_ms }: { token?: string; pause_ms: number }): Probe {
  const thread = new Worker(new URL('./probe-thread.ts', import.meta.url), { workerData: { url, token, pause_ms } })
  const ended = once(thread, 'message')
  ended.catch(() => undefined)
  return {
    async stop() {
      thread.postMessage('stop')
      const [times] = await ended
      await thread.terminate()
      return Times.parse(times)
    },
  }
}
