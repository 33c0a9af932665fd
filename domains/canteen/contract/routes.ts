import { routes } from '@kit/contract'

/** Console routes of the canteen domain. */
export const canteenRoutes = routes([])
