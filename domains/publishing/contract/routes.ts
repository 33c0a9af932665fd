import { routes } from '@kit/contract'

/** Console routes of the publishing domain. */
export const publishingRoutes = routes([])
