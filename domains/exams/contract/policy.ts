import { stageOf } from '@campus/calendar/contract'
import { final_term, mid_term } from './dictionary.ts'

/** What schools of compulsory education may do (chapter 55 rule 22; the ministry's notices on homework and exams of 2021). */
const [primary, junior] = ['1', '2'] as const
const no_paper_grades: readonly string[] = ['11', '12']
const written = '1'

type PolicyCode = 'policyLow' | 'policyCount' | 'policyRank'
export type PolicyFinding = { code: PolicyCode; grade: string }
type Draft = { exam_kind: string; grades: readonly string[]; score_mode: string; show_rank: string }

/** True for grades whose pupils are told levels, never scores or ranks. */
export function isCompulsory(grade: string): boolean {
  const stage = stageOf(grade)
  return stage === primary || stage === junior
}

/** How many exams of a kind a grade may have in a term; null: as many as it wants. */
export function mostExams(grade: string, exam_kind: string): number | null {
  if (!isCompulsory(grade)) return null
  if (exam_kind === final_term) return 1
  return exam_kind === mid_term && stageOf(grade) === junior ? 1 : 0
}

/** What of an exam lies outside the policy. @param others exams of the same kind and term, by grade */
export function policyFindings(exam: Draft, others: ReadonlyMap<string, number>): PolicyFinding[] {
  return exam.grades.filter(isCompulsory).flatMap((grade): PolicyFinding[] => [
    ...((others.get(grade) ?? 0) + 1 > (mostExams(grade, exam.exam_kind) ?? Infinity) ? [{ code: 'policyCount' as const, grade }] : []),
    ...(exam.show_rank !== 'none' || exam.score_mode !== 'level' ? [{ code: 'policyRank' as const, grade }] : []),
  ])
}

/** Written papers of the two lowest grades. */
export function paperFindings(papers: readonly { grade: string; exam_way: string }[]): PolicyFinding[] {
  const low = papers.filter(({ grade, exam_way }) => exam_way === written && no_paper_grades.includes(grade))
  return [...new Set(low.map(paper => paper.grade))].map(grade => ({ code: 'policyLow', grade }))
}
