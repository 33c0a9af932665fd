import { pages } from '@kit/web'

/** Screens of the audit domain. */
export const auditPages = pages({
  '/SystemLog': () => import('./system-log.page.tsx'),
  '/ArchiveLog': () => import('./archive-log.page.tsx'),
})
