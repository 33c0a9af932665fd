import type { Article } from './article.ts'
import { access_visitors } from './articles/access-visitors.ts'
import { accessRules } from './articles/access-rules.ts'
import { cards } from './articles/cards.ts'
import { daily } from './articles/daily.ts'
import { leave } from './articles/leave.ts'
import { faces } from './articles/faces.ts'
import { people } from './articles/people.ts'
import { teaching } from './articles/teaching.ts'
import { rights } from './articles/rights.ts'

/** Every page of the built-in help; one for each screen of the console, and some about no single one. */
export const articles: readonly Article[] = [...cards, ...daily, ...faces, ...leave, ...people, ...rights, ...teaching]
export const articles: readonly Article[] = [...access_visitors, ...cards, ...daily, ...people, ...rights]
export const articles: readonly Article[] = [...accessRules, ...cards, ...daily, ...people, ...rights]
import { publishing } from './articles/publishing.ts'
import { rights } from './articles/rights.ts'

/** Every page of the built-in help; one for each screen of the console, and some about no single one. */
export const articles: readonly Article[] = [...cards, ...daily, ...people, ...publishing, ...rights]
