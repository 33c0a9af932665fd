import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { processEnv } from './process-env.ts'

const main = join(import.meta.dirname, '../../terminal/main.ts')

/** Who the terminals of a process are, where they connect, and where they keep what they hold. */
export type Fleet = { url: string; prefix: string; folder: string; pulse: number; terminals: { sn: string; secret: string; driver?: 'jdev' | 'vf105' }[] }
/** Terminals in a process of their own; `end` lets them save and go, `kill` is kill -9, frozen they neither hear nor answer. */
export type FleetProcess = { kill(): Promise<void>; end(): Promise<void>; freeze(): void; thaw(): void }

/** Runs `apps/terminal/main.ts` with these terminals. */
export function startFleet(fleet: Fleet): FleetProcess {
  const child = spawn(process.execPath, [main], { env: processEnv(), stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'close')
  child.stdin.write(`${JSON.stringify(fleet)}\n`)
  return {
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
    async end() {
      child.stdin.end()
      await ended
    },
  }
}

const Saved = z.object({ epoch: z.string(), seq: z.number(), lost: z.number(), waiting: z.array(z.unknown()) })

/** What a terminal of a fleet that has ended has on its disk: its power-up, the number of its last record, records that were overwritten, records that nobody has taken. */
export function readSaved({ folder }: Fleet, sn: string): z.output<typeof Saved> {
  return Saved.parse(JSON.parse(readFileSync(join(folder, `${sn}.json`), 'utf8')))
}
