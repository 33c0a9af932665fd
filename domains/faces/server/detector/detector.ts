import { Worker } from 'node:worker_threads'
import { Port } from '@kit/server/http'
import type { App } from '@kit/server/http'
import type { DetectAnswer, Measures } from './measures.ts'

/** Finds faces; null when it cannot answer, which is no fault of the picture (chapter 40 rule 28). */
export type Detector = { measure(jpeg: Uint8Array): Promise<Measures | null>; state(): { ready: boolean; note: string }; stop(): Promise<void> }

/** The detector of this process; an installation with another one fills it differently (chapter 40 rule 25). */
export const detectorPort = new Port<Detector>('faces.detector')

/** Whether the detector runs, or would when a picture comes; a machine without SIMD or memory has said no at its first picture. */
export function canDetect(app: App): boolean {
  return detectorPort.one(app).state().ready
}

const answer_ms = 30_000
const idle_ms = 600_000
const memory_mb = 512
type Waiting = { give(measures: Measures | null): void; timer: NodeJS.Timeout }
type Log = { warn(about: object, msg: string): void }

/** The detector that ships with the product: one thread, started at the first picture and ended when none has come for a while. */
export function builtinDetector(log: Log): Detector {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  let asked = 0
  let fault: string | null = null
  const end = async () => {
    const ended = worker
    worker = null
    for (const id of waiting.keys()) settle(id, null)
    await ended?.terminate()
  }
  const settle = (id: number, measures: Measures | null) => {
    const one = waiting.get(id)
    if (!one) return
    waiting.delete(id)
    clearTimeout(one.timer)
    one.give(measures)
  }
  const fail = (reason: string) => {
    fault = reason
    log.warn({ reason }, 'the face detector stopped')
    void end()
  }
  const hear = (answer: DetectAnswer) => {
    if ('ready' in answer) fault = null
    else if ('failed' in answer) fail(answer.failed)
    else if ('measures' in answer) settle(answer.id, answer.measures)
    else if ('error' in answer) settle(answer.id, null)
  }
  return {
    measure: jpeg => new Promise(give => {
      worker ??= startWorker(hear, (ended, reason) => ended === worker && fail(reason))
      clearTimeout(idle)
      idle = setTimeout(() => void end(), idle_ms).unref()
      asked += 1
      const id = asked
      waiting.set(id, { give, timer: setTimeout(() => fail('no answer in time'), answer_ms) })
      worker.postMessage({ id, jpeg })
    }),
    state: () => ({ ready: fault === null, note: fault ?? (worker ? '运行中' : '空闲，使用时自动启动') }),
    stop: end,
  }
}

function startWorker(hear: (answer: DetectAnswer) => void, onEnd: (worker: Worker, reason: string) => void): Worker {
  const worker = new Worker(new URL('./face-worker.ts', import.meta.url), { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: memory_mb } })
  worker.on('message', hear)
  worker.on('error', error => onEnd(worker, error.message))
  worker.on('exit', () => onEnd(worker, 'the thread ended'))
  worker.unref()
  return worker
}
