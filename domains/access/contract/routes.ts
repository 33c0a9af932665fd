import { routes } from '@kit/contract'

/** Console routes of the access domain. */
export const accessRoutes = routes([])
