import type { ExamRow, PaperRow } from '@campus/exams/contract'
import type { Sitter, Stored } from '../score/score.queries.ts'
import { assignScores } from '../stat/assign.ts'
import { percentileOf, ranksOf } from '../stat/statistics.ts'

/** A pupil with what counts: his counted scores, total and ranks; null where he has not sat every counted paper. */
export type Standing = { sitter: Sitter; total: number | null; rank_grade: number | null; rank_class: number | null; percentile: number | null; assigned: Map<string, number> }

const [plain, absent, cheated, zero] = [0, 1, 3, 5] as const

/** The number that a stored score counts as: words count nothing, unless the exam takes absence as 0 (chapter 55 rule 34). */
export function counted(stored: Stored | undefined, absent_as: ExamRow['absent_as']): number | null {
  if (!stored) return null
  if (stored.score_state === plain || stored.score_state === zero) return stored.score
  return absent_as === 'zero' && (stored.score_state === absent || stored.score_state === cheated) ? 0 : null
}

/** Totals and ranks of a grade; a subject with assigned scores counts with those (rules 36, 37). Pure. */
export function standingsOf(sitters: readonly Sitter[], papers: readonly PaperRow[], absent_as: ExamRow['absent_as']): Standing[] {
  const maps = new Map(papers.filter(paper => paper.assign !== 'none').map(paper => [paper.paper_id, assignScores(sitters.flatMap(one => counted(one.scores.get(paper.paper_id), absent_as) ?? []))]))
  const rows = sitters.map(sitter => {
    const own = papers.filter(paper => sitter.papers.includes(paper.paper_id))
    const assigned = new Map<string, number>()
    const values = own.map(paper => {
      const raw = counted(sitter.scores.get(paper.paper_id), absent_as)
      const given = raw === null ? undefined : maps.get(paper.paper_id)?.get(raw)
      if (given !== undefined) assigned.set(paper.paper_id, given)
      return { paper, value: given ?? raw }
    }).filter(({ paper }) => paper.in_total)
    const total = values.length === 0 || values.some(({ value }) => value === null) ? null : values.reduce((sum, { value }) => sum + (value ?? 0), 0)
    return { sitter, total, assigned }
  })
  const grade = rankBy(rows)
  const classes = new Map([...Map.groupBy(rows, row => row.sitter.dept_id).values()].flatMap(group => [...rankBy(group)]))
  return rows.map(row => {
    const rank_grade = grade.get(row.sitter.user_id) ?? null
    return { ...row, rank_grade, rank_class: classes.get(row.sitter.user_id) ?? null, percentile: rank_grade === null ? null : percentileOf(rank_grade, grade.size) }
  })
}

function rankBy(rows: readonly { sitter: Sitter; total: number | null }[]): Map<string, number> {
  const ranked = rows.filter(row => row.total !== null)
  const ranks = ranksOf(ranked.map(row => row.total ?? 0))
  return new Map(ranked.map((row, at) => [row.sitter.user_id, ranks[at] ?? 0]))
}

/** Full marks of the total: of assigned papers 100. */
export function fullOf(papers: readonly PaperRow[]): number {
  return papers.filter(paper => paper.in_total).reduce((sum, paper) => sum + (paper.assign === 'none' ? paper.full_score : 100), 0)
}
