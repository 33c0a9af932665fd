/** No answer within this time is 请求超时. */
const TIMEOUT_MS = 20_000

export const messages = {
  network: '网络异常，请检查网络',
  timeout: '请求超时',
  generic: '系统异常，请稍后重试',
  forbidden: '无权限查看',
} as const

/**
 * What became of a call: `ok` with the data; `refused` by the server, with the sentence to show; `lost` when no answer
 * came (broken network or time-out), with the sentence to show.
 */
export type Answer<T> =
  | { kind: 'ok'; data: T }
  | { kind: 'refused'; status: number; code: number; msg: string; error_id?: string; data: unknown }
  | { kind: 'lost'; msg: string }

export type Ask = {
  method: 'GET' | 'POST'
  /** full path, `/web/…` */
  path: string
  query?: Record<string, string | number | undefined>
  body?: unknown
  /** goes to the Authorization header: a role ticket or a session token */
  token?: string
  /** longer than usual, for what takes the server its time */
  patience_ms?: number
}

type Envelope<T> = { code: number; msg?: string; data: T; error_id?: string }

/** Sends one call and reads its envelope; never throws. */
export async function ask<T>(request: Ask): Promise<Answer<T>> {
  try {
    const response = await fetch(addressOf(request), {
      method: request.method,
      headers: headersOf(request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(request.patience_ms ?? TIMEOUT_MS),
    })
    const text = await response.text()
    return readAnswer<T>(response.status, text)
  } catch (error) {
    const late = error instanceof DOMException && error.name === 'TimeoutError'
    return { kind: 'lost', msg: late ? messages.timeout : messages.network }
  }
}

/** Reads an answer: 2xx with code 600 (or 0) is success, everything else a refusal with its sentence (product spec §8). */
export function readAnswer<T>(status: number, text: string): Answer<T> {
  const envelope = parseEnvelope<T>(text)
  const good = status >= 200 && status < 300
  if (envelope && good && (envelope.code === 600 || envelope.code === 0)) return { kind: 'ok', data: envelope.data }
  return {
    kind: 'refused',
    status,
    code: envelope?.code ?? status,
    msg: sentence(status, envelope?.msg),
    error_id: envelope?.error_id,
    data: envelope?.data,
  }
}

function sentence(status: number, msg: string | undefined): string {
  if (status === 500 || status === 502 || status === 504) return messages.generic
  if (msg) return msg
  return status === 403 ? messages.forbidden : messages.generic
}

function parseEnvelope<T>(text: string): Envelope<T> | null {
  try {
    const envelope: Envelope<T> | null = JSON.parse(text)
    return envelope && typeof envelope.code === 'number' ? envelope : null
  } catch {
    return null
  }
}

function addressOf({ path, query = {} }: Ask): string {
  const parts = Object.entries(query).flatMap(([name, value]) => {
    return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  return parts.length > 0 ? `${path}?${parts.join('&')}` : path
}

function headersOf({ body, token }: Ask): Record<string, string> {
  return {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(token === undefined ? {} : { Authorization: token }),
  }
}
