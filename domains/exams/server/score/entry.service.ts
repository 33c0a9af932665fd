import { examErrors, readScore, scoreText } from '@campus/exams/contract'
import type { ExamRow, PaperRow, Score, scoreApi } from '@campus/exams/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, ExamsCtx } from '../db.ts'
import { lockExam, readPapers, requireExam, states, subjectNames } from '../exam/exam.queries.ts'
import { logChanges } from './log.ts'
import { refuseMismatch } from './difference.ts'
import { requireClass, scoreScope } from './scope.ts'
import { isEntered, readHandedIn, readSitters, slicesOf } from './score.queries.ts'
import type { Sitter } from './score.queries.ts'

/** The classes whose scores the caller may see. @throws Refusal 404 */
export async function listClasses(ctx: ExamsCtx, exam_id: string): Promise<Reply<typeof scoreApi.classes>> {
  const { grades } = await requireExam(ctx.db, ctx.school_id, ctx.now, exam_id)
  return { list: (await scoreScope(ctx, grades)).classes }
}

/** The scores of a class as a grid: pupils by papers. @throws Refusal 404 */
export async function readGrid(ctx: ExamsCtx, { exam_id, dept_id }: Input<typeof scoreApi.grid>): Promise<Reply<typeof scoreApi.grid>> {
  const { db, school_id, now, me } = ctx
  const exam = await requireExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  requireClass(scope, dept_id)
  const sitters = await readSitters(db, school_id, exam_id, dept_id)
  const handed = await readHandedIn(db, school_id, exam_id)
  const papers = (await readPapers(db, school_id, exam_id)).filter(paper => scope.sees(dept_id, paper.subject) && sitters.some(one => one.papers.includes(paper.paper_id)))
  const is_open = me.codes.has('exams.score.enter') && exam.state >= states.sitting && exam.state <= states.reviewing
  return {
    decimals: exam.decimals,
    papers: papers.map(({ paper_id, subject, full_score }) => ({ paper_id, subject, full_score, submitted: handed.has(`${paper_id} ${dept_id}`), may_enter: is_open && !handed.has(`${paper_id} ${dept_id}`) })),
    rows: sitters.map(({ user_id, user_name, student_no, exam_no, papers: own, scores }) => ({
      user_id, user_name, student_no, exam_no,
      cells: papers.filter(paper => own.includes(paper.paper_id)).map(({ paper_id }) => { const stored = scores.get(paper_id); return { paper_id, text: stored ? scoreText(stored) : '', version: stored?.version ?? 0 } }),
    })),
  }
}

type Asked = Input<typeof scoreApi.cell>['cells'][number]
type Change = Asked & { sitter: Sitter; paper: PaperRow; score: Score }

/**
 * Saves cells, all or none: each only while it is what the caller saw (55-A24). @throws Refusal 404, 409 notBegun, released, handedIn, scoreChanged, 422
 * scoreRange, scoreStep, scoreWord, notSitting
 */
export async function saveCells(ctx: ExamsCtx, { exam_id, cells }: Input<typeof scoreApi.cell>): Promise<Reply<typeof scoreApi.cell>> {
  const { db, school_id, me, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  requireEntering(exam)
  const papers = new Map((await readPapers(db, school_id, exam_id)).map(one => [one.paper_id, one]))
  const sitters = new Map((await readSitters(db, school_id, exam_id)).map(one => [one.user_id, one]))
  const [names, handed] = [await subjectNames(db, school_id), await readHandedIn(db, school_id, exam_id)]
  const changes = cells.map((cell): Change => {
    const [sitter, paper] = [sitters.get(cell.user_id), papers.get(cell.paper_id)]
    if (!sitter || !paper || !scope.sees(sitter.dept_id, paper.subject)) throw fail(commonErrors.notFound)
    const subject = names.get(paper.subject) ?? paper.subject
    if (!sitter.papers.includes(paper.paper_id)) throw fail(examErrors.notSitting, { params: { name: sitter.user_name, subject } })
    if (handed.has(`${paper.paper_id} ${sitter.dept_id}`)) throw fail(examErrors.handedIn)
    return { ...cell, sitter, paper, score: parse(cell.value, paper, exam.decimals, subject) }
  })
  for (const { sitter, paper, version } of changes) {
    if ((sitter.scores.get(paper.paper_id)?.version ?? 0) !== version) await refuseChanged(db, school_id, sitter, paper)
  }
  await writeScores(db, { school_id, exam_id, by: me.user_id, at: now }, changes)
  await logChanges(db, { school_id, exam_id, at: now }, changes.map(({ sitter, paper, version, score }) => ({
    paper_id: paper.paper_id, user_id: sitter.user_id, version: version + 1, from_text: oldText(sitter, paper), to_text: scoreText(score), cause: 'entry', reason: '', by_user_id: me.user_id, approver_id: null,
  })))
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 录分 ${changes.length}项` })
  return { cells: changes.map(({ sitter, paper, version, score }) => ({ paper_id: paper.paper_id, user_id: sitter.user_id, text: scoreText(score), version: version + 1 })) }
}

/** @throws Refusal 409 notBegun, released */
export function requireEntering({ state }: ExamRow): void {
  if (state >= states.released) throw fail(examErrors.released)
  if (state < states.sitting) throw fail(examErrors.notBegun)
}

/** What was typed, as it is stored. @throws Refusal 422 scoreRange, scoreStep, scoreWord */
export function parse(text: string, { full_score }: Pick<PaperRow, 'full_score'>, decimals: number, subject: string): Score {
  const score = readScore(text, { full_score, decimals })
  if (typeof score !== 'string') return score
  throw fail(examErrors[score], { params: { subject, full: full_score, d: decimals, text: text.trim() } })
}

function oldText(sitter: Sitter, paper: PaperRow): string {
  const stored = sitter.scores.get(paper.paper_id)
  return stored ? scoreText(stored) : ''
}

/** @throws Refusal 409 scoreChanged with who changed it and to what */
async function refuseChanged(db: Db, school_id: number, sitter: Sitter, paper: PaperRow): Promise<never> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(p.display_name, '他人') as name from exam_score o left join person_label p on p.school_id = ${school_id} and p.user_id = o.updated_by
    where o.school_id = ${school_id} and o.paper_id = ${paper.paper_id} and o.user_id = ${sitter.user_id}`.execute(db)
  throw fail(examErrors.scoreChanged, { params: { name: rows[0]?.name ?? '他人', x: oldText(sitter, paper) || '空' } })
}

type By = { school_id: number; exam_id: string; by: string; at: Date }

/** Writes scores whose versions the caller has compared under the lock of the exam. */
export async function writeScores(db: Db, { school_id, exam_id, by, at }: By, rows: readonly { paper: PaperRow; sitter: Pick<Sitter, 'user_id'>; version: number; score: Score }[]): Promise<void> {
  const column = <T>(pick: (row: (typeof rows)[number]) => T) => rows.map(pick)
  await sql`
    insert into exam_score (school_id, paper_id, user_id, exam_id, full_score, score, score_state, version, updated_by, updated_at)
    select ${school_id}::int, n.paper_id, n.user_id, ${exam_id}::bigint, n.full_score, n.score, n.score_state, n.version, ${by}::bigint, ${at}::timestamptz
    from unnest(${column(row => row.paper.paper_id)}::bigint[], ${column(row => row.sitter.user_id)}::bigint[], ${column(row => row.paper.full_score)}::numeric[], ${column(row => row.score.score)}::numeric[],
      ${column(row => row.score.score_state)}::smallint[], ${column(row => row.version + 1)}::int[]) as n(paper_id, user_id, full_score, score, score_state, version)
    on conflict (school_id, paper_id, user_id) do update set
      score = excluded.score, score_state = excluded.score_state, version = excluded.version, updated_by = excluded.updated_by, updated_at = excluded.updated_at`.execute(db)
}

/** Who has entered what: a line for each paper of each class. @throws Refusal 404 */
export async function listTasks(ctx: ExamsCtx, exam_id: string): Promise<Reply<typeof scoreApi.tasks>> {
  const { db, school_id, now, me } = ctx
  const exam = await requireExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const handed = await readHandedIn(db, school_id, exam_id)
  const { rows } = await sql<{ dept_id: string; subject: string; names: string }>`
    select t.dept_id::text as dept_id, t.subject, string_agg(distinct p.display_name, '、') as names
    from teaching_now_v t join person_label p on p.school_id = ${school_id} and p.user_id = t.user_id
    where t.school_id = ${school_id} and t.dept_id is not null group by t.dept_id, t.subject`.execute(db)
  const teachers = new Map(rows.map(row => [`${row.dept_id} ${row.subject}`, row.names]))
  const may = me.codes.has('exams.score.enter')
  const list = slicesOf(await readSitters(db, school_id, exam_id), await readPapers(db, school_id, exam_id)).flatMap(({ paper, dept_id, wanted, entered }) => {
    const one = scope.classes.find(each => each.dept_id === dept_id)
    const done = handed.get(`${paper.paper_id} ${dept_id}`)
    if (!one || !scope.sees(dept_id, paper.subject)) return []
    return [{ paper_id: paper.paper_id, subject: paper.subject, grade: paper.grade, dept_id, dept_name: one.dept_name, teachers: teachers.get(`${dept_id} ${paper.subject}`) ?? '', wanted, entered, submitted_at: done?.at.toISOString() ?? null, submitted_by: done?.by ?? null, may_enter: may }]
  })
  return { list }
}

/** Hands in the scores of a class in a paper: every pupil has one. The last one brings the exam to 待审核. @throws Refusal 404, 409 notBegun, released, handedIn, 422 incomplete */
export async function submitEntry(ctx: ExamsCtx, { exam_id, paper_id, dept_id }: Input<typeof scoreApi.submit>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const papers = await readPapers(db, school_id, exam_id)
  const paper = papers.find(one => one.paper_id === paper_id)
  const one = requireClass(scope, dept_id)
  if (!paper || !scope.sees(dept_id, paper.subject)) throw fail(commonErrors.notFound)
  requireEntering(exam)
  const handed = await readHandedIn(db, school_id, exam_id)
  if (handed.has(`${paper_id} ${dept_id}`)) throw fail(examErrors.handedIn)
  const sitters = await readSitters(db, school_id, exam_id)
  const open = sitters.filter(each => each.dept_id === dept_id && each.papers.includes(paper_id) && !isEntered(each.scores.get(paper_id))).length
  if (open > 0) throw fail(examErrors.incomplete, { params: { n: open } })
  if (exam.double_entry) await refuseMismatch(db, school_id, { exam_id, paper_id, dept_id })
  await refuseUnconfirmed(db, school_id, exam_id, paper_id, dept_id)
  await db.insertInto('exam_entry_task').values({ school_id, exam_id, paper_id, dept_id, submitted_by: me.user_id, submitted_at: now }).execute()
  const missing = slicesOf(sitters, papers).filter(each => !handed.has(`${each.paper.paper_id} ${each.dept_id}`)).length - 1
  if (missing === 0) await db.updateTable('exam').set({ state: states.reviewing, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} ${one.dept_name} 提交成绩` })
  return {}
}

/** Where candidates were signed in, the missing are confirmed before scores are handed in (chapter 55 rule 32). @throws Refusal 409 presenceOpen */
async function refuseUnconfirmed(db: Db, school_id: number, exam_id: string, paper_id: string, dept_id: string): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(distinct t.room_id)::int as n
    from exam_session s
    join exam_seat t on t.school_id = ${school_id} and t.session_id = s.session_id
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.user_id = t.user_id and c.dept_id = ${dept_id}
    where s.school_id = ${school_id} and s.exam_id = ${exam_id} and ${paper_id}::bigint = any(s.paper_ids)
      and exists (select 1 from exam_presence a where a.school_id = ${school_id} and a.session_id = s.session_id)
      and not exists (select 1 from exam_presence_room o where o.school_id = ${school_id} and o.session_id = t.session_id
        and o.room_id = t.room_id)`.execute(db)
  const n = rows[0]?.n ?? 0
  if (n > 0) throw fail(examErrors.presenceOpen, { params: { n } })
}

/** 退回: a class enters again, with why. @throws Refusal 404, 409 released */
export async function returnEntry(ctx: ExamsCtx, { exam_id, paper_id, dept_id, reason }: Input<typeof scoreApi.giveBack>): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.released) throw fail(examErrors.released)
  const { numDeletedRows } = await db.deleteFrom('exam_entry_task').where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('paper_id', '=', paper_id).where('dept_id', '=', dept_id).executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw fail(commonErrors.notFound)
  if (exam.state === states.reviewing) await db.updateTable('exam').set({ state: states.published, reviewed_at: null, reviewed_by: null, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 退回录分`, reason })
  return {}
}
