import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { asFiles } from './db.ts'
import { addRef, changeFile, holdFile, state } from './object.queries.ts'
import type { Ref } from './object.queries.ts'
import type { Place } from './claim.ts'

type Mine = { school_id: number; ref_kind: string; user_id: string }

/** Those of these files that somebody has brought in himself and that things of this kind use: what he may put elsewhere. */
export async function broughtBy(handle: QueryExecutorProvider, { school_id, ref_kind, user_id }: Mine, file_keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await asFiles(handle)
    .selectFrom('file_object as f')
    .select('f.file_key')
    .where('f.school_id', '=', school_id)
    .where('f.uploaded_by', '=', user_id)
    .where('f.state', '=', state.ready)
    .where(sql<boolean>`f.file_key = any(${[...file_keys]}::text[])`)
    .where(({ exists, selectFrom }) => exists(selectFrom('file_ref as r').select('r.file_key').where('r.school_id', '=', school_id).whereRef('r.file_key', '=', 'f.file_key').where('r.ref_kind', '=', ref_kind)))
    .execute()
  return new Set(rows.map(row => row.file_key))
}

/** One more thing uses a file that is in use already, or was a moment ago. @returns false when it is there no more */
export async function hold({ db: handle, school_id, now }: Place, file_key: string, ref: Ref): Promise<boolean> {
  const db = asFiles(handle)
  const file = await holdFile(db, { school_id, file_key })
  if (!file || file.state !== state.ready) return false
  await changeFile(db, { school_id, file_key }, [state.ready], { unused_since: null })
  await addRef(db, { school_id, file_key }, ref, now)
  return true
}

/** Many things of a kind use one file from now on, which somebody has just made. */
export async function holdForMany({ db, school_id, now }: Omit<Place, 'app'>, file_key: string, ref_kind: string, ref_ids: readonly string[]): Promise<void> {
  await insertMany(asFiles(db), 'file_ref', ref_ids.map(ref_id => ({ school_id, file_key, ref_kind, ref_id, created_at: now })))
}

/** The files that a thing uses. */
export async function filesOf(handle: QueryExecutorProvider, school_id: number, { ref_kind, ref_id }: Ref): Promise<string[]> {
  const rows = await asFiles(handle).selectFrom('file_ref').select('file_key').where('school_id', '=', school_id).where('ref_kind', '=', ref_kind).where('ref_id', '=', ref_id).orderBy('file_key').execute()
  return rows.map(row => row.file_key)
}
