import { rowHash } from '@kit/terminal-protocol'
import type { EventUp } from '@kit/terminal-protocol'
import { isQueued } from '../link/clock-book.ts'
import type { Queued } from '../link/clock-book.ts'
import { dayOf, timeOf } from './timing.ts'

/** One thing that a device said has happened. */
export type Item = EventUp['items'][number]
/** What was heard with it: the power-up of the device, when, and how far its clock is off, or was when the record was made. */
export type Hearing = { epoch: string; now: Date; skew_ms: number; queued?: Queued | null }

/** What every stored record has: its key, its times and the hash of what was said. */
export function recordOf(item: Item, at: string, { epoch, now, skew_ms, queued }: Hearing) {
  const device_time = new Date(at)
  const { event_time, time_state } = timeOf(device_time, now, queued && isQueued(queued, item.seq, device_time) ? queued.skew_ms : skew_ms)
  return { event_date: dayOf(device_time), device_seq: `${epoch}:${item.seq}`, device_time: device_time.toISOString(), event_time: event_time?.toISOString() ?? null, time_state, body_hash: rowHash(item) }
}

/** A number of ours that a device sends back; anything else is nobody. */
export function numeric(text: string | undefined): string | null {
  return text !== undefined && /^[0-9]{1,18}$/u.test(text) ? text : null
}

/** The number of a credential; devices hold cards as `c…` and faces as `f…`. */
export function credentialOf(text: string | undefined): string | null {
  return numeric(text?.replace(/^[cf]/u, ''))
}
