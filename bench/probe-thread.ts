// Asks one address again and again from a thread of its own, so that work of the measuring thread does not count as slowness.
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { z } from 'zod'
import { send } from './client.ts'

const { url, token, pause_ms } = z.object({ url: z.string(), token: z.string().optional(), pause_ms: z.number() }).parse(workerData)
const found: number[] = []
const asked = new AbortController()
parentPort?.once('message', () => asked.abort())
while (!asked.signal.aborted) {
  const { ms, status } = await send(url, { token })
  if (status !== 200) throw new Error(`${url}: ${status}`)
  found.push(ms)
  await sleep(pause_ms)
}
parentPort?.postMessage(found)
