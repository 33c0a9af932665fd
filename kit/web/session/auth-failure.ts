import { toast } from '../parts/toast.ts'
import { loginPath } from './enter-app.ts'
import { store } from './storage.ts'

const REDIRECT_MS = 2000

let lost = false

/** A session that cannot be renewed: one message, and after 2 s the login page without token, however many calls failed (rule S5). */
export function sessionLost(msg: string): void {
  if (lost) return
  lost = true
  toast.warning(msg)
  window.setTimeout(() => {
    store('token', null)
    window.location.replace(loginPath())
  }, REDIRECT_MS)
}
