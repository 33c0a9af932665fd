import { examErrors, paperFindings, policyFindings } from '@campus/exams/contract'
import type { examApi, ExamPlan, ExamRow, PaperDraft, PaperRow, SessionDraft } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { insertMany } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, ExamsCtx } from '../db.ts'
import { clashesOf } from './clash.ts'
import { lockOpenPlan, readClasses, readPapers, readSessions, requireExam, states, subjectNames } from './exam.queries.ts'
import { overrule } from './exam.service.ts'
import { dayAt } from './minute.ts'
import { stepsOf } from './steps.ts'
import { suggestSessions } from './suggest.ts'

const afternoon_min = 14 * 60

/** An exam as a checklist: what is set, what is still missing, what clashes (chapter 55 §5). @throws Refusal 404 */
export async function readPlan({ db, school_id, now }: Pick<ExamsCtx, 'db' | 'school_id' | 'now'>, exam_id: string): Promise<ExamPlan> {
  const exam = await requireExam(db, school_id, now, exam_id)
  const [papers, sessions] = [await readPapers(db, school_id, exam_id), await readSessions(db, school_id, exam_id)]
  const classes = await readClasses(db, school_id, exam.grades)
  const names = await subjectNames(db, school_id)
  const clashes = [...clashesOf({ sessions, papers, classes, subjectOf: code => names.get(code) ?? code }), ...(await otherExams(db, school_id, exam, sessions))]
  return { exam, papers, sessions, classes, clashes, steps: stepsOf(exam, await countParts(db, school_id, exam_id), clashes.length), notes: notesOf(exam, papers) }
}

/** Counts of what belongs to a plan. */
async function countParts(db: Db, school_id: number, exam_id: string) {
  const { rows } = await sql<{ rooms: number; unseated: number; posts: number; duties: number }>`
    select (select count(*)::int from exam_room r where r.school_id = ${school_id} and r.exam_id = ${exam_id}) as rooms,
      (select count(*)::int from exam_room_session b where b.school_id = ${school_id} and b.exam_id = ${exam_id}) as posts,
      (select count(distinct (i.session_id, i.room_id))::int from exam_invigilator i where i.school_id = ${school_id} and i.exam_id = ${exam_id}) as duties,
      (select count(*)::int from exam_candidate c where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state = 0 and cardinality(c.papers) > 0 and not exists (
        select 1 from exam_seat t where t.school_id = ${school_id} and t.exam_id = ${exam_id} and t.user_id = c.user_id)) as unseated`.execute(db)
  return rows[0] ?? { rooms: 0, unseated: 0, posts: 0, duties: 0 }
}

/** Sessions of other exams of the same grades at the same time (chapter 55 §1.2). */
async function otherExams(db: Db, school_id: number, exam: ExamRow, sessions: ExamPlan['sessions']): Promise<ExamPlan['clashes']> {
  const { rows } = await sql<{ session_id: string; session_name: string; exam_name: string; other: string }>`
    select s.session_id::text as session_id, s.session_name, o.exam_name, t.session_name as other
    from exam_session s
    join exam_session t on t.school_id = ${school_id} and t.exam_id <> ${exam.exam_id} and t.begin_at < s.end_at and t.end_at > s.begin_at
    join exam o on o.school_id = ${school_id} and o.exam_id = t.exam_id and o.state <> 9 and o.grades && ${exam.grades}::text[]
    where s.school_id = ${school_id} and s.exam_id = ${exam.exam_id}`.execute(db)
  return sessions.length === 0 ? [] : rows.map(row => ({ session_ids: [row.session_id], text: `“${row.session_name}”与“${row.exam_name} ${row.other}”时间重叠，年级相同` }))
}

function notesOf(exam: ExamRow, papers: readonly PaperRow[]): string[] {
  const found = [...policyFindings(exam, new Map()), ...paperFindings(papers)]
  const texts = [...new Set(found.map(one => examErrors[one.code].msg))]
  return exam.override_reason === null ? texts : [...texts, `已突破考试政策，原因：${exam.override_reason}`]
}

/** The papers of an exam, all at once; those that are left out go. @throws Refusal 404, 409 published, paperUsed, 422 policyLow */
export async function savePapers(ctx: ExamsCtx, { exam_id, papers }: Input<typeof examApi.savePapers>): Promise<ExamPlan> {
  const { db, school_id, now } = ctx
  const exam = await lockOpenPlan(db, school_id, now, exam_id)
  const before = await readPapers(db, school_id, exam_id)
  const names = await subjectNames(db, school_id)
  const classes = new Set((await readClasses(db, school_id, exam.grades)).map(one => one.dept_id))
  const known = new Map(before.map(paper => [paper.paper_id, paper]))
  if (papers.some(one => (one.paper_id !== null && !known.has(one.paper_id)) || one.dept_ids.some(id => !classes.has(id)))) throw fail(commonErrors.notFound)
  if (papers.some(one => !exam.grades.includes(one.grade))) throw fail(commonErrors.invalid)
  overrule(ctx, exam.override_reason, paperFindings(papers))
  const staying = new Map(papers.flatMap(one => (one.paper_id === null ? [] : [[one.paper_id, one]])))
  await requireUnused(db, school_id, before.filter(one => staying.get(one.paper_id)?.full_score !== one.full_score), names)
  const gone = before.filter(one => !staying.has(one.paper_id)).map(one => one.paper_id)
  if (gone.length > 0) await db.deleteFrom('exam_paper').where('school_id', '=', school_id).where('paper_id', 'in', gone).execute()
  for (const [paper_id, { paper_id: _paper_id, full_score, ...facts }] of staying) await db.updateTable('exam_paper').set({ ...facts, full_score: String(full_score) }).where('school_id', '=', school_id).where('paper_id', '=', paper_id).execute()
  await insertMany(db, 'exam_paper', papers.filter(one => one.paper_id === null).map(({ paper_id: _paper_id, ...facts }: PaperDraft) => ({ ...facts, school_id, exam_id })))
  await touch(db, school_id, exam_id, now)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 科目`, after: { papers: papers.map(one => `${one.grade} ${names.get(one.subject) ?? one.subject}`) } })
  return readPlan(ctx, exam_id)
}

/** Papers with scores, or in a session, stay as they are. @throws Refusal 409 paperUsed */
async function requireUnused(db: Db, school_id: number, papers: readonly PaperRow[], names: ReadonlyMap<string, string>): Promise<void> {
  if (papers.length === 0) return
  const ids = papers.map(one => one.paper_id)
  const { rows } = await sql<{ paper_id: string }>`
    select p.paper_id::text as paper_id from exam_paper p where p.school_id = ${school_id} and p.paper_id = any(${ids}::bigint[]) and (
      exists (select 1 from exam_score o where o.school_id = ${school_id} and o.paper_id = p.paper_id)
      or exists (select 1 from exam_session s where s.school_id = ${school_id} and s.exam_id = p.exam_id and p.paper_id = any(s.paper_ids)))`.execute(db)
  const used = papers.find(one => one.paper_id === rows[0]?.paper_id)
  if (used) throw fail(examErrors.paperUsed, { params: { subject: names.get(used.subject) ?? used.subject } })
}

/** The sessions of an exam, all at once. @throws Refusal 404, 409 published, 422 sessionOutside, sessionTwice, sessionShort */
export async function saveSessions(ctx: ExamsCtx, { exam_id, sessions }: Input<typeof examApi.saveSessions>): Promise<ExamPlan> {
  const { db, school_id, now } = ctx
  const exam = await lockOpenPlan(db, school_id, now, exam_id)
  const papers = new Map((await readPapers(db, school_id, exam_id)).map(one => [one.paper_id, one]))
  const before = new Set((await readSessions(db, school_id, exam_id)).map(one => one.session_id))
  if (sessions.some(one => (one.session_id !== null && !before.has(one.session_id)) || one.paper_ids.some(id => !papers.has(id)))) throw fail(commonErrors.notFound)
  await requireSessions(exam, sessions, papers, await subjectNames(db, school_id))
  const staying = sessions.flatMap(one => one.session_id ?? [])
  const gone = [...before].filter(id => !staying.includes(id))
  if (gone.length > 0) await db.deleteFrom('exam_session').where('school_id', '=', school_id).where('session_id', 'in', gone).execute()
  for (const { session_id, ...facts } of sessions) {
    if (session_id !== null) await db.updateTable('exam_session').set(facts).where('school_id', '=', school_id).where('session_id', '=', session_id).execute()
  }
  await insertMany(db, 'exam_session', sessions.filter(one => one.session_id === null).map(({ session_id: _session_id, ...facts }: SessionDraft) => ({ ...facts, school_id, exam_id })))
  await dropSeats(db, school_id, exam_id)
  await touch(db, school_id, exam_id, now)
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 场次`, after: { sessions: sessions.map(one => `${one.session_name} ${one.begin_at}`) } })
  return readPlan(ctx, exam_id)
}

async function requireSessions(exam: ExamRow, sessions: readonly SessionDraft[], papers: ReadonlyMap<string, PaperRow>, names: ReadonlyMap<string, string>): Promise<void> {
  const placed = new Set<string>()
  for (const one of sessions) {
    if (dayAt(one.begin_at) < exam.begin_date || dayAt(one.end_at) > exam.end_date) throw fail(examErrors.sessionOutside, { params: { name: one.session_name } })
    const long = Math.max(...one.paper_ids.map(id => papers.get(id)?.minutes ?? 0))
    if (Date.parse(one.end_at) - Date.parse(one.begin_at) < long * 60_000) throw fail(examErrors.sessionShort, { params: { name: one.session_name, n: long } })
    const twice = one.paper_ids.find(id => placed.has(id))
    if (twice !== undefined) throw fail(examErrors.sessionTwice, { params: { subject: names.get(papers.get(twice)?.subject ?? '') ?? '' } })
    for (const id of one.paper_ids) placed.add(id)
  }
}

/** Seats and duties follow the sessions: with new times they are to be arranged again. */
export async function dropSeats(db: Db, school_id: number, exam_id: string): Promise<void> {
  for (const table of ['exam_seat', 'exam_room_session', 'exam_invigilator'] as const) {
    await db.deleteFrom(table).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  }
}

/** The exam has been worked on: 草稿 becomes 编排中. */
export async function touch(db: Db, school_id: number, exam_id: string, now: Date): Promise<void> {
  await db.updateTable('exam').set({ state: states.planning, row_version: sql<number>`row_version + 1`, updated_at: now })
    .where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('state', '<=', states.planning).execute()
}

/** Sessions as the product would lay them; nothing is written. @throws Refusal 404 */
export async function suggest({ db, school_id, now }: ExamsCtx, { exam_id, first }: Input<typeof examApi.suggest>): Promise<Reply<typeof examApi.suggest>> {
  const exam = await requireExam(db, school_id, now, exam_id)
  const papers = await readPapers(db, school_id, exam_id)
  const names = await subjectNames(db, school_id)
  const days = await db.selectFrom('school_day_v').select(['date', 'is_school_day']).where('school_id', '=', school_id).where('grade', 'in', exam.grades)
    .where('date', '>=', exam.begin_date).where('date', '<=', exam.end_date).execute()
  const off = new Set(days.filter(day => !day.is_school_day).map(day => day.date))
  const [hour = 8, minute = 0] = first.split(':').map(Number)
  return { sessions: suggestSessions({ papers, begin_date: exam.begin_date, end_date: exam.end_date, first_min: hour * 60 + minute, afternoon_min, subjectOf: code => names.get(code) ?? code, free: day => !off.has(day) }) }
}
