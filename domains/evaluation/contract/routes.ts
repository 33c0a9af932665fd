import { routes } from '@kit/contract'

/** Console routes of the evaluation domain. */
export const evaluationRoutes = routes([])
