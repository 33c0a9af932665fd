import type { Article } from './article.ts'
import { accessRules } from './articles/access-rules.ts'
import { access_visitors } from './articles/access-visitors.ts'
import { attendanceResults } from './articles/attendance-results.ts'
import { cards } from './articles/cards.ts'
import { daily } from './articles/daily.ts'
import { faces } from './articles/faces.ts'
import { attendanceRules } from './articles/attendance-rules.ts'
import { leave } from './articles/leave.ts'
import { people } from './articles/people.ts'
import { publishing } from './articles/publishing.ts'
import { rights } from './articles/rights.ts'
import { teaching } from './articles/teaching.ts'

/** Every page of the built-in help; one for each screen of the console, and some about no single one. */
export const articles: readonly Article[] = [
  ...accessRules,
  ...access_visitors,
  ...attendanceResults,
  ...cards,
  ...daily,
  ...faces,
  ...attendanceRules,
  ...leave,
  ...people,
  ...publishing,
  ...rights,
  ...teaching,
]
