import { compareHeld } from '@kit/terminal-protocol'
import type { Driver, HeldRow, Inbound, Receipt, Request, RowKind, SyncRow } from '@kit/terminal-protocol'
import { z } from 'zod'
import type { Played } from './lab.ts'

// A third family of hardware, as somebody would begin it who knows the seam and nothing else: words of JSON, ten rows at a time, read back whole.

const most_rows = 10
const Said = z.object({ re: z.string(), say: z.string(), keys: z.array(z.string()).default([]), rows: z.array(z.object({ key: z.string(), hash: z.string() })).default([]), card: z.string().default(''), user_id: z.string().optional() })
const Told = z.object({ id: z.string(), do: z.string(), kind: z.string(), rows: z.array(z.object({ key: z.string(), op: z.string(), hash: z.string(), code: z.string().optional(), user_id: z.string().optional() })) })

/** The server's side. */
export const stubDriver: Driver = {
  name: 'stub',
  capabilities: () => ({ door_schedule: false, sleep: false, power: false, weekly: false, qr: false, online_verify: false, evacuate: false, hold_open: false, lock: false, max_times: false, readback: 'pages' }),
  limits: () => ({ rows_per_command: most_rows, packet_bytes: 65_536, photo_bytes: 65_536 }),
  topics: (client_id, prefix) => ({ subscribe: [`${prefix}/${client_id}/stub/said`], owns: topic => topic === `${prefix}/${client_id}/stub/said` }),
  plan: rows => ({ requests: [...cut(rows.filter(row => row.op === 'delete')), ...cut(rows.filter(row => row.op === 'put'))], blocked: [] }),
  encode({ action, data, rows, stamp: { id, prefix, client_id } }) {
    const told = rows.map(({ key, op, hash, body }) => ({ key, op, hash, code: body?.code, user_id: body?.user_id }))
    return { topic: `${prefix}/${client_id}/stub/told`, bytes: Buffer.from(JSON.stringify({ id, do: action, kind: rows[0]?.k ?? data, rows: told })), serial: id }
  },
  decode(topic, bytes, { client_id, prefix }) {
    if (!stubDriver.topics(client_id, prefix).owns(topic)) return { kind: 'bad', reason: 'topic', detail: '' }
    const said = parsed(bytes, Said)
    return said ? inboundOf(said) : { kind: 'bad', reason: 'body', detail: '' }
  },
  settle: ({ rows }, { data }) => rows.map(({ k, key, ver }): Receipt => ({ k, key, ver, status: keysOf(data).includes(key) ? 'applied' : 'unknown' })),
  acknowledge: (inbound, { prefix, client_id }) => (inbound.kind === 'events' ? { topic: `${prefix}/${client_id}/stub/told`, bytes: Buffer.from(JSON.stringify({ id: inbound.re, do: 'taken', kind: '', rows: [] })), serial: inbound.re } : undefined),
  timeout_ms: () => 15_000,
  readback: kind => ({ action: 'read', data: kind, rows: [], is_read: true }),
  page: (_kind, _cursor, { data }) => ({ held: z.array(z.object({ key: z.string(), hash: z.string() })).parse(data), local: [] }),
  compare: compareHeld,
  recheck: ({ rows }) => rows.slice(0, 1).map((row): Request => ({ action: 'read', data: row.k, rows: [], is_read: true })),
}

function cut(rows: readonly SyncRow[]): Request[] {
  const kinds = [...Map.groupBy(rows, row => row.k).values()]
  return kinds.flatMap(of => Array.from({ length: Math.ceil(of.length / most_rows) }, (_, at) => ({ action: 'hold', rows: of.slice(at * most_rows, (at + 1) * most_rows), is_read: false })))
}

function inboundOf({ re, say, keys, rows, card, user_id }: z.output<typeof Said>): Inbound {
  if (say === 'here') return { kind: 'link', name: say, re, facts: {} }
  if (say !== 'pass') return { kind: 'reply', reply: { re, action: say, code: 'ok', message: '', data: say === 'rows' ? rows : keys } }
  const pass = { verify: 2, reason: '', code_masked: `****${card.slice(-4)}`, ...(user_id === undefined ? { refusal: 'unknown_credential' as const } : { user_id, state: 1 }) }
  return { kind: 'events', name: say, re, events: [{ seq: re, at: new Date(0).toISOString(), type: 'pass', pass }] }
}

function keysOf(data: unknown): string[] {
  return z.array(z.string()).catch([]).parse(data)
}

function parsed<T extends z.ZodType>(bytes: Uint8Array, schema: T): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(Buffer.from(bytes).toString())).data
  } catch {
    return undefined
  }
}

type Row = HeldRow & { code?: string | undefined; user_id?: string | undefined }

/** The hardware's side. */
export function playStub(): Played {
  const kinds = new Map<string, Map<string, Row>>()
  const waiting: { re: string; say: string; card: string; user_id?: string | undefined }[] = []
  let up: ((topic: string, bytes: Uint8Array) => void) | undefined
  let [dropped, passes] = [0, 0]
  const of = (kind: string) => kinds.get(kind) ?? kinds.set(kind, new Map()).get(kind) ?? new Map<string, Row>()
  const say = (word: object) => up?.('jdev/S1/stub/said', Buffer.from(JSON.stringify(word)))
  const tell = () => waiting.slice(0, 1).forEach(say)
  const held = (kind: RowKind): HeldRow[] => [...of(kind).values()].map(({ key, hash }) => ({ key, hash }))
  return {
    connect(to) {
      up = to
      say({ re: 'here', say: 'here' })
      tell()
    },
    disconnect: () => (up = undefined),
    down(_topic, bytes) {
      const told = parsed(bytes, Told)
      if (!told) return
      if (told.do === 'taken') {
        waiting.shift()
        return tell()
      }
      for (const row of told.rows) {
        if (row.op === 'delete') of(told.kind).delete(row.key)
        else of(told.kind).set(row.key, row)
      }
      if (dropped > 0) dropped -= 1
      else say({ re: told.id, ...(told.do === 'read' ? { say: 'rows', rows: [...of(told.kind).values()] } : { say: 'done', keys: told.rows.map(row => row.key) }) })
    },
    held,
    spoil: (kind, key) => void Object.assign(of(kind).get(key) ?? {}, { hash: '0'.repeat(16) }),
    lose: (kind, key) => void of(kind).delete(key),
    plant: key => void of('person').set(key, { key, hash: 'f'.repeat(16) }),
    show(card) {
      const found = [...of('credential').values()].find(row => row.code === card)
      waiting.push({ re: `p${(passes += 1)}`, say: 'pass', card, user_id: found?.user_id })
      if (waiting.length === 1) tell()
    },
    drop_replies(count) {
      dropped = count
    },
  }
}
