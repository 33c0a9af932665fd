import { field_scenes } from '@campus/people/contract'
import type { FieldFacet } from '@campus/people/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A custom field as it is stored. */
export type FieldRecord = Awaited<ReturnType<typeof readFieldDefs>>[number]

type Said = Readonly<Record<string, string | null>>
/** Whose custom values: the file of a pupil or of a member of staff. */
type FileOf = { school_id: number; user_id: string; facet: FieldFacet }

/** Custom fields of a facet in their order, archived ones last. */
export function readFieldDefs(db: Db, school_id: number, facet: FieldFacet) {
  return db
    .selectFrom('field_def')
    .select(['id', 'field_code', 'label', 'type', 'options', 'dict_code', 'required', 'max_len', 'group_name', 'order_no', 'level', 'in_index', 'in_export', 'edit_by', 'archived', 'row_version'])
    .where('school_id', '=', school_id)
    .where('field_scene', '=', field_scenes[facet])
    .orderBy('archived')
    .orderBy('order_no')
    .orderBy('id')
    .execute()
}

/** Codes under which anybody's file has a value, departed people included. */
export async function usedCodes(db: Db, school_id: number, facet: FieldFacet): Promise<Set<string>> {
  const { rows } = await sql<{ code: string }>`select distinct k.code from ${sql.table(facet)} s cross join lateral jsonb_object_keys(s.ext) as k(code) where s.school_id = ${school_id}`.execute(db)
  return new Set(rows.map(row => row.code))
}

/** Writes what is said of the custom fields of these people over what stands there, in one statement; null takes a value away. */
export async function writeExts(db: Db, { school_id, facet }: Omit<FileOf, 'user_id'>, rows: readonly { user_id: string; said: Said }[]): Promise<void> {
  const wanted = rows.filter(({ said }) => Object.keys(said).length > 0)
  if (wanted.length === 0) return
  await sql`
    update ${sql.table(facet)} s set ext = jsonb_strip_nulls(s.ext || x.said)
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) x(user_id bigint, said jsonb)
    where s.school_id = ${school_id} and s.user_id = x.user_id`.execute(db)
}

/** The same for one. */
export function writeExt(db: Db, { school_id, user_id, facet }: FileOf, said: Said): Promise<void> {
  return writeExts(db, { school_id, facet }, [{ user_id, said }])
}
