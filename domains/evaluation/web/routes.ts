import { pages } from '@kit/web'

/** Screens of the evaluation domain. */
export const evaluationPages = pages({
  '/StarType': () => import('./star-type.page.tsx'),
  '/StarShow': () => import('./star-show.page.tsx'),
  '/StartRecord': () => import('./start-record.page.tsx'),
})
