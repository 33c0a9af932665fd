import type { Clash, PaperRow, SessionRow } from '@campus/exams/contract'
import { schoolMinute } from './minute.ts'

type Class = { dept_id: string; dept_name: string; grade: string }
type Asked = { sessions: readonly SessionRow[]; papers: readonly PaperRow[]; classes: readonly Class[]; subjectOf: (code: string) => string }

/** True when a class sits a paper (chapter 55 rule 28: a candidate sits only his papers). */
export function sits(paper: PaperRow, { dept_id, grade }: { dept_id: string; grade: string }): boolean {
  return paper.grade === grade && (paper.dept_ids.length === 0 || paper.dept_ids.includes(dept_id))
}

/** What of the sessions cannot be: a class with two papers at one time, a paper in no session. Pure. */
export function clashesOf({ sessions, papers, classes, subjectOf }: Asked): Clash[] {
  const by_id = new Map(papers.map(paper => [paper.paper_id, paper]))
  const papersOf = (session: SessionRow, one: Class) => session.paper_ids.flatMap(id => by_id.get(id) ?? []).filter(paper => sits(paper, one))
  const twice = sessions.flatMap((session, at) => [session, ...sessions.slice(at + 1).filter(other => overlap(session, other))].flatMap(other => {
    const bad = classes.filter(one => (other === session ? papersOf(session, one).length > 1 : papersOf(session, one).length > 0 && papersOf(other, one).length > 0))
    if (bad.length === 0) return []
    const names = bad.slice(0, 3).map(one => one.dept_name).join('、')
    const text = `${names}${bad.length > 3 ? `等${bad.length}个班` : ''}在${schoolMinute(other.begin_at)}同时有${[...new Set([session, other].flatMap(one => bad.flatMap(each => papersOf(one, each).map(paper => subjectOf(paper.subject)))))].join('、')}`
    return [{ session_ids: [...new Set([session.session_id, other.session_id])], text }]
  }))
  const placed = new Set(sessions.flatMap(session => session.paper_ids))
  const open = papers.filter(paper => !placed.has(paper.paper_id))
  return open.length === 0 || sessions.length === 0 ? twice : [...twice, { session_ids: [], text: `还有${open.length}个科目没有场次：${open.slice(0, 6).map(paper => subjectOf(paper.subject)).join('、')}` }]
}

function overlap(a: SessionRow, b: SessionRow): boolean {
  return Date.parse(a.begin_at) < Date.parse(b.end_at) && Date.parse(b.begin_at) < Date.parse(a.end_at)
}
