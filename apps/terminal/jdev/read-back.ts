import { row_kinds } from '@kit/terminal-protocol'
import { z } from 'zod'
import type { TerminalStore } from './store.ts'

const Bucket = z.object({ kind: z.enum(row_kinds), b: z.array(z.number().int().min(0).max(255)) })
const Digest = z.object({ kind: z.enum(row_kinds) })

/** What a terminal says of what it holds, as it is asked. */
export function readBack(store: TerminalStore, type: string, body: unknown): Record<string, unknown> {
  if (type === 'sync.digest') {
    const { kind } = Digest.parse(body)
    return { kind, buckets: store.digest(kind) }
  }
  if (type === 'sync.bucket') {
    const { kind, b } = Bucket.parse(body)
    return { kind, rows: store.buckets(kind, b) }
  }
  return { code: 'unsupported' }
}
