import type { Fault, Refusal } from '@kit/terminal-protocol/console'

const patience_ms = 60_000
const no_session = 401

/** What a call was refused with. `status` 0: the device did not answer. */
export class Refused extends Error {
  readonly status: number
  readonly faults: readonly Fault[]
  constructor(status: number, faults: readonly Fault[] = []) {
    super(`${status} ${faults.map(fault => fault.code).join()}`)
    this.status = status
    this.faults = faults
  }
}

let csrf = ''
let onLost = (): void => undefined

/** The word that every change carries in a header. */
export function keepCsrf(word: string): void {
  csrf = word
}

/** What happens when the device no longer knows the session. */
export function whenLost(work: () => void): void {
  onLost = work
}

/** Sends one call to the device that serves this page. @throws Refused */
export async function ask<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: unknown): Promise<T> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { 'X-Csrf': csrf, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) }
  const response = await fetch(`/api/${path}`, { method, headers, ...sent, signal: AbortSignal.timeout(patience_ms) }).catch(() => undefined)
  if (!response) throw new Refused(0)
  return answerOf<T>(response.status, await response.text(), path)
}

/** Sends a file as it is, and says how much of it is there (0–100). @throws Refused */
export function send<T>(path: string, file: Blob, onProgress: (percent: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/${path}`)
    request.setRequestHeader('X-Csrf', csrf)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.upload.addEventListener('progress', event => event.lengthComputable && onProgress(Math.floor((event.loaded / event.total) * 100)))
    request.addEventListener('error', () => reject(new Refused(0)))
    request.addEventListener('load', () => {
      try {
        resolve(answerOf<T>(request.status, request.responseText, path))
      } catch (cause) {
        reject(cause)
      }
    })
    request.send(file)
  })
}

function answerOf<T>(status: number, text: string, path: string): T {
  const read = readJson<T & Partial<Refusal>>(text)
  if (status < 300 && read) return read
  if (status === no_session && path !== 'login') onLost()
  throw new Refused(read ? status : 0, read?.faults ?? [])
}

function readJson<T>(text: string): T | null {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
