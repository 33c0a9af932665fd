import { flatConfig } from '../config/flat.ts'
import { compareHeld } from '../driver.ts'
import type { Capabilities, Cursor, Happening, Inbound, ManagedDriver, Page, PassFacts, Receipt, Reply, Request, SyncRow } from '../driver.ts'
import { bucket_count, bucketOf, differingBuckets, digestOf } from '../digest.ts'
import type { HeldRow } from '../digest.ts'
import { decodeUp, encodeMessage } from './envelope.ts'
import type { JdevUp } from './envelope.ts'
import { downTopic, upKindOf } from './topic.ts'
import { EventItem, PassItem, ReplyUp } from './up.ts'

const most_rows_bytes = 200 * 1024
const reply_ms = 15_000
/** A package is fetched and looked at before the answer comes. */
const upgrade_ms = 315_000
/** A read-back asks for so many buckets at a time: of the most people a terminal holds, a few dozen kilobytes. */
const buckets_at_once = 32
const every_bucket = Array.from({ length: bucket_count }, (_, at) => at)
const all: Capabilities = { door_schedule: true, sleep: true, power: true, weekly: true, qr: true, online_verify: true, evacuate: true, hold_open: true, lock: true, max_times: true, readback: 'digest' }

/** Our own protocol behind the seam; its wire is the one of `envelope.ts`, untouched. */
export const jdevDriver: ManagedDriver = {
  name: 'jdev',
  capabilities: () => all,
  limits: () => ({ rows_per_command: 200, packet_bytes: most_rows_bytes, photo_bytes: 524_288 }),
  topics: (client_id, prefix) => ({ subscribe: [`${prefix}/${client_id}/up/#`], owns: topic => upKindOf(prefix, client_id, topic) !== undefined }),
  plan: (rows, { rows_per_command, packet_bytes }) => ({ requests: [...cut(rows.filter(isDelete), rows_per_command, packet_bytes), ...cut(rows.filter(row => !isDelete(row)), rows_per_command, packet_bytes)], blocked: [] }),
  encode({ action, data, stamp: { id, seq, epoch, at, prefix, client_id } }) {
    return { topic: downTopic(prefix, client_id, action === 'cmd' ? 'cmd' : 'sync'), bytes: encodeMessage({ id, seq, epoch, ts: at }, action, { ...record(data) }), serial: id }
  },
  decode(topic, bytes, { client_id, prefix }) {
    const kind = upKindOf(prefix, client_id, topic)
    if (kind === undefined) return { kind: 'bad', reason: 'topic', detail: '' }
    if (kind === 'bye') return { kind: 'link', name: 'bye', re: '', facts: {} }
    const read = decodeUp(bytes)
    return 'bad' in read ? { kind: 'bad', reason: read.bad.reason, detail: read.bad.detail } : inboundOf(read.message)
  },
  settle: ({ rows, is_read }, reply) => (is_read ? [] : rows.map(row => receiptOf(row, reply))),
  acknowledge(inbound, { id, seq, epoch, at, prefix, client_id }) {
    if (inbound.kind !== 'events') return undefined
    return { topic: downTopic(prefix, client_id, 'ack'), bytes: encodeMessage({ id, seq, epoch, ts: at, re: inbound.re }, 'ack', { epoch: inbound.epoch, upto: inbound.upto }), serial: id }
  },
  timeout_ms: ({ action }) => (action === 'cmd' ? upgrade_ms : reply_ms),
  readback: (kind, cursor) => ({ ...(cursor.step === 0 ? { action: 'sync.digest', data: { kind } } : { action: 'sync.bucket', data: { kind, b: bucketsOf(cursor) } }), rows: [], is_read: true }),
  page: (_kind, cursor, reply, _limits, wanted) => (cursor.step === 0 ? digestPage(reply, wanted) : bucketPage(cursor, reply)),
  compare: compareHeld,
  recheck: ({ rows }) => [...Map.groupBy(rows, row => row.k)].map(([kind, of]) => ({ action: 'sync.bucket', data: { kind, b: [...new Set(of.map(row => bucketOf(row.key)))] }, rows: of, is_read: true })),
  upgrade: ({ until, ...args }) => ({ action: 'cmd', data: { name: 'upgrade', args, expires_at: until }, rows: [], is_read: false }),
  readConfig: () => ({ action: 'sync.config', data: {}, rows: [], is_read: true }),
  configOf({ data }) {
    const said = ReplyUp.safeParse(data).data?.config
    return said && flatConfig(said)
  },
}

/** What has the same digest is held as it is wanted; the other buckets are read row by row, and all of them of a device that makes no digest. */
function digestPage({ code, data }: Reply, wanted: readonly HeldRow[]): Page | undefined {
  const theirs = ReplyUp.safeParse(data).data?.buckets
  if (!theirs && code !== 'unsupported') return undefined
  const buckets = theirs ? differingBuckets(digestOf(wanted), theirs) : every_bucket
  const held = wanted.filter(row => !buckets.includes(bucketOf(row.key)))
  return { held, local: [], ...(buckets.length > 0 ? { next: { step: 1, page: 0, buckets } } : {}) }
}

function bucketPage(cursor: Cursor, { data }: Reply): Page | undefined {
  const held = ReplyUp.safeParse(data).data?.rows
  if (!held) return undefined
  const next = { ...cursor, step: cursor.step + 1 }
  return { held, local: [], ...(bucketsOf(next).length > 0 ? { next } : {}) }
}

/** The buckets that one step of a read-back asks for; none after the last. */
function bucketsOf({ step, buckets = [] }: Cursor): readonly number[] {
  return buckets.slice((step - 1) * buckets_at_once, step * buckets_at_once)
}

function isDelete({ op }: SyncRow): boolean {
  return op === 'delete'
}

/** As many rows to a message as may travel together, by number and by size. */
function cut(rows: readonly SyncRow[], most: number, bytes: number): Request[] {
  const parts: SyncRow[][] = []
  let size = 0
  for (const row of rows) {
    const length = Buffer.byteLength(JSON.stringify(wireRow(row)))
    const last = parts.at(-1)
    if (last && last.length < most && size + length <= bytes) {
      last.push(row)
      size += length
    } else {
      parts.push([row])
      size = length
    }
  }
  return parts.map(part => ({ action: 'sync.rows', data: { rows: part.map(wireRow) }, rows: part, is_read: false }))
}

function wireRow({ photo: _photo, is_alone: _alone, ...row }: SyncRow) {
  return row
}

function receiptOf({ k, key, ver }: SyncRow, { data }: Reply): Receipt {
  const line = ReplyUp.safeParse(data).data?.results?.find(one => one.k === k && one.key === key && one.ver === ver)
  return line ?? { k, key, ver, status: 'unknown' }
}

function inboundOf(message: JdevUp): Inbound {
  if (message.type === 'reply') return { kind: 'reply', reply: { re: message.re ?? '', action: 'reply', code: message.body.code, message: message.body.text ?? '', data: message.body } }
  if (message.type !== 'event') return { kind: 'link', name: message.type, re: message.id, facts: { ...message.body, epoch: message.epoch, ts: message.ts } }
  const { items } = message.body
  return { kind: 'events', name: 'event', re: message.id, epoch: message.epoch, upto: Math.max(...items.map(item => item.seq)), events: items.map(item => happeningOf(message.epoch, item)) }
}

function happeningOf(epoch: string, item: Record<string, unknown> & { seq: number }): Happening {
  const known = EventItem.safeParse(item).data
  const pass = known?.type === 'pass' ? PassItem.safeParse(item).data : undefined
  return { seq: `${epoch}:${item.seq}`, at: known?.at ?? '', type: known?.type ?? 'unsupported', ...(pass ? { pass: passOf(pass) } : { facts: item }) }
}

function passOf({ user_id, verify, result, reason = '', code_masked, score }: PassItem): PassFacts {
  return { verify, state: result, reason, ...(user_id === undefined ? {} : { user_id }), ...(code_masked === undefined ? {} : { code_masked }), ...(score === undefined ? {} : { score }) }
}

function record(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {}
}
