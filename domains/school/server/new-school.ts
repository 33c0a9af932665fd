import type { Config } from '@kit/server/config'
import type { NewSchool } from '@kit/server/http'
import type { Insertable, Kysely } from 'kysely'
import type { SchoolDb } from './db.ts'
import { enterRegistry } from './registry.queries.ts'

/** What may be said about a school when it is made, beside its id, name and type. */
export type SchoolFacts = Partial<Omit<Insertable<SchoolDb['school']>, keyof NewSchool>>
export type ConfigFacts = Partial<Omit<Insertable<SchoolDb['school_config']>, 'school_id'>>

/** What the region an installation serves gives every new school; the school may change it afterwards (chapter 10 §12). */
export function regionFacts({ CAMPUS_DIVISION, CAMPUS_GPS_TYPE, CAMPUS_OSS_TYPE, CAMPUS_OSS_REGION }: Config): { facts: SchoolFacts; config: ConfigFacts } {
  return {
    facts: { division: CAMPUS_DIVISION || null },
    config: { gps_type: CAMPUS_GPS_TYPE, oss_type: CAMPUS_OSS_TYPE, oss_region: CAMPUS_OSS_REGION || null },
  }
}

/** Writes school, configuration and its line of the registry; the other domains' seed steps follow in the same transaction. */
export async function addSchool(db: Kysely<SchoolDb>, school: NewSchool, facts: SchoolFacts = {}, config: ConfigFacts = {}): Promise<void> {
  const { state } = await db.insertInto('school').values({ ...school, ...facts }).returning('state').executeTakeFirstOrThrow()
  await enterRegistry(db, { ...school, state })
  await db.insertInto('school_config').values({ school_id: school.school_id, ...config }).execute()
}
