import { createHash, randomBytes } from 'node:crypto'

/** Gives so many bytes; random ones, except where the same data are made again and again. */
export type Bytes = (count: number) => Buffer

/** A uuid of version 7: ordered by time, so that rows of one moment lie together. */
export function logId(at: Date, bytesOf: Bytes = randomBytes): string {
  const bytes = bytesOf(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return asUuid(bytes)
}

/** The smallest id of a moment: every row that happened then or later has a larger one. */
export function firstId(at: Date): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6)
  return asUuid(bytes)
}

/** The written form of 16 bytes. */
export function asUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/**
 * Hash of a row's values in column order, written with the row; seals chain these hashes. What the database may write in another way than it was
 * given has one form here: instants in microseconds of UTC, keys of jsonb sorted. So the hash can be made again from the stored row.
 */
export function rowHash(values: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values.map(canonical))).digest()
}

/** A text that fits its column. */
export function fit(text: string | undefined, length: number): string | null {
  return text === undefined ? null : [...text].slice(0, length).join('')
}

/** A value as jsonb gives it back: without what JSON cannot hold. */
export function jsonValue(value: unknown): unknown {
  return value === null || value === undefined ? null : JSON.parse(JSON.stringify(value))
}

function canonical(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().replace('Z', '000Z')
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value ?? null
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, canonical(part)]))
}
