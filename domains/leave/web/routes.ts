import { pages } from '@kit/web'

/** Screens of the leave domain. */
export const leavePages = pages({
  '/LeaveReason': () => import('./reason.page.tsx'),
  '/LeaveDesign': () => import('./design/design.page.tsx'),
  '/StuLeaveRecord': () => import('./record.page.tsx'),
  '/LeaveLiaoYang': () => import('./recover.page.tsx'),
})
