import type { Call, Reply, Request as RequestOf } from '@kit/contract'
import { toast } from '../parts/toast.ts'
import { sessionLost } from '../session/auth-failure.ts'
import { renewSession } from '../session/renew.ts'
import { readStored } from '../session/storage.ts'
import { CallError, jsonOf, judge } from './envelope.ts'
import type { Judgement } from './envelope.ts'
import { exchange, exchangeFile } from './exchange.ts'
import type { Answer, Outgoing } from './exchange.ts'
import { sendingOf } from './request.ts'
import { submissionEnded, submissionKey } from './submission.ts'
import { announceWritten } from './written.ts'

export type CallOptions = {
  signal?: AbortSignal
  /** the caller shows the refusal itself */
  quiet?: boolean
  /** the file of an upload endpoint */
  file?: File
  /** 0–1, while the file travels */
  onProgress?: (part: number) => void
}

/**
 * Calls one endpoint of the contract. Answers `data`; a refusal is shown as a message (unless `quiet`) and thrown as
 * CallError. An expired session is renewed once, silently. Aborting by `signal` rejects with the signal's reason.
 */
export function call<E extends Call>(endpoint: E, input: RequestOf<E>, options: CallOptions = {}): Promise<Reply<E>> {
  return send<Reply<E>>(endpoint, input, options)
}

/** As `call` for input that was put together from the address bar and is checked by the server alone. */
export async function send<T>(endpoint: Call, input: unknown, options: CallOptions = {}): Promise<T> {
  return guarded(options.quiet, async () => {
    const sending = sendingOf(endpoint, input)
    const key = submissionKey(endpoint, `${sending.url} ${sending.body ?? ''}`)
    const keyed: Record<string, string> = key === null ? {} : { 'Idempotency-Key': key }
    try {
      const answer = await authorized(endpoint, (headers) => ask({ ...sending, headers: { ...headers, ...keyed }, signal: options.signal }, options))
      submissionEnded(endpoint, key, true)
      const data = dataOf<T>(answer.text)
      announceWritten(endpoint)
      return data
    } catch (cause) {
      if (cause instanceof CallError && cause.status > 0) submissionEnded(endpoint, key, false)
      throw cause
    }
  })
}

/** Runs one exchange with the token; on 401 or 406 renews once and repeats. Throws CallError for everything but success. */
export async function authorized<A extends Answer>(endpoint: Call, run: (headers: Record<string, string>) => Promise<A>): Promise<A> {
  const token = readStored('token')
  const first = await run(headersOf(endpoint))
  if (judged(first).kind !== 'signed_out') return accepted(endpoint, first)
  if (mayRenew(endpoint) && (await renewed(token))) return accepted(endpoint, await run(headersOf(endpoint)))
  return accepted(endpoint, first)
}

/** Shows a refusal unless told to be quiet; a broken network shows the strip instead. */
export async function guarded<T>(quiet: boolean | undefined, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    if (!quiet && cause instanceof CallError) show(cause)
    throw cause
  }
}

function ask(out: Outgoing, options: CallOptions): Promise<Answer> {
  if (!options.file) return exchange({ ...out, headers: out.body === undefined ? out.headers : { ...out.headers, 'Content-Type': 'application/json' } })
  return exchangeFile(out, options.file, options.onProgress)
}

function headersOf(endpoint: Call): Record<string, string> {
  const headers: Record<string, string> = {}
  const token = readStored('token')
  if (token) headers.Authorization = token
  const school_id = readStored('school_id')
  if (endpoint.family === 'admin' && school_id) headers['tenant-id'] = school_id
  return headers
}

function mayRenew(endpoint: Call): boolean {
  const access = endpoint.details
  return !('open' in access) && !('ticket' in access && access.ticket === 'refresh')
}

async function renewed(token: string | null): Promise<boolean> {
  try {
    return await renewSession(token)
  } catch (cause) {
    if (cause instanceof CallError && cause.status === 401) return false
    throw cause
  }
}

// A file's answer has no envelope: whatever is not JSON and not an error status is success.
function judged(answer: Answer): Judgement {
  return answer.text === '' && answer.status < 300 ? { kind: 'ok', data: undefined } : judge(answer.status, jsonOf(answer.text))
}

function accepted<A extends Answer>(endpoint: Call, answer: A): A {
  const result = judged(answer)
  if (result.kind === 'ok') return answer
  if (result.kind === 'signed_out' && mayRenew(endpoint)) sessionLost(result.error.msg)
  throw result.error
}

// The server checks and serialises every reply by the endpoint's schema, so the shape is its word.
function dataOf<T>(text: string): T {
  const envelope: { data: T } = JSON.parse(text)
  return envelope.data
}

function show(error: CallError): void {
  if (error.msg === '' || error.status === 401 || error.status === 406) return
  if (error.status >= 500) toast.error(error.msg)
  else toast.warning(error.msg)
}
