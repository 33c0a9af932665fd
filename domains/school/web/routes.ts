import { pages } from '@kit/web'

/** Screens of the school domain; those of the shell (dashboards) stand in the console itself. */
export const schoolPages = pages({ '/SchoolRecord': () => import('./record/school-record.page.tsx') })
