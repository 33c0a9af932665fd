import { createHash } from 'node:crypto'
import { commonErrors, fail } from '@kit/contract'
import { openBytes } from './bytes.ts'
import type { Desk, FilesHandle } from './db.ts'
import { findFile } from './object.queries.ts'

/** SHA-256 of the bytes of a file as they lie, as hex; asked after `claim`, which may write a picture anew. @throws Refusal 404 when they are gone */
export async function digestOf(desk: Desk, key: { school_id: number; file_key: string }): Promise<string> {
  const file = await desk.own(key.school_id, (db: FilesHandle) => findFile(db, key))
  const bytes = file && (await openBytes(desk, file))
  if (!bytes) throw fail(commonErrors.notFound)
  const hash = createHash('sha256')
  for await (const piece of bytes) hash.update(piece)
  return hash.digest('hex')
}
