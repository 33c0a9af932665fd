/** What an archive unfolds to, by its own list of contents. */
export type ZipFacts = { bytes: number; entries: number; is_locked: boolean }

const [end_mark, entry_mark, end_size, entry_size] = [0x06054b50, 0x02014b50, 22, 46] as const
/** A comment behind the list is at most so long. */
const most_comment = 65_535

/** Reads the list of contents without unfolding anything. @returns null when it is no archive */
export function readZip(bytes: Uint8Array): ZipFacts | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - end_size
  const first = Math.max(0, end - most_comment)
  while (end >= first && view.getUint32(end, true) !== end_mark) end -= 1
  if (end < first) return null
  const entries = view.getUint16(end + 10, true)
  const facts: ZipFacts = { bytes: 0, entries, is_locked: false }
  for (let at = view.getUint32(end + 16, true), read = 0; read < entries; read += 1) {
    if (at + entry_size > bytes.length || view.getUint32(at, true) !== entry_mark) return null
    facts.bytes += view.getUint32(at + 24, true)
    if ((view.getUint16(at + 8, true) & 1) === 1) facts.is_locked = true
    at += entry_size + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
  }
  return facts
}

const [most_bytes, most_entries] = [200 * 1024 * 1024, 5000] as const

/** Whether a document may be unfolded in a browser: an archive that grows without measure is not (chapter 60 §9, 15). */
export function mayUnfold(bytes: Uint8Array): boolean {
  const facts = readZip(bytes)
  return facts !== null && !facts.is_locked && facts.bytes <= most_bytes && facts.entries <= most_entries
}
