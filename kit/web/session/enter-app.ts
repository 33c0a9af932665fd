import { readStored, store } from './storage.ts'

const IDLE_LIMIT_MS = 604_800_000

/** True when the last entry lies more than seven days back (platform rule S4); an unreadable or absent time never counts as idle. */
export function isIdleTooLong(logout_time: string | null, now: number): boolean {
  if (logout_time === null || logout_time === '') return false
  return now - Number(logout_time) > IDLE_LIMIT_MS
}

/** Notes the entry of the app. Answers false, with the token removed, when the session was idle too long (rule S4). */
export function enterApp(now: number): boolean {
  const idle = isIdleTooLong(readStored('logoutTime'), now)
  store('logoutTime', String(now))
  if (idle) store('token', null)
  return !idle
}

/** The login page of this browser: `/{school_id}` when the school is known by its address, else `/`. */
export function loginPath(): string {
  const school_id = readStored('school_id')
  return readStored('hasSchoolId') === '1' && school_id && /^\d+$/.test(school_id) ? `/${school_id}` : '/'
}
