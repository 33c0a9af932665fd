import type { ConfigValues, SchoolDraft } from '@campus/school/contract'
import type { Kysely } from 'kysely'
import type { SchoolDb } from './db.ts'

type Db = Kysely<SchoolDb>

/** The school of this tenant, or nothing when the id is unknown. */
export function findSchool(db: Db, school_id: number) {
  return db.selectFrom('school').selectAll().where('school_id', '=', school_id).executeTakeFirst()
}

/** The school of this tenant, locked until the transaction ends. */
export function lockSchool(db: Db, school_id: number) {
  return db.selectFrom('school').select(['school_id', 'school_name', 'state']).where('school_id', '=', school_id).forUpdate().executeTakeFirst()
}

/** The configuration of this tenant's school. */
export function findConfig(db: Db, school_id: number) {
  return db.selectFrom('school_config').selectAll().where('school_id', '=', school_id).executeTakeFirst()
}

type By = { school_id: number; by: string; now: Date }

/** Writes values of the configuration; nothing when it has another version by now. */
export function saveConfig(db: Db, { school_id, config_version, values, by, now }: By & { config_version: number; values: Partial<ConfigValues> }) {
  return db
    .updateTable('school_config')
    .set({ ...values, config_version: config_version + 1, updated_by: by, updated_at: now })
    .where('school_id', '=', school_id)
    .where('config_version', '=', config_version)
    .returningAll()
    .executeTakeFirst()
}

/** Writes what is said of the school; nothing when its row has another version by now. */
export function saveSchool(db: Db, { school_id, row_version, draft, by, now }: By & { row_version: number; draft: SchoolDraft }) {
  return db
    .updateTable('school')
    .set({ ...draft, home_lng: degrees(draft.home_lng), home_lat: degrees(draft.home_lat), row_version: row_version + 1, updated_by: by, updated_at: now })
    .where('school_id', '=', school_id)
    .where('row_version', '=', row_version)
    .returningAll()
    .executeTakeFirst()
}

/** Writes where the school is, in its own system of coordinates. */
export async function saveHome(db: Db, { school_id, home_lng, home_lat, by, now }: By & { home_lng: number; home_lat: number }): Promise<void> {
  await db
    .updateTable('school')
    .set(eb => ({ home_lng: degrees(home_lng), home_lat: degrees(home_lat), row_version: eb('row_version', '+', 1), updated_by: by, updated_at: now }))
    .where('school_id', '=', school_id)
    .execute()
}

/** Writes the name alone; nothing when the row has another version by now. */
export function renameSchool(db: Db, { school_id, school_name, row_version, by, now }: By & { school_name: string; row_version: number }) {
  return db
    .updateTable('school')
    .set({ school_name, row_version: row_version + 1, updated_by: by, updated_at: now })
    .where('school_id', '=', school_id)
    .where('row_version', '=', row_version)
    .returning(['school_id', 'school_name', 'row_version'])
    .executeTakeFirst()
}

/** Moves the school, whose row is locked, to another state. */
export async function setState(db: Db, { school_id, state, by, now }: By & { state: number }): Promise<void> {
  await db
    .updateTable('school')
    .set(eb => ({ state, row_version: eb('row_version', '+', 1), updated_by: by, updated_at: now }))
    .where('school_id', '=', school_id)
    .execute()
}

/** Points to another picture, or to none. */
export function savePicture(db: Db, { school_id, column, file_key, by, now }: By & { column: 'school_logo' | 'login_bg'; file_key: string | null }) {
  return db
    .updateTable('school')
    .set(eb => ({ [column]: file_key, row_version: eb('row_version', '+', 1), updated_by: by, updated_at: now }))
    .where('school_id', '=', school_id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

function degrees(value: number | null): string | null {
  return value === null ? null : String(value)
}
