import { leaveCards } from '@campus/leave/contract'
import { cardViews } from '@kit/web/dashboard'

/** Leave on the dashboards. */
export const leaveCardViews = cardViews(leaveCards, { 'leave.today': async () => ({ default: (await import('./today-card.tsx')).TodayCard }) })
