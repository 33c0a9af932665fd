import { z } from 'zod'
import { patience_ms } from './carrier.ts'

const most_bytes = 64 * 1024
const Answered = z.record(z.string(), z.unknown())

export type Answer = { status: number; body: Readonly<Record<string, unknown>> }

/**
 * Posts JSON to a provider and reads its JSON, within ten seconds; nobody is followed elsewhere.
 * @throws Error without an answer, or with one that is no JSON object; its words hold nothing of what was sent or answered
 */
export async function postJson(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return ask(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
}

/** Asks a provider for its JSON, likewise. */
export async function getJson(url: string): Promise<Answer> {
  return ask(url, {})
}

async function ask(url: string, init: RequestInit): Promise<Answer> {
  const answer = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(patience_ms) }).catch(() => {
    throw new Error('provider: no answer')
  })
  const text = await textOf(answer)
  const read = Answered.safeParse(parsed(text))
  if (!read.success) throw new Error(`provider: no JSON with ${answer.status}`)
  return { status: answer.status, body: read.data }
}

async function textOf(answer: Response): Promise<string> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of answer.body ?? []) {
    bytes += part.length
    if (bytes > most_bytes) throw new Error('provider: answer too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
