import type { WireLine, WireRow } from '@campus/devices/contract'
import { wellFormedValue } from '@kit/contract/checks'
import { secret_settings } from '@kit/terminal-protocol/console'
import { redact } from '@kit/terminal-protocol/vf105'
import { z } from 'zod'

const [longest_text, most_rows] = [1200, 20]
/** What is somebody's own, or opens something: no engineer at a gate needs it. */
const personal: readonly string[] = ['name', 'userName', 'user_name', 'no', 'dept', 'department', 'employeeNo', 'idCard', 'verify_code', 'url', 'fields', 'secret', 'token', 'confirm', ...secret_settings.map(path => path.slice(path.indexOf('.') + 1))]
const answer = '_reply'

const Text = z.string().max(200).nullable().catch(null).default(null)
const Kind = z.enum(['permission', 'person', 'credential', 'block', 'config', 'rule', 'content', 'firmware'])
const Down = z.object({ k: Kind, key: z.string(), op: z.enum(['put', 'delete']) })
const Up = z.object({ k: Kind, key: z.string(), status: z.enum(['applied', 'same', 'refused', 'retry']), code: Text, text: Text })
const Jdev = z.object({ type: z.string().max(40), id: Text, re: Text, body: z.record(z.string(), z.unknown()).catch({}) })
const Vf105 = z.object({ serialNo: Text, code: Text, message: Text, data: z.unknown().optional() })
const Keyed = z.union([z.string().transform(row_key => ({ row_key })), z.object({ userId: z.string() }).transform(one => ({ row_key: one.userId })), z.object({ keyId: z.string() }).transform(one => ({ row_key: one.keyId })), z.object({ permissionId: z.string() }).transform(one => ({ row_key: one.permissionId }))])

/** A message as it went over the line. */
export type Said = { driver: string; way: 'up' | 'down'; topic: string; payload: Uint8Array }
type Described = Omit<WireLine, 'line_id' | 'at'>
type Parts = Partial<Pick<Described, 'name' | 'id' | 're' | 'code'>> & { kind: string; rows?: readonly WireRow[]; body: unknown }

/** What a message says, for whoever looks at the line: its kind, what it answers, its rows, and its body without secrets and names; pure. */
export function describeMessage(said: Said): Described {
  const json = parsed(said.payload)
  const { kind, name = null, id = null, re = null, code = null, rows = [], body } = json === undefined ? { kind: 'unreadable', body: '' } : said.driver === 'vf105' ? ofVf105(said, json) : ofJdev(json)
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body, null, 2)
  return { way: said.way, kind, name, id, re, code, bytes: said.payload.byteLength, rows: rows.slice(0, most_rows), rows_more: Math.max(0, rows.length - most_rows), text: text.slice(0, longest_text), is_cut: text.length > longest_text }
}

function ofJdev(json: unknown): Parts {
  const read = Jdev.safeParse(json)
  if (!read.success) return { kind: 'unreadable', body: '' }
  const { type, id, re, body } = read.data
  const { rows, results, name, code } = body
  const told = [...z.array(Down).catch([]).parse(rows).map(row => ({ kind: row.k, row_key: row.key, status: row.op, text: null })), ...z.array(Up).catch([]).parse(results).map(row => ({ kind: row.k, row_key: row.key, status: row.status, text: row.text ?? row.code }))]
  // What stands among the rows is not said twice.
  const rest = Object.fromEntries(Object.entries(body).filter(([key]) => key !== 'results' && !(key === 'name' && type === 'cmd')))
  return { kind: type, name: type === 'cmd' ? Text.parse(name) : null, id, re, code: type === 'reply' ? Text.parse(code) : null, rows: told, body: redact(rest, { also: personal }) }
}

/** Answers and events end in names that say what they are; the serial number of an answer is that of its question (chapter 31 §5.1). */
function ofVf105({ topic }: Said, json: unknown): Parts {
  const last = topic.slice(topic.lastIndexOf('/') + 1)
  const { serialNo, code, message, data } = Vf105.catch({ serialNo: null, code: null, message: null, data: undefined }).parse(json)
  const is_answer = last.endsWith(answer)
  const puts = last.startsWith('insert')
  const rows = is_answer || !(puts || last.startsWith('del')) ? [] : keysOf(data).map(row_key => ({ kind: null, row_key, status: puts ? ('put' as const) : ('delete' as const), text: null }))
  return { kind: is_answer ? last.slice(0, -answer.length) : last, id: is_answer ? null : serialNo, re: is_answer ? serialNo : null, code: code === null ? null : `${code}${message ? ` ${message}` : ''}`, rows, body: redact(data, { also: personal, at_top: false }) }
}

function keysOf(data: unknown): string[] {
  const listed = Array.isArray(data) ? data : z.object({ keyIds: z.array(z.unknown()) }).safeParse(data).data?.keyIds ?? []
  return listed.flatMap(one => Keyed.safeParse(one).data?.row_key ?? [])
}

function parsed(payload: Uint8Array): unknown {
  try {
    return wellFormedValue(JSON.parse(Buffer.from(payload).toString('utf8')))
  } catch {
    return undefined
  }
}
