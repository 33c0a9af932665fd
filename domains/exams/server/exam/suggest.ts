import { addDays } from '@campus/calendar/contract'
import type { PaperRow } from '@campus/exams/contract'
import { instantAt } from './minute.ts'

type Draft = { session_id: null; session_name: string; begin_at: string; end_at: string; paper_ids: string[] }
type Asked = { papers: readonly PaperRow[]; begin_date: string; end_date: string; first_min: number; afternoon_min: number; subjectOf: (code: string) => string; free: (day: string) => boolean }

const [break_min, most_a_half_day] = [20, 2] as const

/**
 * Sessions that spread the papers over the days of the exam: at most two a half-day, breaks of 20 minutes, one subject of several grades at one time, papers
 * that no class shares (物理 and 历史 of different classes) at one time (chapter 55 §4). Pure.
 */
export function suggestSessions({ papers, begin_date, end_date, first_min, afternoon_min, subjectOf, free }: Asked): Draft[] {
  const all: string[] = []
  for (let day = begin_date; day <= end_date; day = addDays(day, 1)) all.push(day)
  const school_days = all.filter(day => free(day))
  // An exam that was put on a weekend is meant to be there.
  const days = school_days.length > 0 ? school_days : all
  const slots = days.flatMap(day => [{ day, from: first_min }, { day, from: afternoon_min }])
  const drafts: Draft[] = []
  let [at, used, clock] = [0, 0, slots[0]?.from ?? 0]
  for (const block of blocksOf(papers)) {
    const minutes = Math.max(...block.map(paper => paper.minutes))
    if (used >= most_a_half_day) [at, used, clock] = [at + 1, 0, slots[at + 1]?.from ?? 0]
    const slot = slots[at]
    if (!slot) break
    drafts.push({
      session_id: null, session_name: [...new Set(block.map(paper => subjectOf(paper.subject)))].join('/').slice(0, 30), begin_at: instantAt(slot.day, clock),
      end_at: instantAt(slot.day, clock + minutes), paper_ids: block.map(paper => paper.paper_id),
    })
    used += 1
    clock += minutes + break_min
  }
  return drafts
}

/** Papers that are sat at one time. */
function blocksOf(papers: readonly PaperRow[]): PaperRow[][] {
  const blocks = [...Map.groupBy(papers, paper => paper.subject).values()]
  const merged: PaperRow[][] = []
  for (const block of blocks.toSorted((a, b) => (a[0]?.subject ?? '').localeCompare(b[0]?.subject ?? ''))) {
    const host = merged.find(other => other.every(one => block.every(two => apart(one, two))))
    if (host) host.push(...block)
    else merged.push([...block])
  }
  return merged
}

function apart(a: PaperRow, b: PaperRow): boolean {
  if (a.grade !== b.grade) return a.minutes === b.minutes && a.subject === b.subject
  return a.dept_ids.length > 0 && b.dept_ids.length > 0 && !a.dept_ids.some(id => b.dept_ids.includes(id))
}
