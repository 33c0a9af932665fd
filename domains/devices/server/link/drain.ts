import { devicesEvents } from '@campus/devices/contract'
import { publish } from '@kit/server/event'
import type { Line } from './line.ts'
import type { Session, Sessions } from './sessions.ts'

type Counted = { counts?: { records_waiting: number } | undefined }

/**
 * Until when every record of a device is here, as it says that none waits in it (chapter 30 §1.4); null where it does not say so. Of its clock and ours the earlier one: one that is ahead has said nothing yet of what
 * happens until then.
 */
export function drainedTo({ counts }: Counted, device_time: Date, now: Date): Date | null {
  return counts?.records_waiting === 0 ? new Date(Math.min(device_time.getTime(), now.getTime())) : null
}

/** A heartbeat says whether records wait: whoever had some and has none any more is told of; that it still has none is written with others a little later. */
export async function followDrain(sessions: Sessions, session: Session, { counts }: Counted, drained_to: Date | null): Promise<void> {
  if (counts && drained_to === null) session.is_drained = false
  if (drained_to === null || session.is_drained) return
  await sessions.inLine(session, line => noteDrained(line, drained_to))
  session.is_drained = true
}

/** Records that waited in a device are all here. */
export async function noteDrained(line: Line, drained_to: Date): Promise<void> {
  await writeDrained(line, drained_to)
  await tellDrained(line, drained_to)
}

/** They still are: nobody is told. */
export async function writeDrained({ db, school_id, device_id }: Line, drained_to: Date): Promise<void> {
  await db.updateTable('device').set({ drained_to }).where('school_id', '=', school_id).where('device_id', '=', device_id).execute()
}

/** Tells that they are. */
export async function tellDrained(line: Line, drained_to: Date): Promise<void> {
  await publish(line, devicesEvents.drained, { device_id: line.device_id, drained_to: drained_to.toISOString() })
}
