import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { followConfig } from '../config/config.plan.ts'
import { createTurns } from '../link/turn.create.ts'
import { followRules } from '../rule/rule.plan.ts'
import { planDevices } from './plan.ts'

/** When a device was here: since its first word, until its line was lost; `disabled`: somebody has taken it out of work since. */
type Stay = { from: Date; until: Date; disabled?: boolean }

/** A device that has been here and is not now, for a school that is made with a past: it is active, or disabled, and without a line, and holds everybody whom it was to hold when that was lost, and its rules and settings. */
export async function createAbsent(db: QueryExecutorProvider, school_id: number, device_id: string, { from, until, disabled = false }: Stay): Promise<void> {
  const own = asTables<DevicesDb>(db)
  await own.updateTable('device').set({ lifecycle: disabled ? 'disabled' : 'active', last_seen_at: until, offline_reason: 'keepalive' }).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
  await createTurns(db, school_id, [{ device_id, at: from, kind: 'online' }, { device_id, at: until, kind: 'offline', reason: 'keepalive' }])
  await followRules(own, { school_id, device_id }, until)
  await followConfig(own, { school_id, device_id }, until)
  await planAbsent(db, school_id, device_id, until)
  await own.updateTable('sync_row').set(eb => ({ state: 'applied', have_hash: eb.ref('want_hash'), attempts: 1, sent_at: until, acked_at: until })).where('school_id', '=', school_id).where('device_id', '=', device_id).where('state', '=', 'pending').execute()
}

/** What has been declared since for a device that is not here waits for it from this moment on, or is held back for somebody to sign; nobody is told. */
export async function planAbsent(db: QueryExecutorProvider, school_id: number, device_id: string, at: Date): Promise<void> {
  await planDevices({ db: asTables<DevicesDb>(db), school_id, now: at }, [device_id], null)
}
