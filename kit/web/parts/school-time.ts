import { serverNow } from '../call/network.ts'

// The school's zone is Asia/Shanghai, which has been +08:00 without summer time since 1991.
const SHANGHAI_MS = 8 * 3_600_000

/** An instant as every screen writes it, in the school's time whatever the browser's zone: 2026-03-04 07:41. */
export function instantText(instant: string): string {
  return shanghai(Date.parse(instant)).slice(0, 16).replace('T', ' ')
}

/** An instant to the second: 2026-03-04 07:41:05. */
export function exactText(instant: string): string {
  return shanghai(Date.parse(instant)).slice(0, 19).replace('T', ' ')
}

/** The minute of an instant in the school's time: 07:41. */
export function minuteText(ms: number): string {
  return shanghai(ms).slice(11, 16)
}

/** The second of an instant in the school's time: 07:41:05. */
export function secondText(instant: string): string {
  return shanghai(Date.parse(instant)).slice(11, 19)
}

/** Today at school by the server's clock, `YYYY-MM-DD`. */
export function schoolToday(): string {
  return shanghai(serverNow()).slice(0, 10)
}

function shanghai(ms: number): string {
  return new Date(ms + SHANGHAI_MS).toISOString()
}
