import { pages } from '@kit/web'

/** Screens of the people domain. */
export const peoplePages = pages({
  '/Organization': () => import('./organization/organization.page.tsx'),
  '/ParentsRecord': () => import('./parents-record.page.tsx'),
  '/ChangeRecord': () => import('./change/change-record.page.tsx'),
})
