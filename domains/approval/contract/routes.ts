import { routes } from '@kit/contract'

/** Console routes of the approval domain. */
export const approvalRoutes = routes([])
