import { createRoot } from 'react-dom/client'
import { LoginPage } from './login-page.tsx'
import { createLogin } from './login-state.ts'
import { writeStored } from './storage.ts'
import { schoolIdOf } from './visit.ts'
import './login.css'

/**
 * Mounts the login page of `/` or `/{school_id}`. Parameters of an automatic sign-in are taken from the address and removed
 * from it before anything renders (platform rule S8). Never wrapped in StrictMode: its double effects would spend a one-time code.
 */
export function mountLogin(root: HTMLElement): void {
  const { pathname, search } = location
  if (search) history.replaceState(null, '', pathname)
  writeStored('isLogin', pathname === '/' ? '1' : '0')
  createRoot(root).render(<LoginPage login={createLogin({ school_id: schoolIdOf(pathname), search })} />)
}
