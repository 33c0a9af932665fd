import { CallError } from './envelope.ts'
import { reportNetwork, reportServerDate } from './network.ts'

const TIMEOUT_MS = 30_000
const UPLOAD_TIMEOUT_MS = 300_000

export type Outgoing = { method: string; url: string; headers: Record<string, string>; body?: string; signal?: AbortSignal }
export type Answer = { status: number; text: string }

/** Sends by fetch. Throws CallError 请求超时 after 30 s, CallError of status 0 without sentence when the network is broken; an abort by the caller rejects with its own reason. */
export async function exchange(out: Outgoing): Promise<Answer> {
  return withAnswer(out, async (response) => ({ status: response.status, text: await response.text() }))
}

/** As `exchange`, reading the answer with `read` inside the same time limit. */
export async function withAnswer<T>(out: Outgoing, read: (response: Response) => Promise<T>): Promise<T> {
  const limit = AbortSignal.timeout(TIMEOUT_MS)
  const signal = out.signal ? AbortSignal.any([out.signal, limit]) : limit
  try {
    const response = await fetch(out.url, { method: out.method, headers: out.headers, body: out.body, signal, cache: 'no-store' })
    reportNetwork(true)
    reportServerDate(response.headers.get('Date'))
    return await read(response)
  } catch (cause) {
    if (out.signal?.aborted) throw cause
    if (limit.aborted) throw timedOut()
    reportNetwork(false)
    throw unreachable()
  }
}

/** Sends one file as multipart field `file`, after the fields of the JSON body, with progress 0–1; time-out 300 s. Same errors as `exchange`. */
export function exchangeFile(out: Outgoing, file: File, onProgress?: (part: number) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(out.method, out.url)
    request.timeout = UPLOAD_TIMEOUT_MS
    for (const [name, value] of Object.entries(out.headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => onProgress?.(event.total === 0 ? 0 : event.loaded / event.total)
    request.onload = () => {
      reportNetwork(true)
      resolve({ status: request.status, text: request.responseText })
    }
    request.ontimeout = () => reject(timedOut())
    request.onabort = () => reject(out.signal?.reason)
    request.onerror = () => {
      reportNetwork(false)
      reject(unreachable())
    }
    out.signal?.addEventListener('abort', () => request.abort())
    request.send(formOf(out.body, file))
  })
}

/** A server reads the fields of a form before its file; lists are joined by commas, as in a query. */
function formOf(body: string | undefined, file: File): FormData {
  const form = new FormData()
  const fields: unknown = JSON.parse(body ?? '{}')
  if (typeof fields === 'object' && fields !== null) for (const [name, value] of Object.entries(fields)) form.append(name, String(value))
  form.append('file', file)
  return form
}

function timedOut(): CallError {
  return new CallError({ status: 0, code: 0, msg: '请求超时' })
}

function unreachable(): CallError {
  return new CallError({ status: 0, code: 0, msg: '' })
}
