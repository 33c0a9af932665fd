import { SheetRefused } from './refusal.ts'

export interface ZipEntry {
  /** With forward slashes, as stored. */
  name: string
  /** 0 stored, 8 deflate. */
  method: number
  encrypted: boolean
  crc: number
  /** Bytes in the file. */
  packed: number
  /** Bytes after inflating, as declared. */
  inflated: number
  /** Where the packed bytes begin. */
  start: number
}

const endSignature = 0x06054b50
const zip64EndSignature = 0x06064b50
const zip64LocatorSignature = 0x07064b50
const centralSignature = 0x02014b50
const localSignature = 0x04034b50
const maxEntries = 10_000
const maxComment = 0xffff

interface Directory {
  count: number
  offset: number
  size: number
}

/**
 * The entries of a zip file, found without inflating anything.
 * Refuses more than 10,000 entries before looking at any, doubled names, entries that share bytes, and headers that
 * contradict each other: all of them ways to show one archive to the checker and another to the reader.
 */
export function readDirectory(file: Buffer): ZipEntry[] {
  const directory = findDirectory(file)
  if (directory.count > maxEntries) throw new SheetRefused('not_allowed')
  const end = directory.offset + directory.size
  if (end > file.length) throw new SheetRefused('unreadable')

  const entries: ZipEntry[] = []
  let at = directory.offset
  while (at + 46 <= end && file.readUInt32LE(at) === centralSignature) {
    const { entry, next } = readEntry(file, at, directory.offset)
    entries.push(entry)
    if (entries.length > maxEntries) throw new SheetRefused('not_allowed')
    at = next
  }
  if (at !== end) throw new SheetRefused('unreadable')
  if (entries.length !== directory.count) throw new SheetRefused('not_allowed')
  refuseOverlaps(entries)
  return entries
}

function findDirectory(file: Buffer): Directory {
  const at = findEnd(file)
  const directory = { count: file.readUInt16LE(at + 10), size: file.readUInt32LE(at + 12), offset: file.readUInt32LE(at + 16) }
  const overflowed = directory.count === 0xffff || directory.size === 0xffffffff || directory.offset === 0xffffffff
  const locator = at - 20
  if (!overflowed || locator < 0 || file.readUInt32LE(locator) !== zip64LocatorSignature) return directory
  const wide = readWide(file, locator + 8)
  if (wide + 56 > file.length || file.readUInt32LE(wide) !== zip64EndSignature) throw new SheetRefused('unreadable')
  return { count: readWide(file, wide + 32), size: readWide(file, wide + 40), offset: readWide(file, wide + 48) }
}

function findEnd(file: Buffer): number {
  const first = Math.max(0, file.length - 22 - maxComment)
  for (let at = file.length - 22; at >= first; at--) {
    if (file.readUInt32LE(at) !== endSignature) continue
    if (at + 22 + file.readUInt16LE(at + 20) <= file.length) return at
  }
  throw new SheetRefused('unreadable')
}

function readEntry(file: Buffer, at: number, limit: number): { entry: ZipEntry; next: number } {
  const nameEnd = at + 46 + file.readUInt16LE(at + 28)
  const extraEnd = nameEnd + file.readUInt16LE(at + 30)
  const next = extraEnd + file.readUInt16LE(at + 32)
  if (next > file.length) throw new SheetRefused('unreadable')

  const rawName = file.subarray(at + 46, nameEnd)
  const wide = wideFields(file.subarray(nameEnd, extraEnd))
  const widened = (value: number) => (value === 0xffffffff ? (wide.shift() ?? value) : value)
  // The order of the wide fields is fixed: inflated size, packed size, offset.
  const inflated = widened(file.readUInt32LE(at + 24))
  const packed = widened(file.readUInt32LE(at + 20))
  const offset = widened(file.readUInt32LE(at + 42))
  const start = dataStart(file, offset, rawName)
  if (start + packed > limit) throw new SheetRefused('unreadable')

  const entry: ZipEntry = {
    name: rawName.toString('utf8').replaceAll('\\', '/'),
    method: file.readUInt16LE(at + 10),
    encrypted: (file.readUInt16LE(at + 8) & 1) === 1,
    crc: file.readUInt32LE(at + 16),
    packed,
    inflated,
    start,
  }
  return { entry, next }
}

function dataStart(file: Buffer, offset: number, rawName: Buffer): number {
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== localSignature) throw new SheetRefused('unreadable')
  const nameEnd = offset + 30 + file.readUInt16LE(offset + 26)
  if (!file.subarray(offset + 30, nameEnd).equals(rawName)) throw new SheetRefused('not_allowed')
  return nameEnd + file.readUInt16LE(offset + 28)
}

function wideFields(extra: Buffer): number[] {
  let at = 0
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (end > extra.length) return []
    if (extra.readUInt16LE(at) === 1) {
      const fields: number[] = []
      for (let field = at + 4; field + 8 <= end; field += 8) fields.push(readWide(extra, field))
      return fields
    }
    at = end
  }
  return []
}

function readWide(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new SheetRefused('not_allowed')
  return Number(value)
}

function refuseOverlaps(entries: ZipEntry[]): void {
  const names = new Set(entries.map((entry) => entry.name.toLowerCase()))
  if (names.size !== entries.length) throw new SheetRefused('not_allowed')
  let used = 0
  for (const entry of entries.toSorted((a, b) => a.start - b.start)) {
    if (entry.start < used) throw new SheetRefused('not_allowed')
    used = entry.start + entry.packed
  }
}
