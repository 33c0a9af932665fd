import { wellFormedValue } from '@kit/contract/checks'
import { z } from 'zod'
import { EventUp, HelloUp, ReplyUp, StateUp } from './up.ts'

/** Longest message in bytes (chapter 31 §3). */
export const longest_message = 256 * 1024
const version = 1
/** Deepest nesting of a message: whoever walks through one that was read never runs out of stack. */
const deepest = 32

const Envelope = z.object({
  v: z.number(),
  id: z.string().min(1).max(64),
  seq: z.number().int().min(0),
  epoch: z.string().min(1).max(64),
  ts: z.iso.datetime({ offset: true }),
  type: z.string().min(1).max(40),
  re: z.string().max(64).optional(),
  body: z.record(z.string(), z.unknown()),
})
type Envelope = z.output<typeof Envelope>
type Head = Omit<Envelope, 'body' | 'type' | 'v'>

/** What a device said. */
export type JdevUp = Head & ({ type: 'hello'; body: HelloUp } | { type: 'state'; body: StateUp } | { type: 'event'; body: EventUp } | { type: 'reply'; body: ReplyUp })
/** Why something said is not understood; `re` is the id of the message, where it could be read. */
export type BadMessage = { reason: 'too_large' | 'too_deep' | 'json' | 'envelope' | 'version' | 'unsupported' | 'body'; detail: string; re?: string }

const bodies = { hello: HelloUp, state: StateUp, event: EventUp, reply: ReplyUp } as const

/** Reads what a device has published under `up/…`. Never throws. */
export function decodeUp(bytes: Uint8Array): { message: JdevUp } | { bad: BadMessage } {
  const read = readEnvelope(bytes)
  if ('bad' in read) return read
  const { body, type, ...head } = read.envelope
  if (type === 'hello') return withBody(bodies.hello, body, head, said => ({ ...head, type, body: said }))
  if (type === 'state') return withBody(bodies.state, body, head, said => ({ ...head, type, body: said }))
  if (type === 'event') return withBody(bodies.event, body, head, said => ({ ...head, type, body: said }))
  if (type === 'reply') return withBody(bodies.reply, body, head, said => ({ ...head, type, body: said }))
  return { bad: { reason: 'unsupported', detail: type, re: head.id } }
}

/** Reads any message of our envelope, for whoever listens below. Never throws. */
export function readEnvelope(bytes: Uint8Array): { envelope: Envelope } | { bad: BadMessage } {
  if (bytes.length > longest_message) return { bad: { reason: 'too_large', detail: `${bytes.length} bytes` } }
  const json = parse(bytes)
  if (json === undefined) return { bad: { reason: 'json', detail: 'no JSON object' } }
  if (isDeeper(json, deepest)) return { bad: { reason: 'too_deep', detail: `more than ${deepest} levels` } }
  const read = Envelope.safeParse(json)
  if (!read.success) return { bad: { reason: 'envelope', detail: issueOf(read.error) } }
  if (read.data.v !== version) return { bad: { reason: 'version', detail: String(read.data.v), re: read.data.id } }
  return { envelope: read.data }
}

/** The bytes of a message. */
export function encodeMessage(head: Head, type: string, body: Record<string, unknown>): Buffer {
  const envelope: Envelope = { v: version, ...head, type, body }
  return Buffer.from(JSON.stringify(envelope))
}

function withBody<T extends z.ZodType, M>(schema: T, body: unknown, head: Head, made: (said: z.output<T>) => M): { message: M } | { bad: BadMessage } {
  const read = schema.safeParse(body)
  return read.success ? { message: made(read.data) } : { bad: { reason: 'body', detail: issueOf(read.error), re: head.id } }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some(one => isDeeper(one, levels - 1))
}

function issueOf(error: z.ZodError): string {
  const [issue] = error.issues
  return issue ? `${issue.path.join('.')}: ${issue.code}` : 'invalid'
}

function parse(bytes: Uint8Array): unknown {
  try {
    return wellFormedValue(JSON.parse(Buffer.from(bytes).toString('utf8')))
  } catch {
    return undefined
  }
}
