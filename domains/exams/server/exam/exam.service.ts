import { addDays, countDays } from '@campus/calendar/contract'
import { examErrors, policyFindings } from '@campus/exams/contract'
import type { examApi, ExamRow, PolicyFinding } from '@campus/exams/contract'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, ExamsCtx } from '../db.ts'
import { lockExam, readExams, requireExam, states } from './exam.queries.ts'

type Saved = Reply<typeof examApi.add>
const override_code = 'exams.policy.override'
const phases = { plan: [states.draft, states.planning], running: [states.published, states.reviewing], done: [states.released, states.archived], cancelled: [states.cancelled] }

/** A page of exams, the latest first. */
export async function listExams({ db, school_id, now }: ExamsCtx, { page_index, page_size, keyword, exam_kind, grade, phase }: Input<typeof examApi.list>): Promise<Reply<typeof examApi.list>> {
  const parts = [
    ...(keyword === undefined ? [] : [nameHas(nameKeyOf('exam_name'), keyword)]), ...(exam_kind === undefined ? [] : [sql`e.exam_kind = ${exam_kind}`]),
    ...(grade === undefined ? [] : [sql`${grade} = any(e.grades)`]), ...(phase === undefined ? [] : [sql`e.state = any(${phases[phase]}::smallint[])`]),
  ]
  const which = parts.length === 0 ? sql`true` : sql.join(parts, sql` and `)
  const list = await readExams(db, school_id, now, which, sql`limit ${page_size} offset ${(page_index - 1) * page_size}`)
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from exam e where e.school_id = ${school_id} and ${which}`.execute(db)
  return { list, total: rows[0]?.total ?? 0 }
}

/** Terms for choosing one, the latest first; `current`: today's, else the one that comes next. */
export async function listTerms({ db, school_id, now }: ExamsCtx): Promise<Reply<typeof examApi.terms>> {
  const list = await db.selectFrom('semester_v').select(['semester_id', 'name', 'begin_date', 'end_date']).where('school_id', '=', school_id)
    .where('is_closed', '=', false).orderBy('begin_date', 'desc').execute()
  const today = schoolDay(now)
  return { list, current: (list.findLast(term => term.end_date >= today) ?? list[0])?.semester_id ?? null }
}

/** @throws Refusal 404 semesterUnknown, 409 nameTaken, 422 outsideTerm, policy… */
export async function addExam(ctx: ExamsCtx, draft: Input<typeof examApi.add>): Promise<Saved> {
  const { db, school_id, me, now } = ctx
  await requireInTerm(db, school_id, draft.semester_id, draft)
  await requirePolicy(ctx, draft, '0')
  const { exam_id } = await db.insertInto('exam').values({ ...draft, school_id, created_by: me.user_id, created_at: now, updated_at: now }).returning('exam_id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: draft.exam_name, after: { ...draft }, ...reasonOf(draft) })
  return { row: await requireExam(db, school_id, now, exam_id) }
}

/** Settings of an exam; after the plan is published only its name and what readers see. @throws Refusal 404, 409 staleRow, closed, nameTaken, 422 outsideTerm, policy… */
export async function updateExam(ctx: ExamsCtx, { exam_id, row_version, ...patch }: Input<typeof examApi.update>): Promise<Saved> {
  const { db, school_id, now } = ctx
  const before = await lockExam(db, school_id, now, exam_id)
  if (before.row_version !== row_version) throw fail(examErrors.staleRow)
  if (before.state >= states.released) throw fail(examErrors.closed)
  if (before.state >= states.published && (before.begin_date !== patch.begin_date || before.end_date !== patch.end_date)) throw fail(examErrors.published)
  await requireInTerm(db, school_id, before.semester_id, patch)
  await requirePolicy(ctx, { ...before, ...patch }, exam_id)
  await db.updateTable('exam').set({ ...patch, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: patch.exam_name, before: { ...before }, after: { ...patch }, ...reasonOf(patch) })
  return { row: await requireExam(db, school_id, now, exam_id) }
}

function reasonOf({ override_reason }: { override_reason: string | null }): { reason?: string } {
  return override_reason === null ? {} : { reason: override_reason }
}

async function requireInTerm(db: Db, school_id: number, semester_id: number, { begin_date, end_date }: { begin_date: string; end_date: string }): Promise<void> {
  const term = await db.selectFrom('semester_v').select(['begin_date', 'end_date', 'is_closed']).where('school_id', '=', school_id).where('semester_id', '=', semester_id).executeTakeFirst()
  if (!term) throw fail(examErrors.semesterUnknown, { errors: [{ field: 'semester_id', msg: examErrors.semesterUnknown.msg }] })
  if (begin_date < term.begin_date || end_date > term.end_date) throw fail(examErrors.outsideTerm, { errors: [{ field: 'begin_date', msg: examErrors.outsideTerm.msg }] })
}

type Policed = Pick<ExamRow, 'exam_kind' | 'grades' | 'score_mode' | 'show_rank' | 'semester_id' | 'override_reason'>

/** Refuses what lies outside the policy of a stage, unless somebody with the right says why (chapter 55 rule 22). */
async function requirePolicy(ctx: ExamsCtx, exam: Policed, exam_id: string): Promise<void> {
  const { db, school_id } = ctx
  const { rows } = await sql<{ grade: string; n: number }>`
    select g.grade, count(*)::int as n from exam e cross join lateral unnest(e.grades) as g(grade)
    where e.school_id = ${school_id} and e.semester_id = ${exam.semester_id} and e.exam_kind = ${exam.exam_kind} and e.state <> 9 and e.exam_id <> ${exam_id} group by g.grade`.execute(db)
  overrule(ctx, exam.override_reason, policyFindings(exam, new Map(rows.map(row => [row.grade, row.n]))))
}

/** @throws Refusal 422 of the first finding, 403 overrideRight */
export function overrule({ me }: Pick<ExamsCtx, 'me'>, override_reason: string | null, [found]: readonly PolicyFinding[]): void {
  if (!found) return
  if (override_reason === null) throw fail(examErrors[found.code])
  if (!me.codes.has(override_code)) throw fail(examErrors.overrideRight)
}

/** Removes a draft with its papers and sessions. @throws Refusal 404, 422 notDraft */
export async function removeExam(ctx: ExamsCtx, exam_id: string): Promise<Record<string, never>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state !== states.draft) throw fail(examErrors.notDraft)
  for (const table of ['exam_candidate', 'exam_room', 'exam_session', 'exam_paper', 'exam'] as const) {
    await db.deleteFrom(table).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  }
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: exam.exam_name, before: { ...exam } })
  return {}
}

/** An exam like another one on other days: settings, papers, sessions, rooms; no candidates. @throws Refusal 404, 409 nameTaken, 422 outsideTerm, policy… */
export async function copyExam(ctx: ExamsCtx, { exam_id, exam_name, begin_date }: Input<typeof examApi.copy>): Promise<Saved> {
  const { db, school_id, now } = ctx
  const from = await requireExam(db, school_id, now, exam_id)
  const end_date = addDays(begin_date, countDays(from.begin_date, from.end_date) - 1)
  const days = countDays(from.begin_date, begin_date) === 0 ? 1 - countDays(begin_date, from.begin_date) : countDays(from.begin_date, begin_date) - 1
  const semester_id = await termOf(db, school_id, begin_date)
  const { exam_kind, grades, score_mode, show_rank, absent_as, decimals, double_entry, override_reason } = from
  const facts = { exam_name, exam_kind, semester_id, begin_date, end_date, grades, score_mode, show_rank, absent_as, decimals,
    double_entry, override_reason }
  await requireInTerm(db, school_id, semester_id, facts)
  await requirePolicy(ctx, facts, '0')
  const made = await db.insertInto('exam').values({ ...facts, school_id, created_by: ctx.me.user_id, created_at: now, updated_at: now }).returning('exam_id').executeTakeFirstOrThrow()
  await copyParts(db, school_id, { from: exam_id, to: made.exam_id, days })
  ctx.note({ target_kind: 'exams.exam', target_id: made.exam_id, target_name: `${exam_name}（复制自 ${from.exam_name}）` })
  return { row: await requireExam(db, school_id, now, made.exam_id) }
}

async function termOf(db: Db, school_id: number, day: string): Promise<number> {
  const term = await db.selectFrom('semester_v').select('semester_id').where('school_id', '=', school_id).where('begin_date', '<=', day).where('end_date', '>=', day).executeTakeFirst()
  if (!term) throw fail(examErrors.outsideTerm)
  return term.semester_id
}

async function copyParts(db: Db, school_id: number, { from, to, days }: { from: string; to: string; days: number }): Promise<void> {
  await sql`
    insert into exam_paper (school_id, exam_id, subject, grade, dept_ids, exam_way, full_score, minutes, excellent_pct, good_pct, pass_pct, low_pct, assign, in_total)
    select school_id, ${to}::bigint, subject, grade, dept_ids, exam_way, full_score, minutes, excellent_pct, good_pct, pass_pct, low_pct, assign, in_total
    from exam_paper where school_id = ${school_id} and exam_id = ${from} on conflict do nothing`.execute(db)
  await sql`
    insert into exam_session (school_id, exam_id, session_name, begin_at, end_at, paper_ids)
    select s.school_id, ${to}::bigint, s.session_name, s.begin_at + ${days} * interval '1 day', s.end_at + ${days} * interval '1 day',
      array(select n.paper_id from exam_paper o join exam_paper n on n.school_id = ${school_id} and n.exam_id = ${to} and n.subject = o.subject and n.grade = o.grade
        where o.school_id = ${school_id} and o.paper_id = any(s.paper_ids))
    from exam_session s where s.school_id = ${school_id} and s.exam_id = ${from} returning session_id`.execute(db)
  await sql`
    insert into exam_room (school_id, exam_id, number, place_id, col_count, row_count, path, blocked, is_spare)
    select school_id, ${to}::bigint, number, place_id, col_count, row_count, path, blocked, is_spare
    from exam_room where school_id = ${school_id} and exam_id = ${from} on conflict do nothing`.execute(db)
}

/** 取消: an exam that has not begun to be entered; seats and rooms become free. @throws Refusal 404, 409 closed */
export async function cancelExam(ctx: ExamsCtx, { exam_id, reason }: Input<typeof examApi.cancel>): Promise<Saved> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state > states.published) throw fail(examErrors.closed)
  for (const table of ['exam_seat', 'exam_room_session', 'exam_invigilator'] as const) {
    await db.deleteFrom(table).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  }
  await db.updateTable('exam').set({ state: states.cancelled, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: exam.exam_name, reason })
  return { row: await requireExam(db, school_id, now, exam_id) }
}
