import { schoolCards } from '@campus/school/contract'
import { cardViews } from '@kit/web/dashboard'

/** The school's cards of the dashboards. */
export const schoolCardViews = cardViews(schoolCards, { 'school.modules': async () => ({ default: (await import('./module-card.tsx')).ModuleCard }) })
