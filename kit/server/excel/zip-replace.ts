import { crc32, deflateRawSync } from 'node:zlib'
import type { ZipEntry } from './zip-directory.ts'

interface PackedEntry {
  name: Buffer
  method: number
  crc: number
  inflated: number
  bytes: Buffer
}

/** Copies a zip file with the named parts replaced; the others keep their packed bytes. For archives under 4 GB. */
export function replaceParts(file: Buffer, entries: ZipEntry[], changed: ReadonlyMap<string, string | Buffer>): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries.map((each) => packEntry(file, each, changed.get(each.name)))) {
    const header = Buffer.alloc(30)
    header.writeUInt32LE(0x04034b50, 0)
    writeFields(header, 4, entry)
    directory.push(centralHeader(entry, offset), entry.name)
    pieces.push(header, entry.name, entry.bytes)
    offset += header.length + entry.name.length + entry.bytes.length
  }
  const central = Buffer.concat(directory)
  return Buffer.concat([...pieces, central, endRecord(entries.length, central.length, offset)])
}

function packEntry(file: Buffer, entry: ZipEntry, replacement: string | Buffer | undefined): PackedEntry {
  const name = Buffer.from(entry.name)
  const { method, crc, inflated, start, packed } = entry
  if (replacement === undefined) return { name, method, crc, inflated, bytes: file.subarray(start, start + packed) }
  const content = Buffer.from(replacement)
  return { name, method: 8, crc: crc32(content), inflated: content.length, bytes: deflateRawSync(content) }
}

/** The fields that local and central headers share, from `version needed` to the length of the extra field. */
function writeFields(header: Buffer, at: number, { name, method, crc, inflated, bytes }: PackedEntry): void {
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(0x0800, at + 2)
  header.writeUInt16LE(method, at + 4)
  // 1980-01-01, the earliest date of the format: the same content gives the same bytes.
  header.writeUInt16LE(0x21, at + 8)
  header.writeUInt32LE(crc, at + 10)
  header.writeUInt32LE(bytes.length, at + 14)
  header.writeUInt32LE(inflated, at + 18)
  header.writeUInt16LE(name.length, at + 22)
}

function centralHeader(entry: PackedEntry, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(20, 4)
  writeFields(header, 6, entry)
  header.writeUInt32LE(offset, 42)
  return header
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(count, 8)
  record.writeUInt16LE(count, 10)
  record.writeUInt32LE(size, 12)
  record.writeUInt32LE(offset, 16)
  return record
}
