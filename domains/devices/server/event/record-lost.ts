import { devicesEvents } from '@campus/devices/contract'
import { rowHash, schoolMoment } from '@kit/terminal-protocol'
import { publish } from '@kit/server/event'
import type { Line } from '../link/line.ts'
import { tellRecordLost } from '../tell/tell.ts'
import { beginAlarm, isOpen } from './alarm.write.ts'

/** Records that a device has overwritten before anybody had read them, by their numbers; both ends are of them. */
export type Overrun = { from: number; to: number }

/**
 * A device has, or may have, overwritten records while it was away: `overrun` where it says which or their numbers show it, null where nobody knows. Whoever looks after it is told; the alarm stands until the
 * device comes the next time (chapter 30 rule 14, 31 §5.7.10).
 */
export async function raiseRecordLost(line: Line, overrun: Overrun | null): Promise<void> {
  const { device_id, now } = line
  if (overrun) await publish(line, devicesEvents.recordLost, { device_id, ...overrun, lost: overrun.to - overrun.from + 1 })
  if (await isOpen(line, ['record_lost'])) return
  const at = now.toISOString()
  await beginAlarm(line, 'record_lost', { event_date: schoolMoment(now).date, device_seq: `record_lost:${now.getTime()}`, at, body_hash: rowHash({ device_id, at }) })
  await tellRecordLost(line, device_id, overrun && overrun.to - overrun.from + 1)
}
