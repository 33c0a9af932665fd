import { pages } from '@kit/web'

/** Screens of the places domain. */
export const placesPages = pages({ '/PlaceManage': () => import('./place-manage.page.tsx') })
