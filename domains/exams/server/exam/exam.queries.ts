import { examErrors, ExamRow, PaperRow, SessionRow } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** Stored states of an exam; 3 考试中 and 4 录分中 follow from the clock (chapter 55 §2.4). */
export const states = { draft: 0, planning: 1, published: 2, sitting: 3, entering: 4, reviewing: 5, released: 6, archived: 7, cancelled: 9 } as const
const whole = 100

type Stored = { state: number; first_at: Date | null; last_at: Date | null }

/** The state as of an instant. */
function stateAt({ state, first_at, last_at }: Stored, now: Date): number {
  if (state !== states.published || first_at === null || last_at === null || now < first_at) return state
  return now >= last_at ? states.entering : states.sitting
}

type Counted = Stored & { papers: number; sessions: number; candidates: number; seated: number; wanted: number; scored: number } & Record<string, unknown>

/** Exams with what has been done of them; `which` is a condition on `e`. */
export async function readExams(db: Db, school_id: number, now: Date, which: RawBuilder<unknown>, tail: RawBuilder<unknown> = sql``): Promise<ExamRow[]> {
  const { rows } = await sql<Counted>`
    select e.exam_id::text as exam_id, e.exam_name, e.exam_kind, e.semester_id, e.begin_date::text as begin_date, e.end_date::text as end_date, e.grades, e.state::int as state,
      e.score_mode, e.show_rank, e.absent_as, e.decimals::int as decimals, e.double_entry, e.override_reason, e.plan_version,
        e.publish_version, e.row_version,
      (select count(*)::int from exam_paper p where p.school_id = ${school_id} and p.exam_id = e.exam_id) as papers,
      (select count(*)::int from exam_session s where s.school_id = ${school_id} and s.exam_id = e.exam_id) as sessions,
      (select min(s.begin_at) from exam_session s where s.school_id = ${school_id} and s.exam_id = e.exam_id) as first_at,
      (select max(s.end_at) from exam_session s where s.school_id = ${school_id} and s.exam_id = e.exam_id) as last_at,
      (select count(*)::int from exam_candidate c where c.school_id = ${school_id} and c.exam_id = e.exam_id and c.state = 0) as candidates,
      (select count(distinct t.user_id)::int from exam_seat t where t.school_id = ${school_id} and t.exam_id = e.exam_id) as seated,
      (select coalesce(sum(cardinality(c.papers)), 0)::int from exam_candidate c where c.school_id = ${school_id} and c.exam_id = e.exam_id and c.state = 0) as wanted,
      (select count(*)::int from exam_score o where o.school_id = ${school_id} and o.exam_id = e.exam_id and o.score_state <> 9) as scored
    from exam e where e.school_id = ${school_id} and ${which} order by e.begin_date desc, e.exam_id desc ${tail}`.execute(db)
  return rows.map(row => ExamRow.parse({ ...row, state: stateAt(row, now), seated_pct: share(row.seated, row.candidates), scored_pct: share(row.scored, row.wanted) }))
}

function share(part: number, of: number): number {
  return of === 0 ? 0 : Math.min(whole, Math.floor((part / of) * whole))
}

/** @throws Refusal 404 */
export async function requireExam(db: Db, school_id: number, now: Date, exam_id: string): Promise<ExamRow> {
  const [row] = await readExams(db, school_id, now, sql`e.exam_id = ${exam_id}`)
  if (!row) throw fail(commonErrors.notFound)
  return row
}

/** Locks an exam, so that what follows is decided on what it is. @throws Refusal 404 */
export async function lockExam(db: Db, school_id: number, now: Date, exam_id: string): Promise<ExamRow> {
  const row = await db.selectFrom('exam').select('exam_id').where('school_id', '=', school_id).where('exam_id', '=', exam_id).forUpdate().executeTakeFirst()
  if (!row) throw fail(commonErrors.notFound)
  return requireExam(db, school_id, now, exam_id)
}

/** An exam whose plan may still be changed. @throws Refusal 404, 409 closed, published */
export async function lockOpenPlan(db: Db, school_id: number, now: Date, exam_id: string): Promise<ExamRow> {
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.reviewing) throw fail(examErrors.closed)
  if (exam.state >= states.published) throw fail(examErrors.published)
  return exam
}

/** Papers of an exam, by grade and subject. */
export async function readPapers(db: Db, school_id: number, exam_id: string): Promise<PaperRow[]> {
  const { rows } = await sql<object>`
    select paper_id::text as paper_id, subject, grade, dept_ids::text[] as dept_ids, exam_way, full_score::float8 as full_score, minutes::int as minutes, excellent_pct::int as excellent_pct,
      good_pct::int as good_pct, pass_pct::int as pass_pct, low_pct::int as low_pct, assign, in_total
    from exam_paper where school_id = ${school_id} and exam_id = ${exam_id} order by grade, subject`.execute(db)
  return z.array(PaperRow).parse(rows)
}

/** Sessions of an exam in their order. */
export async function readSessions(db: Db, school_id: number, exam_id: string): Promise<SessionRow[]> {
  const { rows } = await sql<{ begin_at: Date; end_at: Date }>`
    select session_id::text as session_id, session_name, begin_at, end_at, paper_ids::text[] as paper_ids
    from exam_session where school_id = ${school_id} and exam_id = ${exam_id} order by begin_at, session_id`.execute(db)
  return z.array(SessionRow).parse(rows.map(row => ({ ...row, begin_at: row.begin_at.toISOString(), end_at: row.end_at.toISOString() })))
}

export type ExamClass = { dept_id: string; dept_name: string; grade: string }

/** Classes of grades in the order of the school. */
export async function readClasses(db: Db, school_id: number, grades: readonly string[]): Promise<ExamClass[]> {
  const { rows } = await sql<ExamClass>`
    select id::text as dept_id, dept_name, grade from dept_now
    where school_id = ${school_id} and dept_type = 4 and grade = any(${[...grades]}::text[]) order by grade, class_no, id`.execute(db)
  return rows
}

/** Names of SUBJECT codes as the school calls them. */
export async function subjectNames(db: Db, school_id: number): Promise<Map<string, string>> {
  const rows = await db.selectFrom('dictionary_v').select(['sc_code_item', 'name']).where('school_id', '=', school_id).where('sc_code_type', '=', 'SUBJECT').execute()
  return new Map(rows.map(row => [row.sc_code_item, row.name]))
}
