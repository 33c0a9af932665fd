import { pages } from '@kit/web'

/** Screens of the canteen domain. */
export const canteenPages = pages({
  '/CookMeal': () => import('./dish.page.tsx'),
  '/CookWeekMenu': () => import('./menu.page.tsx'),
  '/CookWeekMenuDetail': () => import('./menu-detail.page.tsx'),
})
