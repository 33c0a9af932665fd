import { campus_kind } from '@campus/places/contract'
import { schoolDay } from '@campus/school/server'
import type { App, NewSchool } from '@kit/server/http'
import type { Kysely } from 'kysely'
import type { PlacesDb } from './db.ts'
import { addPlace } from './place.write.ts'

/** Every school begins with one campus of its own name. */
export async function seedPlaces(db: Kysely<unknown>, school: NewSchool, app: App): Promise<void> {
  const today = schoolDay(app.clock.now())
  await addPlace(db.withTables<PlacesDb>(), { school_id: school.school_id, superior: null, today }, { place_name: school.school_name.slice(0, 50), place_kind: campus_kind })
}
