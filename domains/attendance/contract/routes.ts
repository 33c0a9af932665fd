import { routes } from '@kit/contract'

/** Console routes of the attendance domain. */
export const attendanceRoutes = routes([])
