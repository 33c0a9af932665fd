import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { SheetRefused } from './refusal.ts'
import type { ZipEntry } from './zip-directory.ts'

type Decoder = InstanceType<typeof TextDecoder>

const maxSmallPart = 16 * 1024 * 1024
const headPacked = 1024
/** Deflate cannot expand more than 1,032 times. */
const headInflated = headPacked * 1032

/** A part as text. Of somebody else's file only small ones (relations, styles, the workbook), at most 16 MB; a workbook of our own may be any size. */
export function readPart(file: Buffer, entry: ZipEntry, most: number = maxSmallPart): string {
  if (entry.inflated > most) throw new SheetRefused('not_allowed')
  const bytes = inflate(packedBytes(file, entry), entry, entry.inflated)
  if (bytes.length !== entry.inflated) throw new SheetRefused('not_allowed')
  if (crc32(bytes) !== entry.crc) throw new SheetRefused('unreadable')
  return decode(new TextDecoder('utf-8', { fatal: true }), bytes)
}

/** The first bytes of a part, enough to tell its type. Never inflates more than the declared size. */
export function peekPart(file: Buffer, entry: ZipEntry): Buffer {
  const packed = packedBytes(file, entry).subarray(0, headPacked)
  return inflate(packed, entry, Math.min(entry.inflated, headInflated))
}

/** A big part in pieces of text. Stops at the first byte beyond the declared size. */
export async function* streamPart(file: Buffer, entry: ZipEntry): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let size = 0
  let crc = 0
  for await (const bytes of inflatedChunks(packedBytes(file, entry), entry)) {
    size += bytes.length
    if (size > entry.inflated) throw new SheetRefused('not_allowed')
    crc = crc32(bytes, crc)
    yield decode(decoder, bytes, true)
  }
  if (size !== entry.inflated) throw new SheetRefused('not_allowed')
  if (crc !== entry.crc) throw new SheetRefused('unreadable')
}

function packedBytes(file: Buffer, entry: ZipEntry): Buffer {
  const known = entry.method === 0 || entry.method === 8
  if (entry.encrypted || !known) throw new SheetRefused('unreadable')
  return file.subarray(entry.start, entry.start + entry.packed)
}

function inflate(packed: Buffer, entry: ZipEntry, limit: number): Buffer {
  if (entry.method === 0) return packed
  try {
    // zlib refuses a limit of 0, which is what an empty part declares.
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, limit), finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    const longer = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new SheetRefused(longer ? 'not_allowed' : 'unreadable')
  }
}

async function* inflatedChunks(packed: Buffer, entry: ZipEntry): AsyncGenerator<Buffer> {
  if (entry.method === 0) {
    yield packed
    return
  }
  const stream = createInflateRaw({ chunkSize: 64 * 1024 })
  stream.end(packed)
  const chunks: AsyncIterable<Buffer> = stream
  const iterator = chunks[Symbol.asyncIterator]()
  try {
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value
  } catch {
    throw new SheetRefused('unreadable')
  } finally {
    stream.destroy()
  }
}

function decode(decoder: Decoder, bytes: Uint8Array, stream = false): string {
  try {
    return decoder.decode(bytes, { stream })
  } catch {
    throw new SheetRefused('unreadable')
  }
}
