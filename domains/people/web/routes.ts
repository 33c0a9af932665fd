import { pages } from '@kit/web'

/** Screens of the people domain. */
export const peoplePages = pages({
  '/ParentsRecord': () => import('./parents-record.page.tsx'),
})
