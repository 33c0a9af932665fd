import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { JdevTerminal } from './jdev/terminal.ts'
import { startPulse } from './pulse.ts'

/** Runs many terminals in one process: who they are comes as one line of JSON on the standard input, and they end with it. */
const Fleet = z.object({ url: z.string(), prefix: z.string(), folder: z.string().nullable(), pulse: z.number().min(0), terminals: z.array(z.object({ sn: z.string(), secret: z.string() })).max(1000) })

const jitter_ms = 50
const save_ms = 30_000
const lines = createInterface({ input: process.stdin })
const terminals: JdevTerminal[] = []

lines.once('line', line => void run(Fleet.parse(JSON.parse(line))))
lines.once('close', () => void end())
process.on('SIGINT', () => undefined)

async function run({ url, prefix, folder, pulse, terminals: known }: z.output<typeof Fleet>): Promise<void> {
  if (folder !== null) mkdirSync(folder, { recursive: true })
  for (const { sn, secret } of known) {
    const terminal = new JdevTerminal({ url, prefix, sn, secret, ...(folder === null ? {} : { file: join(folder, `${sn}.json`) }) })
    terminals.push(terminal)
    void terminal.start()
    await sleep(jitter_ms)
  }
  if (pulse > 0) startPulse(terminals, pulse)
  setInterval(() => terminals.forEach(terminal => terminal.store.save()), save_ms).unref()
}

async function end(): Promise<void> {
  await Promise.all(terminals.map(terminal => terminal.stop()))
  process.exit(0)
}
