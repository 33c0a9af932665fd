import { loginPath } from './enter-app.ts'
import { clearStored, readStored } from './storage.ts'
import type { StoredName } from './storage.ts'

const ALWAYS_KEPT: readonly StoredName[] = ['downloadFlag', 'school_id', 'cardConfig']

/** What survives a sign-out (platform rule S6): account and remember token only when the password was remembered. */
export function keptNames(remembered: boolean): StoredName[] {
  return remembered ? [...ALWAYS_KEPT, 'account', 'password'] : [...ALWAYS_KEPT]
}

/** Clears this browser and goes to the login page; a full load, so that no store keeps data of the old session. */
export function leaveApp(): void {
  const path = loginPath()
  clearStored(keptNames(readStored('password') !== null))
  window.location.replace(path)
}
