import { routes } from '@kit/contract'

/** Console routes of the exams domain. */
export const examsRoutes = routes([])
