import { getCaptcha, getSchoolFace } from './calls.ts'
import type { Login } from './login-state.ts'
import { showToast } from './toast.tsx'
import type { SchoolFace } from './wire.ts'

let asking = false
let dead_at = Infinity

/** Fetches a captcha; ignored while one is on its way. */
export async function refreshCaptcha(login: Login): Promise<void> {
  if (asking) return
  asking = true
  login.set({ captcha_state: 'loading' })
  const answer = await getCaptcha('login')
  asking = false
  if (answer.kind !== 'ok') {
    login.set({ captcha_state: 'failed' })
    return showToast(answer.msg)
  }
  dead_at = performance.now() + answer.data.expire_seconds * 1000
  login.set({ captcha_state: 'ready', captcha: answer.data })
}

/** Fetches another captcha if the one shown has run out. */
export function refreshStaleCaptcha(login: Login): void {
  if (performance.now() > dead_at) void refreshCaptcha(login)
}

/** Asks for the face of the address's school; null, and the look of the root, for a school nobody knows. */
export async function loadSchool(login: Login): Promise<SchoolFace | null> {
  const answer = await getSchoolFace(login.visit.school_id ?? 0)
  const face = answer.kind === 'ok' && answer.data.school_name !== '' ? answer.data : null
  login.set({ face, school_state: answer.kind === 'lost' ? 'failed' : 'ready' })
  return face
}
