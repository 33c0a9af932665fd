import 'antd/dist/antd.css'
import { connectExams } from '@campus/exams/web'
import { connectIdentity } from '@campus/identity/web'
import { connectDevices, placeDevicesDoor } from '@campus/devices/web'
import { connectPeople } from '@campus/people/web'
import { connectPlaces } from '@campus/places/web'
import { connectSchool } from '@campus/school/web'
import { connectKit, enterApp, loginPath, readStored, serverNow, store } from '@kit/web'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { recheck } from './account/recheck.ts'
import { App } from './app.tsx'
import { identityPorts } from './identity-ports.ts'
import { productPorts } from './ports.ts'
import { schoolPorts } from './school-ports.ts'
import { nonceStyles } from './style-nonce.ts'
import './app.css'

const IDLE_NOTICE_MS = 2000

/** Mounts the console. Without a token, or after seven idle days (platform rule S4), the login page opens instead. */
export function mountApp(root: HTMLElement): void {
  nonceStyles(document.getElementById('campus-settings')?.textContent)
  // Compiled schemas need eval, which the content security policy forbids.
  z.config({ jitless: true })
  connectKit(productPorts)
  connectIdentity(identityPorts)
  connectPeople({ recheck })
  connectDevices({ recheck })
  connectExams({ recheck })
  connectPlaces({ devices: placeDevicesDoor })
  connectSchool(schoolPorts)
  const entered = enterApp(serverNow())
  store('isLogin', '0')
  if (entered && readStored('token') === null) {
    window.location.replace(loginPath())
    return
  }
  if (!entered) window.setTimeout(() => window.location.replace(loginPath()), IDLE_NOTICE_MS)
  createRoot(root).render(<App idle={!entered} />)
}
