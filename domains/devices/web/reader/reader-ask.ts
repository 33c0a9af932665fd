import { z } from 'zod'
import type { ReaderAddress } from './reader-address.ts'
import { reader_sentences, unknown_error, unreachable } from './reader-words.ts'

const Reply = z.object({ code: z.number().int(), data: z.record(z.string(), z.unknown()).default({}) })
/** A service that takes longer than its own time-out by so much does not answer any more. */
const patience_ms = 3000

export type ReaderCall = 'get_state' | 'open' | 'set_cfg' | 'req_card' | 'iden_card/reset' | 'iden_card/beep'

/** Why a reader did not do what it was asked; `code` null: it did not answer at all. */
export class ReaderFault extends Error {
  readonly code: number | null

  constructor(code: number | null) {
    super(code === null ? unreachable : (reader_sentences[code] ?? unknown_error))
    this.code = code
  }
}

/** One call to a reader's service. @throws ReaderFault */
export async function askReader({ ip, port }: ReaderAddress, call: ReaderCall, body: { timeout_ms?: number; [name: string]: unknown }, signal: AbortSignal): Promise<Record<string, unknown>> {
  const until = AbortSignal.any([signal, AbortSignal.timeout((body.timeout_ms ?? 0) + patience_ms)])
  const reply = await fetch(`http://${ip}:${port}/${call}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal: until, credentials: 'omit', cache: 'no-store' })
    .then(async answer => Reply.parse(await answer.json()))
    .catch(() => null)
  if (reply === null) throw new ReaderFault(null)
  if (reply.code !== 0) throw new ReaderFault(reply.code)
  return reply.data
}
