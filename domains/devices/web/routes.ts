import { pages } from '@kit/web'

/** Screens of the devices domain. */
export const devicesPages = pages({ '/DeviceControl': () => import('./device-control.page.tsx'), '/CardMonitor': () => import('./card/card-monitor.page.tsx') })
