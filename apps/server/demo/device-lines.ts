import { createTurns } from '@campus/devices/server'
import type { DevicesViews, PastTurn } from '@campus/devices/server'
import { asTables } from '@kit/server/db'
import type { Work } from './school-work.ts'

const [hour_ms, minute_ms] = [3_600_000, 60_000] as const
/** What comes back by itself when the server has started: recorders, boxes and the terminals of buses. */
const models = ['NVR-32', 'JD-A6', 'JD-V8'] as const
const days_known = 30
/** Of so many one has lost its line in the last day, and so long it lasted. */
const [losing_share, lost_minutes, farthest_hours] = [4, 25, 20] as const

/** The line of a month of what stands there for good: some have lost it for half an hour in the last day, and all when the server was last stopped, which is now. */
export async function fillDeviceLines({ db, school_id, now }: Work): Promise<void> {
  const devices = await asTables<DevicesViews>(db).selectFrom('device_live_v').select('device_id').where('school_id', '=', school_id).where('model_code', 'in', models).orderBy('device_sn').execute()
  await createTurns(db, school_id, devices.flatMap(({ device_id }, nth) => turnsOf(nth, now).map(turn => ({ device_id, ...turn }))))
}

function turnsOf(nth: number, now: Date): Omit<PastTurn, 'device_id'>[] {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const lost_ms = (2 + ((nth * 5) % farthest_hours)) * hour_ms
  const loss = nth % losing_share === 1 ? ([{ at: ago(lost_ms), kind: 'offline', reason: 'keepalive' }, { at: ago(lost_ms - lost_minutes * minute_ms), kind: 'online' }] as const) : []
  return [{ at: ago(days_known * 24 * hour_ms), kind: 'online' }, ...loss, { at: now, kind: 'offline', reason: 'broker' }]
}
