import type { DeviceClock } from '@campus/devices/contract'
import { canDo } from './control/control.ts'
import type { DeviceRecord } from './device.queries.ts'

/** A clock that is wrong, with what was done about it; null: it is right, or nobody knows. */
export function clockOf({ clock_wrong_since, clock_skew_ms, clock_asked_at, clock_asked_times, clock_refusal }: DeviceRecord, driver: string): DeviceClock | null {
  if (clock_wrong_since === null || clock_skew_ms === null) return null
  return { wrong_since: clock_wrong_since.toISOString(), skew_ms: clock_skew_ms, asked_at: clock_asked_at?.toISOString() ?? null, asked_times: clock_asked_times, refusal: clock_refusal, is_settable: canDo(driver, 'time') }
}
