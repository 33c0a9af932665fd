import { pages } from '@kit/web'

/** Screens of the calendar domain. */
export const calendarPages = pages({
  '/TermManage': () => import('./term/term-manage.page.tsx'),
  '/SchoolCalendar': () => import('./day/school-calendar.page.tsx'),
  '/ClassTime': () => import('./bell/class-time.page.tsx'),
})
