import type { NewSchool } from '@kit/server/http'
import type { Insertable, Kysely } from 'kysely'
import type { SchoolDb } from './db.ts'

/** What may be said about a school when it is made, beside its id, name and type. */
export type SchoolFacts = Partial<Omit<Insertable<SchoolDb['school']>, keyof NewSchool>>
export type ConfigFacts = Partial<Omit<Insertable<SchoolDb['school_config']>, 'school_id'>>

/** Writes school and configuration; the other domains' seed steps follow in the same transaction. */
export async function addSchool(db: Kysely<SchoolDb>, school: NewSchool, facts: SchoolFacts = {}, config: ConfigFacts = {}): Promise<void> {
  await db.insertInto('school').values({ ...school, ...facts }).execute()
  await db.insertInto('school_config').values({ school_id: school.school_id, ...config }).execute()
}
