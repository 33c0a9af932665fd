import type { Own } from './db.ts'

const kept_days = 180
const day_ms = 86_400_000

/** Deletes sessions that could be used for the last time more than 180 days ago (chapter 10 §1), school by school in short transactions. */
export async function deleteOldSessions(own: Own, now: Date): Promise<void> {
  const last = new Date(now.getTime() - kept_days * day_ms)
  const schools = await own(0, db => db.selectFrom('school_state_v').select('school_id').orderBy('school_id').execute())
  for (const { school_id } of schools) await own(school_id, db => db.deleteFrom('session').where('school_id', '=', school_id).where('absolute_until', '<', last).execute())
}
