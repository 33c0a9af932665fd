import { createRoot } from 'react-dom/client'
import { readVisit } from './address.ts'
import { LoginPage } from './login-page.tsx'
import { parseSettings } from './settings.ts'
import { writeStored } from './storage.ts'
import './login.css'

/**
 * Mounts the login page of `/` or `/{school_id}`. Parameters of an automatic sign-in are taken from the address and removed
 * from it before anything renders (platform rule S8). Never wrapped in StrictMode: its double effects would spend a one-time code.
 */
export function mountLogin(root: HTMLElement): void {
  const visit = readVisit(location.pathname, location.search)
  if (location.search !== '') history.replaceState(null, '', location.pathname)
  writeStored('isLogin', location.pathname === '/' ? '1' : '0')
  const settings = parseSettings(document.getElementById('campus-settings')?.textContent)
  createRoot(root).render(<LoginPage visit={visit} settings={settings} />)
}
