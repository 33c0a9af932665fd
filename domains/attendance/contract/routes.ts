import { routes } from '@kit/contract'
import { resultRoutes } from './result-routes.ts'

/** Console routes of the attendance domain. */
export const attendanceRoutes = routes([
  ...resultRoutes,
])
