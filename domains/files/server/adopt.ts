import { createHash } from 'node:crypto'
import { kindOfName, mostMegabytes, purpose_facts } from '@campus/files/contract'
import type { UploadPurpose } from '@campus/files/contract'
import { readStorePlace } from '@campus/school/server'
import type { Me, Pre } from '@kit/server/http'
import type { Selectable } from 'kysely'
import { asFiles, storeKeyOf } from './db.ts'
import type { FilesDb, FilesHandle } from './db.ts'
import { head_bytes, mimeOf } from './magic.ts'
import { enterFile, findFile, state } from './object.queries.ts'
import { driver_of, openRemote, TooLarge } from './store/remote.ts'
import type { RemoteStore } from './store/remote.ts'

const mebi = 1024 * 1024

/**
 * A file that a browser has put into the school's outside store: nobody here knows of it until it is used. It is entered when it lies under
 * the caller's own folder, is not too large, and its first bytes are what its name says.
 */
export async function adoptRemote(pre: Pre, me: Me, { file_key, purpose }: { file_key: string; purpose: UploadPurpose }): Promise<Selectable<FilesDb['file_object']> | undefined> {
  const { app, now } = pre
  const { school_id, user_id } = me
  const kind = kindOfName(file_key)
  const place = await pre.own(school_id, (db: FilesHandle) => readStorePlace(db, school_id))
  const store = place?.oss_type
  if (store !== 1 && store !== 2 && store !== 3) return undefined
  const key = storeKeyOf(app, school_id, store)
  const bucket = place?.oss_bucket ?? null
  const is_own = new RegExp(`^${school_id}/${user_id}/[0-9]{8}/[A-Za-z0-9][A-Za-z0-9._-]{0,79}$`).test(file_key)
  const { kinds, is_sealed, visibility } = purpose_facts[purpose]
  if (!key || bucket === null || !is_own || kind === null || !kinds.includes(kind) || is_sealed) return undefined
  const remote = openRemote(app.config, key, { bucket, region: place?.oss_region ?? 'us-east-1' })
  const { head, size, sha256 } = await readOver(remote, file_key, mostMegabytes(purpose, kind, false) * mebi)
  const ext = file_key.slice(file_key.lastIndexOf('.') + 1).toLowerCase()
  const mime = mimeOf(kind, ext, head)
  if (mime === null) return undefined
  const facts = { store, driver: driver_of[store], bucket, purpose, kind, ext, mime, size: String(size), sha256, visibility, uploaded_by: user_id, uploaded_at: now, unused_since: now }
  return pre.own(school_id, async (db: FilesHandle) => {
    await enterFile(asFiles(db), { school_id, file_key, ...facts, state: state.uploaded })
    return findFile(db, { school_id, file_key })
  })
}

/** The beginning of a file, how large it really is (a store may say what it likes) and the hash of it. Nothing of one that is not there or too large. */
async function readOver(remote: RemoteStore, file_key: string, most_bytes: number): Promise<{ head: Buffer; size: number; sha256: Buffer | null }> {
  const hash = createHash('sha256')
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    const answer = await remote.get(file_key, most_bytes)
    if (!answer.ok) await answer.body?.cancel()
    for await (const piece of answer.ok && answer.body ? answer.body : []) {
      if (size < head_bytes) pieces.push(piece)
      size += piece.length
      hash.update(piece)
    }
  } catch (error) {
    if (error instanceof TooLarge) return { head: Buffer.alloc(0), size: 0, sha256: null }
    throw error
  }
  return { head: Buffer.concat(pieces).subarray(0, head_bytes), size, sha256: hash.digest() }
}
