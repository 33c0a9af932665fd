import type { PaperRow, Score } from '@campus/exams/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A pupil with the papers he sits and what he got in them. */
export type Sitter = { user_id: string; user_name: string; student_no: string; exam_no: string | null; dept_id: string; papers: string[]; scores: Map<string, Stored> }
export type Stored = Score & { version: number }

/** Candidates of an exam with their scores, of one class or of all. */
export async function readSitters(db: Db, school_id: number, exam_id: string, dept_id?: string): Promise<Sitter[]> {
  const of_class = dept_id === undefined ? sql`true` : sql`c.dept_id = ${dept_id}`
  const people = await sql<Omit<Sitter, 'scores'>>`
    select c.user_id::text as user_id, p.display_name as user_name, coalesce(s.student_no, '') as student_no, c.exam_no, c.dept_id::text as dept_id, c.papers::text[] as papers
    from exam_candidate c
    join person_label p on p.school_id = ${school_id} and p.user_id = c.user_id
    left join live_student s on s.school_id = ${school_id} and s.user_id = c.user_id
    where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state <> 1 and ${of_class} order by c.exam_no, s.student_no, c.user_id`.execute(db)
  const scores = await sql<{ user_id: string; paper_id: string; score: number | null; score_state: number; version: number }>`
    select o.user_id::text as user_id, o.paper_id::text as paper_id, o.score::float8 as score, o.score_state::int as score_state, o.version
    from exam_score o where o.school_id = ${school_id} and o.exam_id = ${exam_id}`.execute(db)
  const by_user = Map.groupBy(scores.rows, row => row.user_id)
  return people.rows.map(one => ({ ...one, scores: new Map((by_user.get(one.user_id) ?? []).map(({ paper_id, score, score_state, version }) => [paper_id, { score, score_state, version }])) }))
}

/** Classes that have handed in a paper: `paper class`. */
export async function readHandedIn(db: Db, school_id: number, exam_id: string): Promise<Map<string, { at: Date; by: string }>> {
  const { rows } = await sql<{ paper_id: string; dept_id: string; at: Date; by: string }>`
    select t.paper_id::text as paper_id, t.dept_id::text as dept_id, t.submitted_at as at, coalesce(p.display_name, '') as by
    from exam_entry_task t left join person_label p on p.school_id = ${school_id} and p.user_id = t.submitted_by
    where t.school_id = ${school_id} and t.exam_id = ${exam_id}`.execute(db)
  return new Map(rows.map(({ paper_id, dept_id, at, by }) => [`${paper_id} ${dept_id}`, { at, by }]))
}

/** Slices of entering: each paper of each class that sits it, with how far it is. */
export function slicesOf(sitters: readonly Sitter[], papers: readonly PaperRow[]) {
  return papers.flatMap(paper => [...Map.groupBy(sitters.filter(one => one.papers.includes(paper.paper_id)), one => one.dept_id)].map(([dept_id, group]) => ({
    paper, dept_id, wanted: group.length, entered: group.filter(one => isEntered(one.scores.get(paper.paper_id))).length,
  })))
}

const cleared = 9

export function isEntered(stored: Score | undefined): boolean {
  return stored !== undefined && stored.score_state !== cleared
}
