import { insertMany } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'

/** Who uses the picture of a place. */
export function planUse(place_id: string) {
  return { ref_kind: 'devices.floor_plan', ref_id: place_id }
}

/** The floor plan of a place, for a school that is made with one; `x`, `y`: parts of the picture's width and height. */
export type PlannedPlan = { place_id: string; file_key: string; width: number; height: number; drawn_at: Date; drawn_by: string; pins: readonly { kind: 'device' | 'place'; id: string; x: number; y: number }[] }

/** Floor plans with what lies on them; whoever calls sees to their pictures (`planUse`). */
export async function createPlans(db: QueryExecutorProvider, school_id: number, plans: readonly PlannedPlan[]): Promise<void> {
  await insertMany(db, 'floor_plan', plans.map(({ pins: _pins, ...plan }) => ({ school_id, ...plan })))
  const pins = plans.flatMap(plan => plan.pins.map(({ kind, id, x, y }) => ({ school_id, place_id: plan.place_id, device_id: kind === 'device' ? id : null, pinned_place_id: kind === 'place' ? id : null, x: x.toFixed(5), y: y.toFixed(5) })))
  await insertMany(db, 'floor_pin', pins)
}
