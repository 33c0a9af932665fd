import { sql } from 'kysely'
import type { Insertable, RawBuilder } from 'kysely'
import { chunks } from './bulk.ts'
import type { Db } from './db.ts'
import type { PeopleTables } from './tables.gen.ts'

/** Columns of a person that an edit may change; the row carries all of them, changed or not. */
const person_editable = [
  'user_name', 'name_py', 'name_initials', 'sex', 'id_type', 'id_no_enc', 'id_no_idx', 'id_no_mask', 'birthday', 'nation', 'country', 'gatqw',
  'political', 'email', 'tel', 'address', 'mail_address', 'home_address', 'postcode',
] as const

/** Columns of a pupil that an edit may change. */
const student_editable = [
  'student_no', 'school_roll_no', 'health', 'blood', 'name_pinyin', 'former_name', 'native_place', 'birth_division', 'hukou_division', 'hukou',
  'enrol_month', 'entry_way', 'study_method', 'source', 'only_child', 'preschool', 'left_behind', 'migrant_child', 'orphan', 'martyr_child',
  'need_aid', 'boarding_aid', 'disability', 'distance_km', 'commute', 'by_bus', 'remark',
] as const

export type PersonEdit = Pick<Insertable<PeopleTables['person']>, 'school_id' | 'user_id' | 'updated_at' | 'updated_by' | (typeof person_editable)[number]> & { row_version: number }
export type StudentEdit = Pick<Insertable<PeopleTables['student']>, 'school_id' | 'user_id' | (typeof student_editable)[number]>

/**
 * Writes changed people, 500 a statement. `row_version` is the one the edit was made from; a person somebody else has changed
 * since is left alone.
 * @returns the user ids that were written
 */
export async function updatePeople(db: Db, edits: readonly PersonEdit[]): Promise<Set<string>> {
  const written = new Set<string>()
  for (const part of chunks(edits)) {
    // The rows exist, so this never inserts: it is an update whose values need no type names.
    const rows = await db
      .insertInto('person')
      .values(part)
      .onConflict(on =>
        on
          .columns(['school_id', 'user_id'])
          .doUpdateSet({ ...fromExcluded(person_editable), updated_at: excluded('updated_at'), updated_by: excluded('updated_by'), row_version: sql`person.row_version + 1` })
          .where(sql<boolean>`person.row_version = excluded.row_version`),
      )
      .returning('user_id')
      .execute()
    for (const { user_id } of rows) written.add(user_id)
  }
  return written
}

/** Writes changed pupils, 500 a statement; their version is the person's. */
export async function updateStudents(db: Db, edits: readonly StudentEdit[]): Promise<void> {
  for (const part of chunks(edits)) {
    await db
      .insertInto('student')
      .values(part)
      .onConflict(on => on.columns(['school_id', 'user_id']).doUpdateSet(fromExcluded(student_editable)))
      .execute()
  }
}

function fromExcluded(columns: readonly string[]): Record<string, RawBuilder<never>> {
  return Object.fromEntries(columns.map(column => [column, excluded(column)]))
}

function excluded(column: string): RawBuilder<never> {
  return sql<never>`${sql.ref(`excluded.${column}`)}`
}
