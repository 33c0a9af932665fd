import { electiveErrors } from '@campus/teaching/contract'
import { teachingTemplates } from '@campus/teaching/contract'
import type { seatApi } from '@campus/teaching/contract'
import { deptScope, inScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db, TeachingCtx } from '../db.ts'
import { teacherNames } from '../plan/plan.queries.ts'
import { explainDraw } from './draw.service.ts'
import { notifyPupils } from './notify.ts'
import { giveBack, takeSeat } from './pick.service.ts'
import type { SeatState } from './pick.service.ts'
import { stored } from './state.ts'
import { requireTask } from './task.queries.ts'
import type { Task } from './task.queries.ts'

const actions: Readonly<Record<string, string>> = { pick: '选课', wait: '进入候补', drop: '退选', promote: '候补递补', wish: '填报志愿', assign: '老师分配', remove: '老师移除', won: '中签', lost: '未中签',
  skip: '候补跳过（时间冲突或已选满）' }

/** Who chose what, within the caller's classes. @throws Refusal 404 for a task or an offer that is not the school's */
export async function listSeats(ctx: TeachingCtx,
  { page_index, page_size, task_id, offer_id, keyword, state, dept_id }: Input<typeof seatApi.list>): Promise<Reply<typeof seatApi.list>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  if (task_id !== undefined) await requireTask(db, school_id, task_id)
  if (offer_id !== undefined) await requireOffer(db, school_id, offer_id)
  const which = db.selectFrom('elective_seat as s')
    .innerJoin('elective_offer as o', on => on.onRef('o.id', '=', 's.offer_id').on('o.school_id', '=', school_id))
    .innerJoin('live_student as l', on => on.onRef('l.user_id', '=', 's.student_id').on('l.school_id', '=', school_id))
      .where('s.school_id', '=', school_id).where(inScope('l.dept_id', scope))
    .$if(task_id !== undefined, query => query.where('s.task_id', '=', task_id ?? ''))
      .$if(offer_id !== undefined, query => query.where('s.offer_id', '=', offer_id ?? ''))
    .$if(state === undefined, query => query.where('s.state', '<>', 6))
      .$if(state !== undefined, query => query.where('s.state', '=', Number(state)))
    .$if(dept_id !== undefined, query => query.where('l.dept_id', '=', dept_id ?? ''))
    .$if(keyword !== undefined, query => query
      .where(eb => eb.or([nameHas(nameKeyOf('l.user_name'), keyword ?? ''), sql<boolean>`starts_with(l.student_no, ${keyword ?? ''})`])))
  const rows = await which
    .select(['s.task_id', 's.student_id', 'l.student_no', 'l.user_name', 'l.dept_id', 'l.dept_name', 's.offer_id', 'o.title', 's.rank',
    's.state', 's.wait_no', 's.draw_no', 's.at'])
    .orderBy('s.task_id', 'desc').orderBy('l.student_no').orderBy('s.rank').orderBy('s.offer_id').limit(page_size)
      .offset((page_index - 1) * page_size).execute()
  const { total } = await which.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { list: rows.map(({ at, ...row }) => ({ ...row, key: `${row.task_id} ${row.student_id} ${row.offer_id}`, at: at.toISOString() })),
    total: Number(total) }
}

/** Pupils who have chosen less than they must, or nothing. Without a task: nobody. @throws Refusal 404 */
export async function listMissing(ctx: TeachingCtx,
  { page_index, page_size, task_id, keyword }: Input<typeof seatApi.missing>): Promise<Reply<typeof seatApi.missing>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  if (task_id === undefined) return { list: [], total: 0 }
  const task = await requireTask(db, school_id, task_id)
  const picked = db.selectFrom('elective_seat').select(['student_id', eb => eb.fn.countAll<number>().as('picks')])
    .where('school_id', '=', school_id).where('task_id', '=', task_id).where('state', 'in', [1, 2, 3, 4]).groupBy('student_id')
  const which = db.selectFrom('live_student as l').leftJoin(picked.as('p'), 'p.student_id', 'l.user_id')
    .where('l.school_id', '=', school_id).where('l.grade', 'in', task.grades).where(inScope('l.dept_id', scope))
    .where(sql<boolean>`coalesce(p.picks, 0) < ${Math.max(1, task.min_pick)}`)
    .$if(keyword !== undefined, query => query
      .where(eb => eb.or([nameHas(nameKeyOf('l.user_name'), keyword ?? ''), sql<boolean>`starts_with(l.student_no, ${keyword ?? ''})`])))
  const rows = await which
    .select(['l.user_id as student_id', 'l.student_no', 'l.user_name', 'l.dept_name', sql<number>`coalesce(p.picks, 0)::int`.as('picks')])
    .orderBy('l.student_no').limit(page_size).offset((page_index - 1) * page_size).execute()
  const { total } = await which.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { list: rows, total: Number(total) }
}

/** What a pupil did in a task, and why the draw came out as it did. @throws Refusal 404 */
export async function readEvents(ctx: TeachingCtx,
  { task_id, student_id }: Input<typeof seatApi.events>): Promise<Reply<typeof seatApi.events>> {
  const { db, school_id } = ctx
  const task = await requireTask(db, school_id, task_id)
  await requirePupil(ctx, student_id)
  const rows = await db.selectFrom('elective_event as e')
    .innerJoin('elective_offer as o', on => on.onRef('o.id', '=', 'e.offer_id').on('o.school_id', '=', school_id))
    .select(['e.at', 'o.title', 'e.action', 'e.by_id', 'e.reason'])
    .where('e.school_id', '=', school_id).where('e.task_id', '=', task_id).where('e.student_id', '=', student_id).orderBy('e.id', 'desc')
      .limit(200).execute()
  const names = await teacherNames(db, school_id, rows.map(row => row.by_id))
  return {
    explanation: await explainDraw(db, school_id, task, student_id),
    list: rows.map(({ at, by_id, action, ...row }) => ({ ...row, at: at.toISOString(), action: actions[action] ?? action,
      by_name: names.get(by_id) ?? '' })),
  }
}

/**
 * 分配 by hand: conditions and times do not hold, places and clashes do. @throws Refusal 404, 409 full, wrongState, 422 limit, clash,
 * exclusive
 */
export async function assignSeat(ctx: TeachingCtx,
  { task_id, offer_id, student_id, reason }: Input<typeof seatApi.assign>): Promise<SeatState> {
  const task = await requireLive(ctx, task_id)
  const pupil = await requirePupil(ctx, student_id)
  const seat = await takeSeat(ctx, { task, offer_id, pupil, reason })
  await notifySeat(ctx, task, student_id, `老师已为您分配课程，原因：${reason}`)
  ctx.note({ target_kind: 'teaching.seat', target_id: student_id, target_name: `${pupil.user_name} ${task.name}`,
    after: { offer_id, reason } })
  return seat
}

/** @throws Refusal 404, 409 notChosen, wrongState */
export async function removeSeat(ctx: TeachingCtx,
  { task_id, offer_id, student_id, reason }: Input<typeof seatApi.remove>): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const task = await requireLive(ctx, task_id)
  const pupil = await requirePupil(ctx, student_id)
  await requireOffer(db, school_id, offer_id, task_id)
  await giveBack(ctx, { task, offer_id, pupil, reason })
  await notifySeat(ctx, task, student_id, `老师已移除您的选课，原因：${reason}`)
  ctx.note({ target_kind: 'teaching.seat', target_id: student_id, target_name: `${pupil.user_name} ${task.name}`,
    before: { offer_id, reason } })
  return {}
}

function notifySeat(ctx: TeachingCtx, { id, name }: Task, student_id: string, text: string): Promise<void> {
  const source_ref = `seat:${id}:${student_id}:${ctx.now.getTime()}`
  return notifyPupils(ctx, [student_id], { template: teachingTemplates.elective, source_ref, task: name, text: text.slice(0, 200) })
}

async function requireLive({ db, school_id }: TeachingCtx, task_id: string): Promise<Task> {
  await db.selectFrom('elective_task').select('id').where('school_id', '=', school_id).where('id', '=', task_id).forShare().execute()
  const task = await requireTask(db, school_id, task_id)
  if (task.state !== stored.published && task.state !== stored.announced) throw fail(electiveErrors.wrongState)
  return task
}

async function requirePupil(ctx: TeachingCtx, student_id: string): Promise<{ user_id: string; user_name: string }> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  const pupil = await db.selectFrom('live_student').select(['user_id', 'user_name']).where('school_id', '=', school_id)
    .where('user_id', '=', student_id).where(inScope('dept_id', scope)).executeTakeFirst()
  if (!pupil) throw fail(commonErrors.notFound)
  return pupil
}

/** @throws Refusal 404 for an offer that is not the school's, or not the task's */
async function requireOffer(db: Db, school_id: number, id: string, task_id?: string): Promise<void> {
  const offer = await db.selectFrom('elective_offer').select('task_id').where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  if (!offer || (task_id !== undefined && offer.task_id !== task_id)) throw fail(commonErrors.notFound)
}
