import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { openFaultPanel } from './fault-panel.ts'
import { JdevTerminal } from './jdev/terminal.ts'
import { startPulse } from './pulse.ts'
import { Vf105Terminal } from './vf105/terminal.ts'

const Drivers = z.enum(['jdev', 'vf105'])
/** Runs many terminals in one process: who they are comes as one line of JSON on the standard input, and they end with it. `--driver` says which hardware they play where a line of theirs does not. */
const Fleet = z.object({ url: z.string(), prefix: z.string(), folder: z.string().nullable(), pulse: z.number().min(0), terminals: z.array(z.object({ sn: z.string(), secret: z.string(), driver: Drivers.optional() })).max(1000) })

const jitter_ms = 50
const save_ms = 30_000
const { values } = parseArgs({ options: { driver: { type: 'string', default: 'jdev' }, server: { type: 'string' }, sn: { type: 'string' }, secret: { type: 'string' }, prefix: { type: 'string', default: 'jdev' }, faults: { type: 'string' } } })
const faults_port = z.coerce.number().int().min(0).max(65_535).optional().parse(values.faults)
const usual = Drivers.parse(values.driver)
const lines = createInterface({ input: process.stdin })
const terminals: (JdevTerminal | Vf105Terminal)[] = []

// One terminal by its arguments, or a fleet by the line.
const { server, sn: own_sn, secret: own_secret } = values
if (server !== undefined && own_sn !== undefined && own_secret !== undefined) void run({ url: server, prefix: values.prefix, folder: null, pulse: 0, terminals: [{ sn: own_sn, secret: own_secret }] })
else lines.once('line', line => void run(Fleet.parse(JSON.parse(line))))
lines.once('close', () => void end())
process.on('SIGINT', () => undefined)

async function run({ url, prefix, folder, pulse, terminals: known }: z.output<typeof Fleet>): Promise<void> {
  if (folder !== null) mkdirSync(folder, { recursive: true })
  for (const { sn, secret, driver = usual } of known) {
    const options = { url, prefix, sn, secret, ...(folder === null ? {} : { file: join(folder, `${sn}.json`) }) }
    const terminal = driver === 'vf105' ? new Vf105Terminal(options) : new JdevTerminal(options)
    terminals.push(terminal)
    void terminal.start()
    await sleep(jitter_ms)
  }
  await openPanel()
  if (pulse > 0) startPulse(terminals, pulse)
  setInterval(() => terminals.forEach(terminal => terminal.store.save()), save_ms).unref()
}

/** The panel stands for one terminal of ours, and only when it is asked for. */
async function openPanel(): Promise<void> {
  const [terminal] = terminals
  if (faults_port === undefined) return
  if (!(terminal instanceof JdevTerminal) || terminals.length > 1) {
    process.stderr.write('--faults is for one terminal of the driver jdev\n')
    return
  }
  const { port, token } = await openFaultPanel(terminal, faults_port)
  process.stdout.write(`fault panel: http://127.0.0.1:${port}/_test token ${token}\n`)
}

async function end(): Promise<void> {
  await Promise.all(terminals.map(terminal => terminal.stop()))
  process.exit(0)
}
