import { peopleErrors, platesFault } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { PeopleDb } from '../db.ts'
import { plateOwners } from './plates.ts'

/** A plate of somebody from one day to the day before another; `valid_to` null: for good. Days `YYYY-MM-DD`. */
export type NewVehicle = { user_id: string; plate_no: string; valid_from: string; valid_to: string | null }
type Where = { db: QueryExecutorProvider; school_id: number }

/**
 * Registers a plate for parking (chapter 20 §1.6), in the caller's transaction.
 * @throws Refusal 404 for nobody of the school, 422 for a wrong plate, 409 plateTaken for one that is somebody's in that time
 */
export async function setVehicle({ db: handle, school_id }: Where, vehicle: NewVehicle): Promise<void> {
  const db = asTables<PeopleDb>(handle)
  const { user_id, plate_no, valid_from } = vehicle
  const wrong = platesFault([plate_no])
  if (wrong !== null) throw fail(commonErrors.invalid, { errors: [{ field: 'plate_no', msg: wrong }] })
  const touched = await db.updateTable('person').set({ row_version: sql<number>`row_version + 1` }).where('school_id', '=', school_id).where('user_id', '=', user_id).where('status', '=', 'live').returning('user_id').execute()
  if (touched.length === 0) throw fail(commonErrors.notFound)
  if ((await plateOwners(db, { school_id, on: valid_from }, [plate_no])).size > 0) throw fail(peopleErrors.plateTaken)
  await db.insertInto('person_vehicle').values({ school_id, ...vehicle }).execute()
}
