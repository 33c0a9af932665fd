import { score_words } from './dictionary.ts'

/** What stands in a cell: a number, a word, or nothing; 0, 零分, 缺考 and empty are four things (chapter 55 rule 33). */
export type Score = { score: number | null; score_state: number }
type Rule = { full_score: number; decimals: number }
export type ScoreFault = 'scoreRange' | 'scoreStep' | 'scoreWord'

const [plain, zero, cleared] = [0, 5, 9] as const
const codes: Readonly<Record<string, number>> = { Q: 1, H: 2, Z: 3, M: 4, 缺考: 1, 缓考: 2, 作弊: 3, 免考: 4 }
const words: Readonly<Record<number, string>> = score_words

/** Reads what was typed or pasted into a cell. */
export function readScore(text: string, { full_score, decimals }: Rule): Score | ScoreFault {
  const typed = text.trim().toUpperCase()
  if (typed === '' || typed === '清空') return { score: null, score_state: cleared }
  if (typed === '零分') return { score: 0, score_state: zero }
  const state = codes[typed]
  if (state !== undefined) return { score: null, score_state: state }
  if (!/^\d{1,4}(?:\.\d{1,4})?$/u.test(typed)) return 'scoreWord'
  const score = Number(typed)
  if (score > full_score) return 'scoreRange'
  return (typed.split('.')[1]?.replace(/0+$/u, '').length ?? 0) > decimals ? 'scoreStep' : { score, score_state: plain }
}

/** A stored score as it stands in a cell. */
export function scoreText({ score, score_state }: Score): string {
  if (score_state === cleared) return ''
  return words[score_state] ?? String(score ?? '')
}
