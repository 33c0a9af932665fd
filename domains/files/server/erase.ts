import { setTimer } from '@kit/server/event'
import type { Place } from './claim.ts'
import { asFiles } from './db.ts'
import { changeFile, holdFile, state } from './object.queries.ts'

const { arriving, uploaded, ready, quarantined, orphan } = state

/**
 * A file goes at once, whoever uses it: nobody is served it from the caller's commit on, and its bytes are taken away again and again until the store
 * has done it, which `files.deleted` tells. For the pictures of people who are deleted.
 * @returns the bucket or, without one, the driver of its store; null when there is no such file
 */
export async function eraseFile({ app, db: handle, school_id, now }: Place, file_key: string): Promise<string | null> {
  const db = asFiles(handle)
  const file = await holdFile(db, { school_id, file_key })
  if (!file || file.state > orphan) return null
  await db.deleteFrom('file_ref').where('school_id', '=', school_id).where('file_key', '=', file_key).execute()
  await changeFile(db, { school_id, file_key }, [arriving, uploaded, ready, quarantined], { state: orphan, unused_since: now })
  await setTimer({ app, db, school_id }, { kind: 'files.remove', ref: file_key, due_at: now })
  return file.bucket ?? file.driver
}
