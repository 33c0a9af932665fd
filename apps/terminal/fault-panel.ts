import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { row_kinds } from '@kit/terminal-protocol'
import { z } from 'zod'
import { AiBox } from './box/ai-box.ts'
import type { JdevTerminal } from './jdev/terminal.ts'

const loopback = '127.0.0.1'
const most_bytes = 4096
const second_ms = 1000
/** The hash of what nobody has sent. */
/** What stands at a terminal and nobody has sent there has this hash. */
export const foreign_hash = 'f'.repeat(16)
const [ok, bad, no_token, unknown, too_big] = [200, 400, 401, 404, 413]

/** Something happens before a camera of a box; where it is not said, in the middle of the picture, certain, and for a minute that is just over. */
const Seen = z.strictObject({ kind: z.string().regex(/^[0-9]{1,4}$/u), camera: z.string().min(1).max(64), x: z.number().min(0).max(1).default(0.5), y: z.number().min(0).max(1).default(0.5), score: z.number().min(0).max(100).default(95), lasts_s: z.number().int().min(0).max(600).default(60) })
/** What goes wrong on command (chapter 31 §6): a name that stands here works, any other is refused. */
const Wanted = z.strictObject({
  net: z.enum(['off', 'on']).optional(),
  clock_offset_s: z.number().int().min(-86_400).max(86_400).optional(),
  drop_next_replies: z.number().int().min(0).max(1000).optional(),
  reboot: z.literal(true).optional(),
  wipe: z.literal(true).optional(),
  open_door: z.boolean().optional(),
  fire: z.boolean().optional(),
  on_battery: z.boolean().optional(),
  add_local_person: z.string().regex(/^[\w-]{1,64}$/u).optional(),
  corrupt_row: z.string().regex(/^[\w:-]{1,128}$/u).optional(),
  see: Seen.optional(),
})
type Reply = { status: number; body: unknown }

/** The panel of one terminal: where it listens and what opens it. */
export type FaultPanel = { port: number; token: string; close(): Promise<void> }

/** Lets a test or an engineer on this machine spoil one terminal: `POST /_test` does, `GET /_test/state` counts, both with `Authorization: Bearer {token}`. Port 0: any free one. */
export async function openFaultPanel(terminal: JdevTerminal, wanted_port: number): Promise<FaultPanel> {
  const token = randomBytes(16).toString('hex')
  const server = createServer((request, response) => {
    void answer(terminal, token, request).catch((): Reply => ({ status: bad, body: { error: 'bad_request' } })).then(({ status, body }) => {
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted_port, loopback, resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : wanted_port
  return { port, token, close: () => new Promise(resolve => server.close(() => resolve())) }
}

async function answer(terminal: JdevTerminal, token: string, request: IncomingMessage): Promise<Reply> {
  if (!isToken(token, request.headers.authorization)) return { status: no_token, body: { error: 'token' } }
  const call = `${request.method} ${request.url}`
  if (call === 'GET /_test/state') return { status: ok, body: stateOf(terminal) }
  if (call !== 'POST /_test') return { status: unknown, body: { error: 'unknown' } }
  const text = await readText(request)
  if (text === null) return { status: too_big, body: { error: 'too_big' } }
  await spoil(terminal, Wanted.parse(JSON.parse(text)))
  return { status: ok, body: stateOf(terminal) }
}

function isToken(token: string, sent: string | undefined): boolean {
  const [wanted, got] = [Buffer.from(`Bearer ${token}`), Buffer.from(sent ?? '')]
  return wanted.length === got.length && timingSafeEqual(wanted, got)
}

async function readText(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of request) {
    parts.push(Buffer.from(part))
    bytes += parts.at(-1)?.length ?? 0
    if (bytes > most_bytes) return null
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Goes through the wishes in a fixed order: the line is what it was told to be when all are done. It does not wait for a broker. */
async function spoil(terminal: JdevTerminal, wanted: z.output<typeof Wanted>): Promise<void> {
  const { net, clock_offset_s, drop_next_replies, reboot, wipe, open_door, fire, on_battery, add_local_person, corrupt_row, see } = wanted
  if (clock_offset_s !== undefined) terminal.faults.clock_offset_ms = clock_offset_s * second_ms
  if (drop_next_replies !== undefined) terminal.faults.drop_replies = drop_next_replies
  if (open_door !== undefined) terminal.door.open = open_door
  if (fire !== undefined) terminal.door.fire = fire
  if (on_battery !== undefined) terminal.faults.on_battery = on_battery
  if (add_local_person !== undefined) terminal.store.enter('person', add_local_person, foreign_hash)
  if (corrupt_row !== undefined) terminal.store.spoil(corrupt_row, foreign_hash)
  if (see !== undefined) boxOf(terminal).watch({ ...see, at: new Date(terminal.now.getTime() - see.lasts_s * second_ms) })
  if (wipe) terminal.store.wipe()
  const was_connected = terminal.is_connected
  if (net === 'off' || reboot || wipe) await terminal.stop()
  if (net === 'off') return
  if (reboot || wipe || (net === 'on' && !was_connected)) {
    await terminal.stop()
    void terminal.start()
    return
  }
  terminal.beat()
}

/** @throws Error where no camera is looked through */
function boxOf(terminal: JdevTerminal): AiBox {
  if (!(terminal instanceof AiBox)) throw new Error('only a box sees')
  return terminal
}

function stateOf(terminal: JdevTerminal) {
  const { store, is_connected, faults, door, trace } = terminal
  const rows = Object.fromEntries(row_kinds.map(kind => [kind, [...store.held(kind)].map(([key, { ver, hash }]) => ({ key, ver, hash }))]))
  return { connected: is_connected, store_id: store.store_id, rows, commands_seen: trace.length, records_waiting: store.waiting, records_lost: store.lost, clock_offset_s: faults.clock_offset_ms / second_ms, drop_next_replies: faults.drop_replies, on_battery: faults.on_battery, door, ...(terminal instanceof AiBox ? { scenes: terminal.scenes } : {}) }
}
