import { devicesEvents } from '@campus/devices/contract'
import { publish } from '@kit/server/event'
import type { Publisher } from '@kit/server/event'
import { sql } from 'kysely'

/** A device is told of when it has got this full, in hundredths, the fuller first (chapter 30 rule 12). */
const warned_shares = [100, 80] as const
/** By how many people a device is to hold more than before, and how many it can hold. */
type Grown = { device_id: string; grown: number; max_persons: number }

/** Tells of devices that have come over 80 % or 100 % of the people they hold by what was derived just now; those without room count. */
export async function warnCapacity(from: Publisher, planned: readonly Grown[]): Promise<void> {
  const { db, school_id, now } = from
  const growing = new Map(planned.flatMap(one => (one.grown > 0 ? [[one.device_id, one]] : [])))
  if (growing.size === 0) return
  const { rows } = await sql<{ device_id: string; persons: number }>`
    select device_id::text as device_id, count(*)::int as persons from sync_row
    where school_id = ${school_id} and device_id = any(${[...growing.keys()]}::bigint[]) and kind = 'person' and (want_op = 'put' or blocked_after is not null) group by device_id`.execute(db)
  for (const { device_id, persons } of rows) {
    const { grown = 0, max_persons: most = 0 } = growing.get(device_id) ?? {}
    const share = warned_shares.find(one => (persons - grown) * 100 < most * one && persons * 100 >= most * one)
    if (share !== undefined) await publish(from, devicesEvents.capacityWarned, { device_id, share, persons, most, at: now.toISOString() })
  }
}
