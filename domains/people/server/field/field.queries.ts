import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A custom field as it is stored. */
export type FieldRecord = Awaited<ReturnType<typeof readFieldDefs>>[number]

/** Custom fields of a scene in their order, archived ones last. */
export function readFieldDefs(db: Db, school_id: number, field_scene: number) {
  return db
    .selectFrom('field_def')
    .select(['id', 'field_code', 'label', 'type', 'options', 'required', 'max_len', 'group_name', 'order_no', 'level', 'in_index', 'archived', 'row_version'])
    .where('school_id', '=', school_id)
    .where('field_scene', '=', field_scene)
    .orderBy('archived')
    .orderBy('order_no')
    .orderBy('id')
    .execute()
}

/** Codes under which any pupil has a value, departed ones included. */
export async function usedCodes(db: Db, school_id: number): Promise<Set<string>> {
  const { rows } = await sql<{ code: string }>`select distinct k.code from student s cross join lateral jsonb_object_keys(s.ext) as k(code) where s.school_id = ${school_id}`.execute(db)
  return new Set(rows.map(row => row.code))
}

/** Writes what is said of a pupil's custom fields over what stands there; null takes a value away. */
export async function writeExt(db: Db, school_id: number, user_id: string, said: Readonly<Record<string, string | null>>): Promise<void> {
  if (Object.keys(said).length === 0) return
  await sql`update student set ext = jsonb_strip_nulls(ext || ${JSON.stringify(said)}::jsonb) where school_id = ${school_id} and user_id = ${user_id}`.execute(db)
}
