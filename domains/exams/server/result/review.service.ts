import { examErrors, examTemplates, review_days, scoreText } from '@campus/exams/contract'
import type { ReviewRow, reviewApi } from '@campus/exams/contract'
import { send } from '@campus/messages/server'
import { selfScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { Db, ExamsCtx } from '../db.ts'
import { lockExam, readPapers, requireExam, states, subjectNames } from '../exam/exam.queries.ts'
import { scoreScope } from '../score/scope.ts'
import { readSitters } from '../score/score.queries.ts'
import { askAmend } from './amend.service.ts'

const [waiting, kept, amended, families] = [0, 1, 2, 3] as const
const day_ms = 86_400_000

/** The instant until which a family may ask about a release (chapter 55 §1.2). */
export function reviewUntil(released_at: Date): Date {
  return new Date(released_at.getTime() + review_days * day_ms)
}

/** The latest request of each paper and pupil: `paper pupil`. */
export async function readReviews(
  db: Db, school_id: number, exam_ids: readonly string[], user_ids: readonly string[],
): Promise<Map<string, { state: number; answer: string }>> {
  const { rows } = await sql<{ paper_id: string; user_id: string; state: number; answer: string }>`
    select paper_id::text as paper_id, user_id::text as user_id, state::int as state, answer from exam_review
    where school_id = ${school_id} and exam_id = any(${[...exam_ids]}::bigint[])
      and user_id = any(${[...user_ids]}::bigint[]) order by review_id`.execute(db)
  return new Map(rows.map(({ paper_id, user_id, ...rest }) => [`${paper_id} ${user_id}`, rest]))
}

type MyRelease = { exam_name: string; at: Date; papers: string[] }

/** The release to families that shows a pupil's scores; a pupil outside it is not found. @throws Refusal 404 */
async function requireRelease({ db, school_id }: ExamsCtx, exam_id: string, user_id: string): Promise<MyRelease> {
  const { rows } = await sql<MyRelease>`
    select e.exam_name, r.at, c.papers::text[] as papers
    from exam_release r
    join exam e on e.school_id = ${school_id} and e.exam_id = r.exam_id and e.publish_version = r.publish_version and e.state in (6, 7)
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = r.exam_id and c.user_id = ${user_id} and c.state <> 1
    where r.school_id = ${school_id} and r.exam_id = ${exam_id} and r.withdrawn_at is null and ${families} = any(r.audiences)`.execute(db)
  const [found] = rows
  if (!found) throw fail(commonErrors.notFound)
  return found
}

/** 查分: for me or my child, within the days after the release, once at a time. @throws Refusal 404, 409 reviewOpen, 422 reviewClosed */
export async function askReview(ctx: ExamsCtx, { exam_id, paper_id, user_id,
  reason }: Input<typeof reviewApi.ask>): Promise<Reply<typeof reviewApi.ask>> {
  const { db, school_id, me, now } = ctx
  const own = await selfScope(ctx)
  if (!own.includes(user_id)) throw fail(commonErrors.notFound)
  const release = await requireRelease(ctx, exam_id, user_id)
  if (!release.papers.includes(paper_id)) throw fail(commonErrors.notFound)
  if (now > reviewUntil(release.at)) throw fail(examErrors.reviewClosed)
  const row = { school_id, exam_id, paper_id, user_id, reason, asked_by: me.user_id, asked_at: now }
  const { review_id } = await db.insertInto('exam_review').values(row).returning('review_id').executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${release.exam_name} 查分`, reason })
  return { review_id }
}

/** Requests about an exam, those that wait first. @throws Refusal 404 */
export async function listReviews(ctx: ExamsCtx, exam_id: string): Promise<Reply<typeof reviewApi.page>> {
  const { db, school_id, now } = ctx
  const exam = await requireExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const [names, sitters] = [await subjectNames(db, school_id), await readSitters(db, school_id, exam_id)]
  const { rows } = await sql<Omit<ReviewRow,
    'asked_at' | 'subject' | 'score'> & { user_id: string; paper_id: string; code: string; dept_id: string; asked_at: Date }>`
    select v.review_id::text as review_id, v.user_id::text as user_id, v.paper_id::text as paper_id, x.subject as code,
      p.display_name as user_name,
      coalesce(d.dept_name, '') as dept_name, c.dept_id::text as dept_id, v.reason, v.state::int as state, v.answer, v.asked_at,
      coalesce(q.display_name, '') as asked_by_name, r.display_name as answered_by_name
    from exam_review v
    join exam_paper x on x.school_id = ${school_id} and x.paper_id = v.paper_id
    join exam_candidate c on c.school_id = ${school_id} and c.exam_id = v.exam_id and c.user_id = v.user_id
    join person_label p on p.school_id = ${school_id} and p.user_id = v.user_id
    left join dept_now d on d.school_id = ${school_id} and d.id = c.dept_id
    left join person_label q on q.school_id = ${school_id} and q.user_id = v.asked_by
    left join person_label r on r.school_id = ${school_id} and r.user_id = v.answered_by
    where v.school_id = ${school_id} and v.exam_id = ${exam_id} order by (v.state = 0) desc, v.review_id desc`.execute(db)
  const scoreOf = (user_id: string, paper_id: string) => {
    const stored = sitters.find(one => one.user_id === user_id)?.scores.get(paper_id)
    return stored ? scoreText(stored) : ''
  }
  return {
    list: rows.filter(row => scope.sees(row.dept_id, row.code)).map(({ code, dept_id: _dept, user_id, paper_id, asked_at, ...row }) => ({
      ...row, subject: names.get(code) ?? code, score: scoreOf(user_id, paper_id), asked_at: asked_at.toISOString(),
    })),
  }
}

/**
 * Answers a request: the score stays, or another one is asked for, which a second person agrees to as to any amendment. The family hears that there is an answer.
 * @throws Refusal 404, 409 amendOpen, notReleased, 422 scoreRange, scoreStep, scoreWord, amendEqual
 */
export async function answerReview(ctx: ExamsCtx, { review_id, value,
  answer }: Input<typeof reviewApi.answer>): Promise<Record<string, never>> {
  const { db, school_id, me, now } = ctx
  const asked = await db.selectFrom('exam_review').select(['exam_id', 'paper_id', 'user_id', 'asked_by', 'reason', 'state'])
    .where('school_id', '=', school_id).where('review_id', '=', review_id).forUpdate().executeTakeFirst()
  if (!asked || asked.state !== waiting) throw fail(commonErrors.notFound)
  const { exam_id, paper_id, user_id } = asked
  const exam = await lockExam(db, school_id, now, exam_id)
  const scope = await scoreScope(ctx, exam.grades)
  const paper = (await readPapers(db, school_id, exam_id)).find(one => one.paper_id === paper_id)
  const { dept_id } = await db.selectFrom('exam_candidate').select('dept_id')
    .where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
  if (!paper || !scope.sees(dept_id, paper.subject)) throw fail(commonErrors.notFound)
  if (exam.state !== states.released) throw fail(examErrors.notReleased)
  if (value !== null) await askAmend(ctx, { exam_id, paper_id, user_id, value, reason: `查分：${asked.reason}`.slice(0, 200) })
  await db.updateTable('exam_review').set({ state: value === null ? kept : amended, answer, answered_by: me.user_id, answered_at: now })
    .where('school_id', '=', school_id).where('review_id', '=', review_id).execute()
  const values = { exam: exam.exam_name, subject: (await subjectNames(db, school_id)).get(paper.subject) ?? paper.subject }
  await send(ctx, { template: examTemplates.reviewed, source_ref: `review:${review_id}`, to: [{ user_id: asked.asked_by,
    subject_user_id: user_id }], values, level: 1 })
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 查分答复`, reason: answer })
  return {}
}
