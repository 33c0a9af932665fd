import { routes } from '@kit/contract'

/** Console routes of the faces domain. */
export const facesRoutes = routes([])
