import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { heatOfXhstt, readXhstt, solveXhstt } from '@campus/teaching/server'
import { z } from 'zod'

const Task = z.object({ file: z.string(), instance: z.number(), seconds: z.number(), seed: z.number(), worker: z.number(),
  by_cpu: z.boolean() })
const { file, instance: n, seconds, seed, worker, by_cpu } = Task.parse(workerData)

const instance = readXhstt(readFileSync(file, 'utf8')).instances[n]
if (!instance) throw new Error(`${file} has no instance ${n}.`)
const used = () => process.threadCpuUsage().user / 1000
const [began, used_before] = [performance.now(), used()]
const { sub_events: _sub_events, ...found } = solveXhstt(instance, { seed: seed + worker * 1000, seconds, clock: by_cpu ? used : () =>
  performance.now(), ...heatOfXhstt(instance, worker) })
parentPort?.postMessage({ ...found, cpu_ms: used() - used_before, ms: performance.now() - began })
