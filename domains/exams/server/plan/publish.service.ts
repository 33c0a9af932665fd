import { examErrors, examEvents, examTemplates } from '@campus/exams/contract'
import type { ExamRow, planApi } from '@campus/exams/contract'
import { send } from '@campus/messages/server'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import { renewRights } from '../control/rights.ts'
import type { Db, ExamsCtx } from '../db.ts'
import { lockExam, readSessions, requireExam, states } from '../exam/exam.queries.ts'
import { readPlan } from '../exam/plan.service.ts'

type Touched = { dept_ids: string[]; place_ids: string[]; teacher_ids: string[]; pupil_ids: string[] }

/**
 * Publishes the plan: attendance, boards and people hear of every session (chapter 55 §7). @returns a line for each effect
 * @throws Refusal 404, 409 published, 422 notReady, unseated
 */
export async function publishPlan(ctx: ExamsCtx, exam_id: string): Promise<Reply<typeof planApi.publish>> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state !== states.planning) throw fail(exam.state === states.draft ? examErrors.notReady : examErrors.published)
  const plan = await readPlan(ctx, exam_id)
  const missing = plan.steps.find(step => !step.done && (step.key === 'session' || step.key === 'candidate' || step.key === 'seat'))
  if (missing?.key === 'seat') throw fail(examErrors.unseated, { params: { n: await countUnseated(db, school_id, exam_id) } })
  if (missing) throw fail(examErrors.notReady)
  const plan_version = exam.plan_version + 1
  await db.updateTable('exam').set({ state: states.published, plan_version, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  const touched = await tellSessions(ctx, exam_id, examEvents.sessionPublished)
  const { doors } = await renewRights(ctx, exam_id, true)
  const days = exam.begin_date === exam.end_date ? exam.begin_date : `${exam.begin_date} 至 ${exam.end_date}`
  const ref = `${exam_id}:${plan_version}`
  if (touched.teacher_ids.length > 0) await send(ctx, { template: examTemplates.duty, source_ref: `duty:${ref}`, to: touched.teacher_ids.map(user_id => ({ user_id })), values: { exam: exam.exam_name }, level: 2 })
  await send(ctx, { template: examTemplates.plan, source_ref: `plan:${ref}`, to: touched.pupil_ids.map(user_id => ({ user_id })), values: { exam: exam.exam_name, days }, level: 1 })
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 安排第${plan_version}次发布` })
  const receipts = [`座位已固定 ${touched.pupil_ids.length}人`, `考场 ${touched.place_ids.length}间`, `通知考生 ${touched.pupil_ids.length}人`,
    `通知监考教师 ${touched.teacher_ids.length}人`, ...(doors > 0 ? [`考场门禁 ${doors}台`] : [])]
  return { row: await requireExam(db, school_id, now, exam_id), receipts }
}

async function countUnseated(db: Db, school_id: number, exam_id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from exam_candidate c where c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.state = 0 and not exists (
      select 1 from exam_seat t where t.school_id = ${school_id} and t.exam_id = ${exam_id} and t.user_id = c.user_id)`.execute(db)
  return rows[0]?.n ?? 0
}

/** Tells the others of every session; ids only. @returns whom and what it concerns in all */
async function tellSessions(ctx: ExamsCtx, exam_id: string, fact: typeof examEvents.sessionPublished): Promise<Touched> {
  const { db, school_id } = ctx
  const { rows } = await sql<{ session_id: string } & Touched>`
    select s.session_id::text as session_id,
      array(select distinct c.dept_id::text from exam_seat t join exam_candidate c on c.school_id = ${school_id} and c.exam_id = ${exam_id} and c.user_id = t.user_id
        where t.school_id = ${school_id} and t.session_id = s.session_id) as dept_ids,
      array(select b.place_id::text from exam_room_session b where b.school_id = ${school_id} and b.session_id = s.session_id) as place_ids,
      array(select i.user_id::text from exam_invigilator i where i.school_id = ${school_id} and i.session_id = s.session_id) as teacher_ids,
      array(select t.user_id::text from exam_seat t where t.school_id = ${school_id} and t.session_id = s.session_id) as pupil_ids
    from exam_session s where s.school_id = ${school_id} and s.exam_id = ${exam_id}`.execute(db)
  for (const { session_id, begin_at, end_at } of await readSessions(db, school_id, exam_id)) {
    const own = rows.find(one => one.session_id === session_id)
    if (own) await publish(ctx, fact, { exam_id, session_id, begin_at, end_at, dept_ids: own.dept_ids, place_ids: own.place_ids, teacher_ids: own.teacher_ids })
  }
  const all = (key: keyof Touched) => [...new Set(rows.flatMap(row => row[key]))]
  return { dept_ids: all('dept_ids'), place_ids: all('place_ids'), teacher_ids: all('teacher_ids'), pupil_ids: all('pupil_ids') }
}

/** 撤回安排: before the first session begins; seats stay as they are to be worked on. @throws Refusal 404, 409 notPublished, begun */
export async function recallPlan(ctx: ExamsCtx, { exam_id, reason }: Input<typeof planApi.recall>): Promise<{ row: ExamRow }> {
  const { db, school_id, now } = ctx
  const exam = await lockExam(db, school_id, now, exam_id)
  if (exam.state === states.sitting || exam.state === states.entering) throw fail(examErrors.begun)
  if (exam.state !== states.published) throw fail(examErrors.notPublished)
  await db.updateTable('exam').set({ state: states.planning, row_version: sql<number>`row_version + 1`, updated_at: now }).where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  await db.deleteFrom('exam_control_override').where('school_id', '=', school_id).where('exam_id', '=', exam_id).execute()
  const touched = await tellSessions(ctx, exam_id, examEvents.sessionRecalled)
  await renewRights(ctx, exam_id, false)
  const to = [...touched.pupil_ids, ...touched.teacher_ids].map(user_id => ({ user_id }))
  await send(ctx, { template: examTemplates.recalled, source_ref: `recall:${exam_id}:${exam.plan_version}`, to, values: { exam: exam.exam_name, reason }, level: 2 })
  ctx.note({ target_kind: 'exams.exam', target_id: exam_id, target_name: `${exam.exam_name} 安排撤回`, reason })
  return { row: await requireExam(db, school_id, now, exam_id) }
}
