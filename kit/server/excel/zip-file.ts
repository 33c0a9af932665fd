import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { nameWhole } from '../files/index.ts'
import { centralHeader, endRecord, localHeader } from './zip-record.ts'

/** One file of an archive that is written. */
export type ZipPart = { name: string; bytes: Buffer }

/** Its directory has room for offsets of four bytes; more is refused before it is written. */
const most_bytes = 2 ** 31

/**
 * Writes an archive of any number of files, one of them in memory at a time; pictures hardly shrink, so nothing is packed. It has its name only once its bytes are on the disk.
 * @returns the SHA-256 of the archive in hex @throws Error beyond 2 GB; on failure no file is left behind
 */
export async function writeZip(path: string, parts: AsyncIterable<ZipPart>): Promise<string> {
  const partial = `${path}.partial`
  const hash = createHash('sha256')
  try {
    await pipeline(Readable.from(pieces(parts), { objectMode: false }), async function* (source: AsyncIterable<Buffer>) {
      for await (const piece of source) {
        hash.update(piece)
        yield piece
      }
    }, createWriteStream(partial, { flags: 'wx' }))
    await nameWhole(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  return hash.digest('hex')
}

async function* pieces(parts: AsyncIterable<ZipPart>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, bytes } of parts) {
    const entry = { name: Buffer.from(name), method: 0, crc: crc32(bytes), inflated: bytes.length, packed: bytes.length }
    const header = localHeader(entry)
    directory.push(centralHeader(entry, offset), entry.name)
    offset += header.length + entry.name.length + bytes.length
    if (offset > most_bytes) throw new Error('the archive is larger than 2 GB')
    yield Buffer.concat([header, entry.name, bytes])
  }
  const central = Buffer.concat(directory)
  yield Buffer.concat([central, endRecord(directory.length / 2, central.length, offset)])
}
