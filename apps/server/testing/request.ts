import type { Call, Envelope, Reply } from '@kit/contract'
import { isDownload, isRedirect, isWebhook } from '@kit/contract'
import { z } from 'zod'
import { recordSeen } from './seen-text.ts'

export type CallOptions = { token?: string; headers?: Record<string, string>; path?: string; file?: { name: string; body: Uint8Array }; letter?: string }
export type Answer = { status: number; headers: Headers; body: Envelope; bytes: Uint8Array }

const EnvelopeShape = z.object({ code: z.number(), msg: z.string(), data: z.unknown(), error_id: z.string().optional() })

/** Sends one call as a client would: path parameters filled in, query or JSON body, multipart for uploads; `letter` is the body of a webhook. */
export async function send(base: string, call: Call, input: unknown, options: CallOptions = {}): Promise<Answer> {
  const rest = new Map<string, unknown>(typeof input === 'object' && input !== null ? Object.entries(input) : [])
  const path = (options.path ?? call.paths[0] ?? '').replace(/:(\w+)/g, (_all, name: string) => {
    const value = String(rest.get(name))
    rest.delete(name)
    return encodeURIComponent(value)
  })
  const has_body = call.method !== 'GET' && call.method !== 'DELETE'
  const has_query = !has_body || isWebhook(call)
  const query = has_query ? `?${queryOf(rest)}` : ''
  const response = await fetch(`${base}${path}${query}`, {
    method: call.method,
    redirect: 'manual',
    headers: { ...authorization(options.token), ...contentType(has_query, options), ...options.headers },
    ...(has_body ? { body: isWebhook(call) ? (options.letter ?? '') : bodyOf(Object.fromEntries(rest), options) } : {}),
  })
  return readAnswer(call, response)
}

function queryOf(values: ReadonlyMap<string, unknown>): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of values) if (value !== undefined) query.append(name, String(value))
  return query
}

/** Sends a raw body to a call's address; for malformed requests. */
export async function sendRaw(base: string, call: Call, path: string, init: RequestInit): Promise<Answer> {
  return readAnswer(call, await fetch(`${base}${path}`, { ...init, method: call.method }))
}

async function readAnswer(call: Call, response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer())
  const is_sent_on = isRedirect(call) && response.status === 302
  // A file may be JSON, too: it comes as an attachment.
  const is_file = isDownload(call) && response.ok && response.headers.has('content-disposition')
  const is_unchanged = response.status === 304 && bytes.length === 0
  const body = is_file || is_sent_on || is_unchanged ? { code: 600, msg: '', data: null } : EnvelopeShape.parse(JSON.parse(new TextDecoder().decode(bytes)))
  recordSeen(body)
  return { status: response.status, headers: response.headers, body, bytes }
}

/** The data of an answer, parsed by the reply schema of its call. */
export function dataOf<E extends Call>(call: E, answer: Answer): Reply<E>
export function dataOf(call: Call, answer: Answer): unknown {
  return z.parse(call.details.reply, answer.body.data)
}

function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: token }
}

function contentType(has_query: boolean, options: CallOptions): Record<string, string> {
  return has_query || options.file ? {} : { 'content-type': 'application/json' }
}

function bodyOf(input: Record<string, unknown>, options: CallOptions): string | FormData {
  if (!options.file) return JSON.stringify(input)
  const form = new FormData()
  for (const [name, value] of Object.entries(input)) form.append(name, String(value))
  form.append('file', new Blob([new Uint8Array(options.file.body)]), options.file.name)
  return form
}
