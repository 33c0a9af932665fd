import type { Article } from './article.ts'
import { cards } from './articles/cards.ts'
import { daily } from './articles/daily.ts'
import { people } from './articles/people.ts'
import { publishing } from './articles/publishing.ts'
import { rights } from './articles/rights.ts'

/** Every page of the built-in help; one for each screen of the console, and some about no single one. */
export const articles: readonly Article[] = [...cards, ...daily, ...people, ...publishing, ...rights]
