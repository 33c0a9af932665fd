import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Insertable, QueryExecutorProvider, Updateable } from 'kysely'
import type { FileRow, FilesDb, FilesHandle } from './db.ts'

export const state = { arriving: 1, uploaded: 2, ready: 3, quarantined: 4, orphan: 5, deleted: 6 } as const

/** One file of a school, whatever its state. */
export function findFile(db: FilesHandle, { school_id, file_key }: FileRow) {
  return db.selectFrom('file_object').selectAll().where('school_id', '=', school_id).where('file_key', '=', file_key).executeTakeFirst()
}

/** The same file held against everybody else until the transaction ends: its claims, releases and sweep come one after the other. */
export function holdFile(db: FilesHandle, { school_id, file_key }: FileRow) {
  return db.selectFrom('file_object').selectAll().where('school_id', '=', school_id).where('file_key', '=', file_key).forUpdate().executeTakeFirst()
}

/**
 * Enters a file; nothing when the key is taken. `replaces`: its own uploader may put something else under a name that nobody has used yet and
 * that nothing is arriving for. What is or was in use keeps its bytes.
 */
export function enterFile(db: FilesHandle, file: Insertable<FilesDb['file_object']>, replaces = false) {
  const { school_id: _school, file_key: _key, ...facts } = file
  return db
    .insertInto('file_object')
    .values(file)
    .onConflict(conflict => {
      const taken = conflict.columns(['school_id', 'file_key'])
      if (!replaces) return taken.doNothing()
      return taken
        .doUpdateSet(({ ref }) => ({ ...facts, sha256: null, width: null, height: null, bytes_no: sql<number>`${ref('file_object.bytes_no')} + 1` }))
        .where('file_object.uploaded_by', '=', file.uploaded_by)
        .where('file_object.state', 'in', [state.uploaded, state.quarantined])
    })
    .returning(['file_key', 'bytes_no'])
    .executeTakeFirst()
}

/** A file as the product makes it. */
export type MadeRow = Pick<Insertable<FilesDb['file_object']>, 'school_id' | 'file_key' | 'uploaded_by' | (typeof of_made)[number]>
const of_made = ['driver', 'store', 'bucket', 'purpose', 'kind', 'ext', 'mime', 'size', 'sha256', 'width', 'height', 'visibility', 'state', 'uploaded_at'] as const

/** The product's own files; each takes the place of an earlier one of that name. */
export function enterMade(db: QueryExecutorProvider, files: readonly MadeRow[]): Promise<void> {
  return insertMany(db, 'file_object', files, { columns: ['school_id', 'file_key'], set: of_made, same: ['uploaded_by'] })
}

/** The bytes of one upload under a name. */
export type BytesRow = FileRow & { bytes_no: number }

/** Changes a file in one of these states, as long as it has the bytes that were looked at. */
export function changeBytes(db: FilesHandle, { school_id, file_key, bytes_no }: BytesRow, from: readonly number[], facts: Updateable<FilesDb['file_object']>) {
  return db.updateTable('file_object').set(facts).where('school_id', '=', school_id).where('file_key', '=', file_key).where('bytes_no', '=', bytes_no).where('state', 'in', from).returningAll().executeTakeFirst()
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
export function addRef(db: QueryExecutorProvider, { school_id, file_key }: FileRow, ref: Ref, now: Date): Promise<void> {
  return addRefs(db, school_id, [{ file_key, ...ref }], now)
}

/** The same for many files of one school. */
export function addRefs(db: QueryExecutorProvider, school_id: number, refs: readonly (Ref & { file_key: string })[], now: Date): Promise<void> {
  return insertMany(db, 'file_ref', refs.map(({ file_key, ref_kind, ref_id }) => ({ school_id, file_key, ref_kind, ref_id, created_at: now })), {})
}

/** This thing uses one file no more, or any. */
export function dropRefs(db: FilesHandle, school_id: number, { ref_kind, ref_id }: Ref, { file_key }: { file_key?: string }) {
  let lines = db.deleteFrom('file_ref').where('school_id', '=', school_id).where('ref_kind', '=', ref_kind).where('ref_id', '=', ref_id)
  if (file_key !== undefined) lines = lines.where('file_key', '=', file_key)
  return lines.returning('file_key').execute()
}
