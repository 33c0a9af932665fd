import type { Insertable, Updateable } from 'kysely'
import type { FileRow, FilesDb, FilesHandle } from './db.ts'

export const state = { uploaded: 2, ready: 3, quarantined: 4, orphan: 5, deleted: 6 } as const

/** One file of a school, whatever its state. */
export function findFile(db: FilesHandle, { school_id, file_key }: FileRow) {
  return db.selectFrom('file_object').selectAll().where('school_id', '=', school_id).where('file_key', '=', file_key).executeTakeFirst()
}

/** Enters an uploaded file; nothing when the key is taken, unless its own uploader may replace it. */
export function enterFile(db: FilesHandle, file: Insertable<FilesDb['file_object']>, is_override: boolean) {
  const { school_id: _school, file_key: _key, ...facts } = file
  return db
    .insertInto('file_object')
    .values(file)
    .onConflict(conflict => {
      const taken = conflict.columns(['school_id', 'file_key'])
      return is_override ? taken.doUpdateSet({ ...facts, sha256: null, width: null, height: null }).where('file_object.uploaded_by', '=', file.uploaded_by) : taken.doNothing()
    })
    .returning('file_key')
    .executeTakeFirst()
}

/** Changes a file that is in one of these states; nothing when it is in another by now. */
export function changeFile(db: FilesHandle, { school_id, file_key }: FileRow, from: readonly number[], facts: Updateable<FilesDb['file_object']>) {
  return db.updateTable('file_object').set(facts).where('school_id', '=', school_id).where('file_key', '=', file_key).where('state', 'in', from).returningAll().executeTakeFirst()
}

/** Does anybody use it? */
export async function isUsed(db: FilesHandle, { school_id, file_key }: FileRow): Promise<boolean> {
  return (await db.selectFrom('file_ref').select('file_key').where('school_id', '=', school_id).where('file_key', '=', file_key).limit(1).executeTakeFirst()) !== undefined
}

/** Does this very thing use it? */
export async function isUsedBy(db: FilesHandle, { school_id, file_key }: FileRow, { ref_kind, ref_id }: Ref): Promise<boolean> {
  const found = await db.selectFrom('file_ref').select('file_key').where('school_id', '=', school_id).where('file_key', '=', file_key).where('ref_kind', '=', ref_kind).where('ref_id', '=', ref_id).executeTakeFirst()
  return found !== undefined
}

/** Who uses a file: `ref_kind` names the noun (`school.picture`), `ref_id` which one. */
export type Ref = { ref_kind: string; ref_id: string }

/** Enters that this thing uses the file; a second time changes nothing. */
export async function addRef(db: FilesHandle, { school_id, file_key }: FileRow, { ref_kind, ref_id }: Ref, now: Date): Promise<void> {
  await db.insertInto('file_ref').values({ school_id, file_key, ref_kind, ref_id, created_at: now }).onConflict(conflict => conflict.doNothing()).execute()
}

/** This thing uses one file no more, or any. */
export function dropRefs(db: FilesHandle, school_id: number, { ref_kind, ref_id }: Ref, { file_key }: { file_key?: string }) {
  let lines = db.deleteFrom('file_ref').where('school_id', '=', school_id).where('ref_kind', '=', ref_kind).where('ref_id', '=', ref_id)
  if (file_key !== undefined) lines = lines.where('file_key', '=', file_key)
  return lines.returning('file_key').execute()
}
