import { createHash } from 'node:crypto'
import type { LogTable } from '../log-columns.ts'
import { asUuid } from '../log-row.ts'

/** One sealed row: its id and the hash of its content at the moment of sealing. */
export type Leaf = { log_id: string; hash: Buffer }

/** What a seal says of its rows; everything but root and signature goes into the root. */
export type SealHead = {
  school_id: number
  table_name: LogTable
  seal_no: number
  from_id: string
  to_id: string
  rows: number
  late: number
  altered: number
  /** every row that happened until then and was there is sealed by this seal or an earlier one */
  upto: string
  sealed_at: string
  leaves_hash: string
  prev_hash: string
}
export type Seal = SealHead & { root_hash: string; signature: string }

const format = 'campus-audit-seal-1'
const id_bytes = 16
const leaf_bytes = 48

/** What stands before the first seal of a journal. */
export const no_seal_hash = '0'.repeat(64)

/** The root of a seal, hex: hash over its head, which holds the hash of the leaves and the root before it. */
export function rootOf(head: SealHead): string {
  const { school_id, table_name, seal_no, from_id, to_id, rows, late, altered, upto, sealed_at, leaves_hash, prev_hash } = head
  return sha256(JSON.stringify([format, school_id, table_name, seal_no, from_id, to_id, rows, late, altered, upto, sealed_at, leaves_hash, prev_hash]))
}

/** Leaves as they are kept, in the order of sealing. */
export function packLeaves(leaves: readonly Leaf[]): Buffer {
  return Buffer.concat(leaves.flatMap(({ log_id, hash }) => [Buffer.from(log_id.replaceAll('-', ''), 'hex'), hash]))
}

/** @throws Error when the bytes are no whole number of leaves */
export function unpackLeaves(bytes: Buffer): Leaf[] {
  if (bytes.length % leaf_bytes !== 0) throw new Error('leaves of a seal are cut off')
  return Array.from({ length: bytes.length / leaf_bytes }, (_, at) => {
    const leaf = bytes.subarray(at * leaf_bytes, (at + 1) * leaf_bytes)
    return { log_id: asUuid(leaf.subarray(0, id_bytes)), hash: leaf.subarray(id_bytes) }
  })
}

/** Hash of packed leaves, hex. */
export function sha256(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}
