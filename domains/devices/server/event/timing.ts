const [right_ms, day_ms, longest_back_ms] = [60_000, 86_400_000, 400 * 86_400_000]
const school_zone_ms = 8 * 3_600_000

/** When something happened: by the device's clock (0), by that clock put right (1), or not known (2): then it goes by the time of its receipt. */
export type Timing = { event_time: Date | null; time_state: 0 | 1 | 2 }

/** When it happened, by a device whose clock is `skew_ms` behind ours (chapter 30 rule 15). */
export function timeOf(device_time: Date, now: Date, skew_ms: number): Timing {
  const ahead = device_time.getTime() - now.getTime()
  if (Math.abs(skew_ms) > day_ms || ahead > day_ms || ahead < -longest_back_ms) return { event_time: null, time_state: 2 }
  const is_right = Math.abs(skew_ms) <= right_ms
  const event_time = is_right ? device_time : new Date(device_time.getTime() + skew_ms)
  // Nothing happens after it was heard of: a clock may be right and what is made of it wrong, as wall time written for UTC is.
  if (event_time.getTime() - now.getTime() > right_ms) return { event_time: null, time_state: 2 }
  return { event_time, time_state: is_right ? 0 : 1 }
}

/** The day by the device's own clock in the school's zone, so that a resend meets the same row. */
export function dayOf(at: Date): string {
  return new Date(at.getTime() + school_zone_ms).toISOString().slice(0, 10)
}
