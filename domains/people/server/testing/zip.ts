import { crc32, deflateRawSync } from 'node:zlib'

/** A file of an archive; the name as its bytes stand there, `utf8` says so by the flag. */
export type ZipFile = { name: Buffer | string; bytes: Buffer; utf8?: boolean; deflate?: boolean; claims?: number }

/** An archive as any program packs it; `claims` lies about the size. */
export function zipOf(files: readonly ZipFile[]): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const { name, bytes, utf8 = true, deflate = false, claims = bytes.length } of files) {
    const raw = typeof name === 'string' ? Buffer.from(name) : name
    const packed = deflate ? deflateRawSync(bytes) : bytes
    const facts = Buffer.alloc(26)
    facts.writeUInt16LE(20, 0)
    facts.writeUInt16LE(utf8 ? 0x800 : 0, 2)
    facts.writeUInt16LE(deflate ? 8 : 0, 4)
    facts.writeUInt32LE(crc32(bytes), 10)
    facts.writeUInt32LE(packed.length, 14)
    facts.writeUInt32LE(claims, 18)
    facts.writeUInt16LE(raw.length, 22)
    const where = Buffer.alloc(14)
    where.writeUInt32LE(offset, 10)
    locals.push(Buffer.from('PK\u0003\u0004', 'latin1'), facts, raw, packed)
    centrals.push(Buffer.from('PK\u0001\u0002', 'latin1'), Buffer.from([20, 0]), facts, where, raw)
    offset += 30 + raw.length + packed.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\u0005\u0006', 'latin1'), end])
}
