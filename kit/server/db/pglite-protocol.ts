import type { ErrorFields } from './database-error.ts'
import type { WireValue } from './value-codec.ts'

/** What the main thread asks the worker that holds the embedded engine. */
export type PgliteRequest =
  | { kind: 'open'; module: WebAssembly.Module; directory: string | null; durable: boolean; bootstrap: string; app_role: string; snapshot?: Uint8Array }
  | { kind: 'query'; text: string; values: WireValue[]; name: string | undefined }
  | { kind: 'exec'; text: string }
  | { kind: 'listen'; channel: string }
  | { kind: 'snapshot' }
  | { kind: 'sync_count' }
  | { kind: 'close' }

/** Rows travel as text, so that both engines share the same parsers on the main thread. */
export type PgliteAnswer = {
  command: string
  affected: number
  names: string[]
  type_oids: number[]
  rows: (string | null)[][]
  bytes?: Uint8Array
}

export type PgliteReply = { id: number } & ({ answer: PgliteAnswer } | { error: ErrorFields })

/** What a committed transaction said on a channel that is listened to. */
export type PgliteNotice = { channel: string; payload: string }

export type PgliteMessage = { id: number; request: PgliteRequest }
