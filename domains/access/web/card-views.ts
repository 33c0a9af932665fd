import { accessCards } from '@campus/access/contract'
import { cardViews } from '@kit/web/dashboard'

/** The gates on the dashboards. */
export const accessCardViews = cardViews(accessCards, { 'access.campus': async () => ({ default: (await import('./pass/campus-card.tsx')).CampusCard }) })
