import { pages } from '@kit/web'
import { result_pages } from './result-pages.ts'

/** Screens of the attendance domain. */
export const attendancePages = pages({
  '/AttendanceRule': () => import('./rule/attendance-rule.page.tsx'),
  '/AttendanceArrange': () => import('./arrange/attendance-arrange.page.tsx'),
  '/ClassClock': () => import('./clock/class-clock.page.tsx'),
  ...result_pages,
})
