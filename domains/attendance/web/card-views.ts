import { attendanceCards } from '@campus/attendance/contract'
import { cardViews } from '@kit/web/dashboard'

/** Attendance on the dashboards. */
export const attendanceCardViews = cardViews(attendanceCards, { 'attendance.now': async () => ({ default: (await import('./clock/now-card.tsx')).NowCard }) })
