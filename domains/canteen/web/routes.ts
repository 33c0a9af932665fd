import { pages } from '@kit/web'

/** Screens of the canteen domain. */
export const canteenPages = pages({})
