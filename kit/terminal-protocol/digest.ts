import { createHash } from 'node:crypto'
import { rowHash } from './hash.ts'

/** Rows of one kind are compared in so many buckets (chapter 31 §3, `sync.digest`). */
export const bucket_count = 256

export type HeldRow = { key: string; hash: string }

/** The bucket of a row: the first byte of SHA-256 of its key. */
export function bucketOf(key: string): number {
  return createHash('sha256').update(key).digest()[0] ?? 0
}

/** One hash for each bucket: of the sorted row hashes in it; empty text for an empty bucket. */
export function digestOf(rows: Iterable<HeldRow>): string[] {
  const buckets = Array.from({ length: bucket_count }, (): string[] => [])
  for (const { key, hash } of rows) buckets[bucketOf(key)]?.push(`${key} ${hash}`)
  return buckets.map(held => (held.length === 0 ? '' : rowHash(held.toSorted())))
}

/** The buckets in which two sides differ. */
export function differingBuckets(mine: readonly string[], theirs: readonly string[]): number[] {
  return Array.from({ length: bucket_count }, (_, at) => at).filter(at => (mine[at] ?? '') !== (theirs[at] ?? ''))
}
