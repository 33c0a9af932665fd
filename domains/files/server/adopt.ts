import { kindOfName, mostMegabytes, purpose_facts } from '@campus/files/contract'
import type { UploadPurpose } from '@campus/files/contract'
import { readStorePlace } from '@campus/school/server'
import type { Me, Pre } from '@kit/server/http'
import type { Selectable } from 'kysely'
import { asFiles, storeKeyOf } from './db.ts'
import type { FilesDb, FilesHandle } from './db.ts'
import { head_bytes, mimeOf } from './magic.ts'
import { enterFile, findFile, state } from './object.queries.ts'
import { driver_of, openRemote } from './store/remote.ts'

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
  const answer = await openRemote(key, { bucket, region: place?.oss_region ?? 'us-east-1' }).get(file_key)
  const size = Number(answer.headers.get('content-length') ?? Number.NaN)
  const head = answer.ok ? await headOf(answer) : Buffer.alloc(0)
  const ext = file_key.slice(file_key.lastIndexOf('.') + 1).toLowerCase()
  const mime = mimeOf(kind, ext, head)
  if (mime === null || !(size > 0 && size <= mostMegabytes(purpose, kind, false) * mebi)) return undefined
  const facts = { store, driver: driver_of[store], bucket, purpose, kind, ext, mime, size: String(size), visibility, uploaded_by: user_id, uploaded_at: now, unused_since: now }
  return pre.own(school_id, async (db: FilesHandle) => {
    await enterFile(asFiles(db), { school_id, file_key, ...facts, state: state.uploaded })
    return findFile(db, { school_id, file_key })
  })
}

/** The beginning of an answer; the rest is not fetched. */
async function headOf(answer: Response): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= head_bytes) break
  }
  return Buffer.concat(pieces).subarray(0, head_bytes)
}
