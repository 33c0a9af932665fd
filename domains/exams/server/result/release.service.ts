import { createHash } from 'node:crypto'
import { examErrors, examEvents, examTemplates, policyFindings } from '@campus/exams/contract'
import type { ReleaseState, resultApi } from '@campus/exams/contract'
import { spendRecheck } from '@campus/identity/server'
import { send } from '@campus/messages/server'
import { schoolDay } from '@campus/school/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { Db, ExamsCtx } from '../db.ts'
import { lockExam, readPapers, requireExam, states } from '../exam/exam.queries.ts'
import { overrule } from '../exam/exam.service.ts'
import { readHandedIn, readSitters, slicesOf } from '../score/score.queries.ts'

type Saved = Reply<typeof resultApi.review>
const families = 3

/** What stands between the scores and their publication, and what has been published (chapter 55 §5). @throws Refusal 404 */
export async function readState({ db, school_id, now }: ExamsCtx, exam_id: string): Promise<ReleaseState> {
  const exam = await requireExam(db, school_id, now, exam_id)
  const open = await countOpen(db, school_id, exam_id)
  const { rows } = await sql<{ reviewed_by: string | null }>`
    select p.display_name as reviewed_by from exam e left join person_label p on p.school_id = ${school_id} and p.user_id = e.reviewed_by where e.school_id = ${school_id} and e.exam_id = ${exam_id}`.execute(db)
  const releases = await sql<Omit<ReleaseState['releases'][number], 'at' | 'withdrawn_at'> & { at: Date; withdrawn_at: Date | null }>`
    select r.publish_version, r.at, coalesce(p.display_name, '') as by_name, r.audiences::int[] as audiences, r.score_mode, r.show_rank, r.withdrawn_at, r.reason
    from exam_release r left join person_label p on p.school_id = ${school_id} and p.user_id = r.by_user_id
    where r.school_id = ${school_id} and r.exam_id = ${exam_id} order by r.publish_version desc`.execute(db)
  const reviewed_by = exam.state >= states.reviewing ? (rows[0]?.reviewed_by ?? null) : null
  return {
    checks: [
      { text: exam.state < states.entering ? '考试尚未结束' : '考试已结束', ok: exam.state >= states.entering },
      { text: open === 0 ? '全部录分任务已提交' : `还有${open}个录分任务未提交`, ok: open === 0 },
      { text: reviewed_by === null ? '尚未审核' : `已由${reviewed_by}审核`, ok: reviewed_by !== null },
    ],
    reviewed_by, releases: releases.rows.map(({ at, withdrawn_at, ...row }) => ({ ...row, at: at.toISOString(), withdrawn_at: withdrawn_at?.toISOString() ?? null })),
  }
}

async function countOpen(db: Db, school_id: number, exam_id: string): Promise<number> {
  const handed = await readHandedIn(db, school_id, exam_id)
  return slicesOf(await readSitters(db, school_id, exam_id), await readPapers(db, school_id, exam_id)).filter(one => !handed.has(`${one.paper.paper_id} ${one.dept_id}`)).length
}

/** 审核: all tasks are handed in. @throws Refusal 404, 409 released, notSubmitted */
export async function reviewAll(ctx: ExamsCtx, exam_id: string): Promise<Saved> {
  const { db, school_id, me, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.released) throw fail(examErrors.released)
  const open = await countOpen(db, school_id, exam_id)
  if (exam.state !== states.reviewing || open > 0) throw fail(examErrors.notSubmitted, { params: { n: Math.max(1, open) } })
  await db.updateTable('exam').set({ reviewed_at: now, reviewed_by: me.user_id, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 成绩审核` })
  return { row: await requireExam(db, school_id, now, exam_id) }
}

/** A hash of all scores: what was published can be held against what is there (chapter 55 rule 38). */
async function hashScores(db: Db, school_id: number, exam_id: string): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select concat_ws('|', paper_id, user_id, score, score_state, version) as line from exam_score where school_id = ${school_id} and exam_id = ${exam_id} order by paper_id, user_id`.execute(db)
  return createHash('sha256').update(rows.map(row => row.line).join('\n')).digest('hex')
}

/**
 * Publishes the results to exactly those who are chosen; families hear that they are there, never a score (chapter 55 rules 22, 23, 38).
 * @throws Refusal 404, 403 recheck, 409 released, notSubmitted, notReviewed, 422 policyRank
 */
export async function publishResults(ctx: ExamsCtx, { exam_id, audiences, score_mode, show_rank,
  recheck_token }: Input<typeof resultApi.publish>): Promise<Saved> {
  const { db, school_id, me, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state >= states.released) throw fail(examErrors.released)
  const open = await countOpen(db, school_id, exam_id)
  if (exam.state !== states.reviewing || open > 0) throw fail(examErrors.notSubmitted, { params: { n: Math.max(1, open) } })
  overrule(ctx, exam.override_reason, policyFindings({ ...exam, score_mode, show_rank }, new Map()).filter(one => one.code === 'policyRank'))
  const { reviewed_at } = await db.selectFrom('exam').select('reviewed_at').where('school_id', '=', school_id).where('exam_id', '=', exam_id).executeTakeFirstOrThrow()
  if (reviewed_at === null) throw fail(examErrors.notReviewed)
  if (!(await spendRecheck(db, me.user_id, recheck_token, now))) throw fail(examErrors.recheck)
  const publish_version = exam.publish_version + 1
  await db.updateTable('exam').set({ state: states.released, publish_version, score_mode, show_rank, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  await insertRelease(ctx, { exam_id, publish_version, audiences: [...new Set(audiences)], score_mode, show_rank, reason: '' })
  await publish(ctx, examEvents.resultReleased, { exam_id, publish_version })
  if (audiences.includes(families)) {
    const to = await familiesOf(db, school_id, exam_id, schoolDay(now))
    if (to.length > 0) await send(ctx, { template: examTemplates.released, source_ref: `release:${exam_id}:${publish_version}`, to, values: { exam: exam.exam_name }, level: 1 })
  }
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 成绩第${publish_version}次发布`, after: { audiences, score_mode, show_rank, by: me.user_name } })
  return { row: await requireExam(db, school_id, now, exam_id) }
}

type NewRelease = { exam_id: string; publish_version: number; audiences: number[]; score_mode: string; show_rank: string; reason: string }

/** A release is written once; a change of scores afterwards is a release of its own. */
export async function insertRelease({ db, school_id, me, now }: ExamsCtx, row: NewRelease): Promise<void> {
  await db.insertInto('exam_release').values({ ...row, school_id, score_hash: await hashScores(db, school_id, row.exam_id), at: now, by_user_id: me.user_id }).execute()
}

/** The pupils of an exam, or some of them, with their guardians of today. */
export async function familiesOf(db: Db, school_id: number, exam_id: string, today: string, user_id?: string): Promise<{ user_id: string; subject_user_id?: string }[]> {
  const one = user_id === undefined ? sql`true` : sql`c.user_id = ${user_id}`
  const { rows } = await sql<{ user_id: string; subject_user_id: string }>`
    select c.user_id::text as user_id, c.user_id::text as subject_user_id from exam_candidate c join live_student s on s.school_id = ${school_id} and s.user_id = c.user_id
    where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state <> 1 and ${one}
    union all
    select g.parent_user_id::text, c.user_id::text from exam_candidate c
    join guardian_span g on g.school_id = ${school_id} and g.student_user_id = c.user_id and g.is_guardian and g.valid_from <= ${today}::date and (g.valid_to is null or g.valid_to > ${today}::date)
    join live_parent p on p.school_id = ${school_id} and p.user_id = g.parent_user_id
    where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state <> 1 and ${one}`.execute(db)
  return [...new Map(rows.map(row => [row.user_id, row])).values()]
}

/** 撤回发布: readers see nothing more; scores can be returned and entered again. @throws Refusal 404, 409 notReleased */
export async function withdrawResults(ctx: ExamsCtx, { exam_id, reason }: Input<typeof resultApi.withdraw>): Promise<Saved> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state !== states.released) throw fail(examErrors.notReleased)
  await db.updateTable('exam_release').set({ withdrawn_at: now, reason }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).where('withdrawn_at', 'is', null).execute()
  await db.updateTable('exam').set({ state: states.reviewing, reviewed_at: null, reviewed_by: null, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  await publish(ctx, examEvents.resultWithdrawn, { exam_id, publish_version: exam.publish_version })
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 成绩撤回`, reason })
  return { row: await requireExam(db, school_id, now, exam_id) }
}
