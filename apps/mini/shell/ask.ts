/** No answer within this time is 请求超时. */
const TIMEOUT_MS = 20_000
const GENERIC = '系统异常，请稍后重试'
const SUCCESS: readonly number[] = [600, 0]

/** What a call was refused with; `status` 0 = no answer. `msg` is the sentence for the user. */
export class Refused extends Error {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: unknown
  constructor(status: number, code: number, msg: string, data: unknown = null) {
    super(msg)
    this.name = 'Refused'
    this.status = status
    this.code = code
    this.msg = msg
    this.data = data
  }
}

export type Ask = { method: 'GET' | 'POST'; path: string; input?: unknown; token?: string }

/** Sends one call. The answers come from our own origin, which serialises them by schema. Throws Refused. */
export async function ask<T>({ method, path, input = {}, token }: Ask): Promise<T> {
  const is_get = method === 'GET'
  const late = new AbortController()
  const timer = window.setTimeout(() => late.abort(), TIMEOUT_MS)
  const headers = { ...(is_get ? {} : { 'Content-Type': 'application/json' }), ...(token === undefined ? {} : { Authorization: token }) }
  try {
    const response = await fetch(is_get ? withQuery(path, input) : path, { method, headers, signal: late.signal, ...(is_get ? {} : { body: JSON.stringify(input) }) })
    return dataOf<T>(response.status, await response.text())
  } catch (cause) {
    if (cause instanceof Refused) throw cause
    throw new Refused(0, 0, late.signal.aborted ? '请求超时' : '网络异常，请检查网络')
  } finally {
    window.clearTimeout(timer)
  }
}

function dataOf<T>(status: number, text: string): T {
  const envelope = envelopeOf<T>(text)
  if (envelope && status < 300 && SUCCESS.includes(envelope.code)) return envelope.data
  const is_broken = status === 500 || status === 502 || status === 504
  const said = status === 403 ? '无权限查看' : envelope?.msg || GENERIC
  throw new Refused(status, envelope?.code ?? status, is_broken ? GENERIC : said, envelope?.data)
}

function envelopeOf<T>(text: string): { code: number; msg?: string; data: T } | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function withQuery(path: string, input: unknown): string {
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : []
  const parts = given.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(String(value))}`]))
  return parts.length > 0 ? `${path}?${parts.join('&')}` : path
}

/** The sentence of whatever a call was thrown with. */
export function sentenceOf(cause: unknown): string {
  return cause instanceof Refused ? cause.msg : GENERIC
}
