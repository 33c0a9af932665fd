import type { Kysely } from 'kysely'
import type { SchoolDb } from './db.ts'

type Db = Kysely<SchoolDb>

/** The school of this tenant, or nothing when the id is unknown. */
export function findSchool(db: Db, school_id: number) {
  return db.selectFrom('school').selectAll().where('school_id', '=', school_id).executeTakeFirst()
}

/** The configuration of this tenant's school. */
export function findConfig(db: Db, school_id: number) {
  return db.selectFrom('school_config').selectAll().where('school_id', '=', school_id).executeTakeFirst()
}
