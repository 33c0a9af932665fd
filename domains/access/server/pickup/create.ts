import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import type { AccessDb } from '../db.ts'
import { hashOf, seal } from '../visitor/seal.ts'

/** An adult who may fetch a child; `confirmed_by` null: he waits for a guardian's word. */
type PlannedPickup = { student_id: string; person_name: string; mobile: string; relation: string; valid_from: string; confirmed_by: string | null }
type At = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

/** Writes down who fetches children, as the demo needs it; none of them has an account. */
export async function createPickups({ app, db: handle, school_id, now }: At, persons: readonly PlannedPickup[]): Promise<void> {
  const db = asTables<AccessDb>(handle)
  for (const { mobile, confirmed_by, ...person } of persons) {
    const number = {
      mobile_enc: seal(app, school_id, 'mobile', mobile),
      mobile_hash: hashOf(app, school_id, 'mobile', mobile),
      mobile_tail: mobile.slice(-4),
    }
    const confirmed = confirmed_by === null ? {} : { confirm_state: 1, confirmed_at: now, confirmed_by }
    await db.insertInto('pickup_person').values({ ...person, ...number, ...confirmed, school_id, created_at: now }).execute()
  }
}
