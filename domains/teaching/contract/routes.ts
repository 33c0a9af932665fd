import { routes } from '@kit/contract'

/** Console routes of the teaching domain. */
export const teachingRoutes = routes([])
