import { devicesCards } from '@campus/devices/contract'
import { cardViews } from '@kit/web/dashboard'

/** Devices on the dashboards. */
export const devicesCardViews = cardViews(devicesCards, { 'devices.state': async () => ({ default: (await import('./state-card.tsx')).StateCard }) })
