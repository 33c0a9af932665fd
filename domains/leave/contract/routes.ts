import { routes } from '@kit/contract'

/** Console routes of the leave domain. */
export const leaveRoutes = routes([])
