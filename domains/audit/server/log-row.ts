import { createHash, randomBytes } from 'node:crypto'

/** A uuid of version 7: ordered by time, so that rows of one moment lie together. */
export function logId(at: Date): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Hash of a row's values in column order, written with the row; seals chain these hashes. */
export function rowHash(values: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(values)).digest()
}

/** A text that fits its column. */
export function fit(text: string | undefined, length: number): string | null {
  return text === undefined ? null : [...text].slice(0, length).join('')
}

/** A jsonb parameter. */
export function jsonb(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
