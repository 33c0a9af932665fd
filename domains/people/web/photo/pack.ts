/** What is written of one file: its name, its bytes. */
export type PackedFile = { name: string; bytes: Blob }

const table = Uint32Array.from({ length: 256 }, (_, at) => {
  let value = at
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

const stored_flags = 0x800
const version = 20

/** Packs files as they are into one archive (pictures do not shrink); one after the other is read, none is copied. */
export async function packFiles(files: readonly PackedFile[]): Promise<Blob> {
  const parts: BlobPart[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let offset = 0
  for (const { name, bytes } of files) {
    const raw = new TextEncoder().encode(name)
    const facts = numbers([[version, 2], [stored_flags, 2], [0, 2], [0, 4], [crc32(new Uint8Array(await bytes.arrayBuffer())), 4], [bytes.size, 4], [bytes.size, 4], [raw.length, 2], [0, 2]])
    parts.push(numbers([[0x04034b50, 4]]), facts, raw, bytes)
    directory.push(numbers([[0x02014b50, 4], [version, 2]]), facts, numbers([[0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]]), raw)
    offset += 4 + facts.length + raw.length + bytes.size
  }
  const length = directory.reduce((sum, part) => sum + part.length, 0)
  const end = numbers([[0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [length, 4], [offset, 4], [0, 2]])
  return new Blob([...parts, ...directory, end], { type: 'application/zip' })
}

/** Numbers in as many bytes each, the lowest first. */
function numbers(values: readonly (readonly [value: number, bytes: number])[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(values.reduce((sum, [, bytes]) => sum + bytes, 0))
  let at = 0
  for (const [value, bytes] of values) for (let byte = 0; byte < bytes; byte++) out[at++] = Math.floor(value / 256 ** byte) % 256
  return out
}
