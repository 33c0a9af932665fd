import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { AiBox } from './box/ai-box.ts'
import { startSeeing } from './box/school-day.ts'
import { hostVitals } from './console/host-vitals.ts'
import { openDesks, withPorts } from './console/open-desks.ts'
import { foreign_hash, openFaultPanel } from './fault-panel.ts'
import { FleetTerminal, readFleet } from './fleet-file.ts'
import { vitalsOf } from './jdev/options.ts'
import { JdevTerminal } from './jdev/terminal.ts'
import { startPulse } from './pulse.ts'
import { demo_tray } from './reader/demo-tray.ts'
import { openReader } from './reader/reader-server.ts'
import { VirtualReader } from './reader/virtual-reader.ts'
import { Vf105Terminal } from './vf105/terminal.ts'

const Drivers = z.enum(['jdev', 'vf105'])
/** How often something happens before the cameras of boxes, and by which seed. */
const Sees = z.object({ a_day: z.number().int().min(0).max(500), seed: z.string().max(64) })
/** Runs many terminals in one process: who they are comes as one line of JSON on the standard input, and they end with it. `--driver` says which hardware they play where a line of theirs does not. */
const Fleet = z.object({ url: z.string(), prefix: z.string(), http: z.string().default(''), folder: z.string().nullable(), pulse: z.number().min(0), sees: Sees.optional(), terminals: z.array(FleetTerminal).max(1000) })

/** The model that is played as a box. */
const box_model = 'JD-A6'
const jitter_ms = 50
const second_ms = 1000
const save_ms = 30_000
const { values } = parseArgs({ args: withPorts(process.argv.slice(2)), options: { console: { type: 'string' }, ui: { type: 'string' }, expose: { type: 'boolean', default: false }, driver: { type: 'string', default: 'jdev' }, server: { type: 'string' }, sn: { type: 'string' }, secret: { type: 'string' }, prefix: { type: 'string', default: 'jdev' }, faults: { type: 'string' }, devices: { type: 'string' }, count: { type: 'string' }, pulse: { type: 'string', default: '0' }, folder: { type: 'string' }, reader: { type: 'boolean', default: false }, 'reader-port': { type: 'string', default: '32156' }, 'reader-pairing': { type: 'string' }, origins: { type: 'string', default: 'http://127.0.0.1:7300,http://localhost:7300' }, http: { type: 'string', default: '' }, model: { type: 'string' }, sees: { type: 'string', default: '0' }, seed: { type: 'string', default: '1' } } })
const sees = Sees.parse({ a_day: Number(values.sees), seed: values.seed })
const Port = z.coerce.number().int().min(0).max(65_535).optional()
const [faults_port, console_port, face_port] = [values.faults, values.console, values.ui].map(value => Port.parse(value))
const usual = Drivers.parse(values.driver)
const terminals: (JdevTerminal | Vf105Terminal)[] = []

const { server, sn: own_sn, secret: own_secret, devices } = values
if (values.reader) void startReader().catch(giveUp)
else if (server !== undefined) startBy(server)
else startByLine()

/** One terminal by its arguments, or a fleet by a file; a person ends them. */
function startBy(url: string): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end())
  if (devices !== undefined) return void runFile(url, devices).catch(giveUp)
  if (own_sn === undefined || own_secret === undefined) return giveUp(new Error('--server needs --devices {file}, or --sn and --secret'))
  void run({ url, prefix: values.prefix, http: values.http, folder: values.folder ?? null, pulse: 0, sees, terminals: [{ sn: own_sn, secret: own_secret, model: values.model }] })
}

/** A fleet of another program, by one line; it ends with that program. */
function startByLine(): void {
  const lines = createInterface({ input: process.stdin })
  lines.once('line', line => void run(Fleet.parse(JSON.parse(line))))
  lines.once('close', () => void end())
  process.on('SIGINT', () => undefined)
}

/** The reader of a workstation, with a tray of cards; a person ends it. */
async function startReader(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0))
  const reader = new VirtualReader(demo_tray, { pairing: z.string().regex(/^[0-9a-f]{64}$/u, { error: '--reader-pairing: 64 hex digits' }).optional().parse(values['reader-pairing']) ?? null })
  const { port } = await openReader({ reader, cards: demo_tray, origins: values.origins.split(',') }, z.coerce.number().int().min(0).max(65_535).parse(values['reader-port']))
  process.stdout.write(`card reader with its tray: http://127.0.0.1:${port}/\n`)
}

function giveUp(error: unknown): void {
  const sentence = error instanceof z.ZodError ? error.issues.map(issue => issue.message).join('; ') : String(error)
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

/** Plays the devices of a file, all of them or the first `--count`. */
async function runFile(url: string, file: string): Promise<void> {
  const known = readFleet(readFileSync(file, 'utf8'))
  const count = z.coerce.number().int().min(1).max(known.length, { error: `--count: the file has ${known.length} devices` }).default(known.length).parse(values.count)
  process.stdout.write(`${count} terminals at ${url}\n`)
  await run({ url, prefix: values.prefix, http: values.http, folder: values.folder ?? null, pulse: z.coerce.number().min(0).parse(values.pulse), sees, terminals: known.slice(0, count) })
}

async function run({ url, prefix, http = '', folder, pulse, sees: seeing, terminals: known }: z.input<typeof Fleet>): Promise<void> {
  if (folder !== null) mkdirSync(folder, { recursive: true })
  for (const { sn, secret, driver = usual, model, children = [], algorithms, ...odd } of known) {
    const options = { url, prefix, http, sn, secret, children, vitals: console_port === undefined ? () => vitalsOf(sn, Date.now()) : hostVitals, ...(model === undefined ? {} : { model }), ...(folder === null ? {} : { file: join(folder, `${sn}.json`) }) }
    const terminal = driver === 'vf105' ? new Vf105Terminal(options) : model === box_model ? new AiBox({ ...options, address: http, ...(algorithms ? { algorithms } : {}) }) : new JdevTerminal(options)
    if (terminal instanceof JdevTerminal) makeOdd(terminal, odd)
    terminals.push(terminal)
    void terminal.start()
    await sleep(jitter_ms)
  }
  await openPanel()
  await openDesks(terminals.filter(terminal => terminal instanceof JdevTerminal), { console_port, face_port, is_exposed: values.expose })
  if (pulse > 0) startPulse(terminals, pulse)
  if (seeing && seeing.a_day > 0) startSeeing(terminals.filter(terminal => terminal instanceof AiBox), seeing)
  setInterval(() => terminals.forEach(terminal => terminal.store.save()), save_ms).unref()
}

/** Its clock is wrong and may stay so, somebody has entered people at it, it does not take some rows, its line is bad, or it came with another program. */
function makeOdd(terminal: JdevTerminal, { clock_offset_s = 0, clock_fault, local_persons = [], refuse = {}, app_version, line_bytes_s = 0 }: Omit<FleetTerminal, 'sn' | 'secret'>): void {
  terminal.faults.line_bytes_s = line_bytes_s
  if (app_version !== undefined && terminal.store.own('hardware.app_version') === undefined) terminal.store.set('hardware', { app_version })
  terminal.faults.refuse = new Map(Object.entries(refuse))
  terminal.faults.clock_offset_ms = clock_offset_s * second_ms
  if (clock_fault !== undefined) terminal.commands.broken.set('time', clock_fault)
  for (const name of local_persons) terminal.store.enter('person', name, foreign_hash)
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
