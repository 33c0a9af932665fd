import type { ResultKey } from '@campus/attendance/contract'
import type { Step } from '../db.ts'
import { markPeople } from '../recompute/dirty.ts'

type Applied = ResultKey & { correction_id: string; from_state: number; to_state: number; late_min: number; early_min: number }

/** Puts a correction over a result at once; the next recompute finds the same (chapter 55 §3.5). */
export async function applyCorrection(
  place: Step,
  { correction_id, from_state, to_state, late_min, early_min, ...key }: Applied,
): Promise<void> {
  await whereKey(place, key).set({ state: to_state, late_min, early_min, correction_id, provisional: false }).execute()
  await noteChange(place, key, { from_state, to_state, cause_ref: correction_id })
  await markPeople(place, key.lesson_date, [key.user_id], 'correction', correction_id)
}

/** Takes a correction off a result; what it would be without is found by the next recompute. */
export async function liftCorrection(
  place: Step,
  { correction_id, from_state, to_state, ...key }: Omit<Applied, 'late_min' | 'early_min'>,
): Promise<void> {
  await whereKey(place, key)
    .set({ state: from_state, late_min: 0, early_min: 0, correction_id: null })
    .where('correction_id', '=', correction_id)
    .execute()
  await noteChange(place, key, { from_state: to_state, to_state: from_state, cause_ref: correction_id })
  await markPeople(place, key.lesson_date, [key.user_id], 'correction', correction_id)
}

function whereKey({ db, school_id }: Step, { lesson_date, expect_kind, occurrence_id, user_id }: ResultKey) {
  return db
    .updateTable('attend_result')
    .where('school_id', '=', school_id)
    .where('lesson_date', '=', lesson_date)
    .where('expect_kind', '=', expect_kind)
    .where('occurrence_id', '=', occurrence_id)
    .where('user_id', '=', user_id)
}

async function noteChange(
  { db, school_id, now }: Step,
  key: ResultKey,
  change: { from_state: number; to_state: number; cause_ref: string },
): Promise<void> {
  if (change.from_state === change.to_state) return
  await db
    .insertInto('attend_change')
    .values({ ...key, ...change, school_id, at: now, cause: 'correction' })
    .execute()
}
