import { createHash } from 'node:crypto'
import { file_kind, filesErrors } from '@campus/files/contract'
import { fail } from '@kit/contract'
import type { Selectable } from 'kysely'
import { openBytes, replaceBytes } from './bytes.ts'
import type { Desk, FilesDb } from './db.ts'
import { asFastStart, readFilm, unplayable } from './mp4.ts'
import type { Film } from './mp4.ts'

type File = Selectable<FilesDb['file_object']>
type Measured = { sha256: Buffer; size: string; width: number | null; height: number | null; duration_ms: number | null }

/** A larger file is read by pieces and not written anew. */
const most_in_memory = 64 * 1024 * 1024

/**
 * The hash of a file, and of a video its size and length; one whose index lies at its end is written anew with the index in front.
 * @throws Refusal missing; videoBroken, videoCodec, videoSlow for what a board cannot play
 */
export async function measure(desk: Desk, file: File): Promise<Measured> {
  const { head, sha256, size } = await readThrough(desk, file)
  const plain = { sha256, size: String(size), width: file.width, height: file.height, duration_ms: null }
  if (file.kind !== file_kind.video) return plain
  const film = readFilm(head, size)
  if (!film) throw fail(size > head.length && head.includes('mdat') ? filesErrors.videoSlow : filesErrors.videoBroken)
  const codec = unplayable(film)
  if (codec !== null) throw fail(filesErrors.videoCodec, { params: { codec } })
  if (film.is_fast) return { ...plain, ...sizeOf(film) }
  if (head.length < size) throw fail(filesErrors.videoSlow)
  return writeFast(desk, file, head, film)
}

const sizeOf = ({ width, height, duration_ms }: Film) => ({ width, height, duration_ms })

async function writeFast(desk: Desk, file: File, bytes: Buffer, film: Film): Promise<Measured> {
  const fast = asFastStart(bytes)
  if (!fast) throw fail(filesErrors.videoSlow)
  await replaceBytes(desk, file, fast, file.mime)
  return { sha256: createHash('sha256').update(fast).digest(), size: String(fast.length), ...sizeOf(film) }
}

async function readThrough(desk: Desk, file: File): Promise<{ head: Buffer; sha256: Buffer; size: number }> {
  const stream = await openBytes(desk, file)
  if (!stream) throw fail(filesErrors.missing)
  const hash = createHash('sha256')
  const pieces: Buffer[] = []
  let [size, kept] = [0, 0]
  for await (const piece of stream) {
    const bytes = Buffer.from(piece)
    hash.update(bytes)
    size += bytes.length
    if (kept < most_in_memory) pieces.push(bytes)
    kept += bytes.length
  }
  return { head: Buffer.concat(pieces), sha256: hash.digest(), size }
}
