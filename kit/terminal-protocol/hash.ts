import { createHash } from 'node:crypto'

const hash_length = 16

/** JSON with sorted keys and without what is absent: the same content is the same text. Texts are compared in their composed form (NFC). */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.normalize('NFC'))
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, one]) => one !== undefined).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`
}

/** Hash of what a device holds: the first 16 hex digits of SHA-256 over its canonical JSON (chapter 30 rule 3). */
export function rowHash(body: unknown): string {
  return createHash('sha256').update(canonical(body)).digest('hex').slice(0, hash_length)
}
