import { crc32, deflateRawSync } from 'node:zlib'
import type { ZipEntry } from './zip-directory.ts'
import { centralHeader, endRecord, localHeader } from './zip-record.ts'
import type { PackedEntry } from './zip-record.ts'

/** Copies a zip file with the named parts replaced; the others keep their packed bytes. For archives under 4 GB. */
export function replaceParts(file: Buffer, entries: ZipEntry[], changed: ReadonlyMap<string, string | Buffer>): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries.map((each) => packEntry(file, each, changed.get(each.name)))) {
    const header = localHeader(entry)
    directory.push(centralHeader(entry, offset), entry.name)
    pieces.push(header, entry.name, entry.bytes)
    offset += header.length + entry.name.length + entry.bytes.length
  }
  const central = Buffer.concat(directory)
  return Buffer.concat([...pieces, central, endRecord(entries.length, central.length, offset)])
}

function packEntry(file: Buffer, entry: ZipEntry, replacement: string | Buffer | undefined): PackedEntry & { bytes: Buffer } {
  const name = Buffer.from(entry.name)
  const { method, crc, inflated, start, packed } = entry
  if (replacement === undefined) return { name, method, crc, inflated, packed, bytes: file.subarray(start, start + packed) }
  const content = Buffer.from(replacement)
  const bytes = deflateRawSync(content)
  return { name, method: 8, crc: crc32(content), inflated: content.length, packed: bytes.length, bytes }
}
