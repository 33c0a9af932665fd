// `npm run bench -- timetabling --instances <folder> --seconds <n> --seed <n>`: the search over XHSTT instances (chapter 50 A25, A26).
// `--workers <n>` threads (2), `--only <name>` one file, `--cpu` counts seconds of each thread's processor time, not of the clock.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { evaluateXhstt, readXhstt } from '@campus/teaching/server'
import type { XhsttArchive, XhsttCost } from '@campus/teaching/server'
import { z } from 'zod'
import { describeMachine } from './machine.ts'

const Found = z.object({ cost: z.object({ hard: z.number(), soft: z.number() }), moves: z.number(), cpu_ms: z.number(), ms: z.number() })
type Found = z.output<typeof Found>
const Count = z.coerce.number().int().min(1)
const Options = z.object({ instances: z.string(), seconds: Count.default(60), seed: Count.default(1), workers: Count.max(16).default(2),
  only: z.string().default(''), cpu: z.boolean().default(false) })
type Options = z.output<typeof Options>

const show = ({ hard, soft }: XhsttCost) => `${hard}/${soft}`
const showStated = (cost: XhsttCost | null) => (cost ? show(cost) : 'nothing')

/**
 * Prints what the search finds for every instance, beside what the file states.
 * @returns 1 where a kept solution does not cost what its report states
 */
export async function benchTimetabling(args: readonly string[]): Promise<number> {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ args: [...args], options: { instances: text, seconds: text, seed: text, workers: text, only: text,
    cpu: { type: 'boolean' } } })
  const options = Options.parse(values)
  const clock = options.cpu ? 'of processor time each' : 'by the clock'
  console.log(`${describeMachine()}; ${options.workers} threads, ${options.seconds} s ${clock}, seed ${options.seed}`)
  console.log('instance | found hard/soft | stated in the file | r = (soft + 10) / (stated + 10) | moves/s | processor s')
  const files = readdirSync(options.instances).filter(name => name.endsWith('.xml') && name.includes(options.only)).toSorted()
  let differing = 0
  for (const name of files) {
    const file = join(options.instances, name)
    const archive = readXhstt(readFileSync(file, 'utf8'))
    differing += checkKept(archive)
    for (const [n, { id }] of archive.instances.entries()) console.log(lineOf(id, await search(file, n, options), statedOf(archive, n)))
  }
  return differing > 0 ? 1 : 0
}

/** The evaluator against the costs that reports in the file state. @returns how many differ */
function checkKept({ solutions }: XhsttArchive): number {
  let differing = 0
  for (const { instance, name, sub_events, stated } of solutions) {
    const own = evaluateXhstt(instance, sub_events)
    const differs = stated !== null && (stated.hard !== own.hard || stated.soft !== own.soft)
    differing += Number(differs)
    const stated_text = `its report states ${showStated(stated)}${differs ? ' DIFFERENT' : ''}`
    console.log(`${instance.id}: solution "${name}" costs ${show(own)}, ${stated_text}`)
  }
  return differing
}

function statedOf({ instances, solutions }: XhsttArchive, n: number): XhsttCost | null {
  const all = solutions.filter(one => one.instance === instances[n]).flatMap(one => one.stated ?? [])
  return all.toSorted((a, b) => a.hard - b.hard || a.soft - b.soft)[0] ?? null
}

async function search(file: string, instance: number, { seconds, seed, workers, cpu }: Options): Promise<Found[]> {
  const url = new URL('./timetabling-thread.ts', import.meta.url)
  return Promise.all(Array.from({ length: workers }, (_, worker) => new Promise<Found>((resolve, reject) => {
    const thread = new Worker(url, { workerData: { file, instance, seconds, seed, worker, by_cpu: cpu } })
    thread.on('message', message => resolve(Found.parse(message)))
    thread.on('error', reject)
  })))
}

function lineOf(id: string, found: readonly Found[], stated: XhsttCost | null): string {
  const [best] = found.map(one => one.cost).toSorted((a, b) => a.hard - b.hard || a.soft - b.soft)
  const [moves, cpu, ms] = [found.reduce((sum, one) => sum + one.moves, 0), found.reduce((sum, one) => sum + one.cpu_ms, 0),
    Math.max(...found.map(one => one.ms))]
  const ratio = best && stated && best.hard === 0 ? ((best.soft + 10) / (stated.soft + 10)).toFixed(2) : '–'
  const each = found.map(one => show(one.cost)).join(', ')
  const speed = `${Math.round(moves / (ms / 1000))} | ${(cpu / 1000).toFixed(1)}`
  return `${id} | ${best ? show(best) : '–'} (${each}) | ${showStated(stated)} | ${ratio} | ${speed}`
}
