/** One entry of an archive as its headers name it; `packed` and `inflated` in bytes. */
export interface PackedEntry {
  name: Buffer
  method: number
  crc: number
  inflated: number
  packed: number
}

/** What stands before the bytes of an entry. */
export function localHeader(entry: PackedEntry): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  writeFields(header, 4, entry)
  return header
}

/** The fields that local and central headers share, from `version needed` to the length of the extra field. */
function writeFields(header: Buffer, at: number, { name, method, crc, inflated, packed }: PackedEntry): void {
  header.writeUInt16LE(20, at)
  header.writeUInt16LE(0x0800, at + 2)
  header.writeUInt16LE(method, at + 4)
  // 1980-01-01, the earliest date of the format: the same content gives the same bytes.
  header.writeUInt16LE(0x21, at + 8)
  header.writeUInt32LE(crc, at + 10)
  header.writeUInt32LE(packed, at + 14)
  header.writeUInt32LE(inflated, at + 18)
  header.writeUInt16LE(name.length, at + 22)
}

/** What the directory at the end says of an entry that begins at `offset`. */
export function centralHeader(entry: PackedEntry, offset: number): Buffer {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(20, 4)
  writeFields(header, 6, entry)
  header.writeUInt32LE(offset, 42)
  return header
}

/** The end of an archive: how many entries, and where their directory is. */
export function endRecord(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(count, 8)
  record.writeUInt16LE(count, 10)
  record.writeUInt32LE(size, 12)
  record.writeUInt32LE(offset, 16)
  return record
}
