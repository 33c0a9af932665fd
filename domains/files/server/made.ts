import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { kindOfName, purpose_facts } from '@campus/files/contract'
import type { BroughtPurpose } from '@campus/files/contract'
import { keepBytes } from './bytes.ts'
import type { Claimed, Place } from './claim.ts'
import { asFiles } from './db.ts'
import type { Desk } from './db.ts'
import { mimeOf } from './magic.ts'
import { addRef, enterMade, state } from './object.queries.ts'
import type { Ref } from './object.queries.ts'

/** A file that the product makes itself (a drawn picture, a sheet); `name` with its extension. */
export type Made = { file_key: string; purpose: BroughtPurpose; bytes: Buffer; width?: number; height?: number }

/**
 * Puts a made file into the embedded store, before the transaction; the answer, run inside it, enters the file ready and in use.
 * @throws Error when its bytes are not what its name says: that is our own fault
 */
export async function keepMade(desk: Desk, school_id: number, user_id: string, { file_key, purpose, bytes, width, height }: Made): Promise<(place: Place, ref: Ref) => Promise<Claimed>> {
  const kind = kindOfName(file_key)
  const ext = file_key.slice(file_key.lastIndexOf('.') + 1)
  const mime = kind && mimeOf(kind, ext, bytes)
  if (kind === null || mime === null) throw new Error(`${file_key} is not what its name says`)
  const stored = { school_id, file_key, driver: 'embedded', store: 2, bucket: null, purpose }
  const path = desk.app.files.scratch()
  try {
    await writeFile(path, bytes, { mode: 0o600 })
    await keepBytes(desk, stored, path)
  } finally {
    await desk.app.files.discard(path)
  }
  return async ({ db: handle, now }, ref) => {
    const db = asFiles(handle)
    const facts = { kind, ext, mime, size: String(bytes.length), sha256: createHash('sha256').update(bytes).digest(), width: width ?? null, height: height ?? null, visibility: purpose_facts[purpose].visibility }
    await enterMade(db, { ...stored, ...facts, state: state.ready, uploaded_by: user_id, uploaded_at: now })
    await addRef(db, { school_id, file_key }, ref, now)
    return { file_key, kind, mime, size: bytes.length, width: facts.width, height: facts.height }
  }
}
