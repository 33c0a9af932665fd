import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { createTurns } from '../link/turn.create.ts'
import { planDevices } from './plan.ts'

/** When a device was here: since its first word, until its line was lost. */
type Stay = { from: Date; until: Date }

/** A terminal that has been here and is not now, for a school that is made with a past: it is active and without a line, and holds everybody whom it was to hold when that was lost. */
export async function createAbsent(db: QueryExecutorProvider, school_id: number, device_id: string, { from, until }: Stay): Promise<void> {
  const own = asTables<DevicesDb>(db)
  await own.updateTable('device').set({ lifecycle: 'active', last_seen_at: until, offline_reason: 'keepalive' }).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
  await createTurns(db, school_id, [{ device_id, at: from, kind: 'online' }, { device_id, at: until, kind: 'offline', reason: 'keepalive' }])
  await planDevices({ db: own, school_id, now: until }, [device_id], null)
  await own.updateTable('sync_row').set(eb => ({ state: 'applied', have_hash: eb.ref('want_hash'), attempts: 1, sent_at: until, acked_at: until })).where('school_id', '=', school_id).where('device_id', '=', device_id).where('state', '=', 'pending').execute()
}
