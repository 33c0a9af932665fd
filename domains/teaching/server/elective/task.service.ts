import { randomBytes } from 'node:crypto'
import { electiveErrors, teachingTemplates } from '@campus/teaching/contract'
import type { electiveApi, TaskRow } from '@campus/teaching/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { minuteText } from '@kit/server/excel'
import { sql } from 'kysely'
import type { TeachingCtx } from '../db.ts'
import { requireOpenTerm } from '../plan/plan.queries.ts'
import { hashOfSeed } from './draw.ts'
import { setBusy, setClashes } from './clash.ts'
import { notifyPupils } from './notify.ts'
import { modes, shown, stateAt, stored } from './state.ts'
import { readOffers, requireTask, taskRow, taskRows } from './task.queries.ts'
import type { Task } from './task.queries.ts'

const seed_bytes = 32
const code_bytes = 18

/** Tasks, the latest first. */
export async function listTasks({ db, school_id, now }: TeachingCtx,
  { page_index, page_size, keyword, kind, grade }: Input<typeof electiveApi.list>): Promise<Reply<typeof electiveApi.list>> {
  const which = db.selectFrom('elective_task').where('school_id', '=', school_id)
    .$if(keyword !== undefined, query => query.where(nameHas(nameKeyOf('name'), keyword ?? '')))
    .$if(kind !== undefined, query => query.where('kind', '=', Number(kind)))
      .$if(grade !== undefined, query => query.where(sql<boolean>`${grade ?? ''} = any(grades)`))
  const found = await which.select(['id']).orderBy('open_at', 'desc').orderBy('id', 'desc').limit(page_size)
    .offset((page_index - 1) * page_size).execute()
  const { total } = await which.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  const tasks: Task[] = []
  for (const { id } of found) tasks.push(await requireTask(db, school_id, id))
  return { list: await taskRows(db, school_id, now, tasks), total: Number(total) }
}

/** @throws Refusal 404 */
export async function readTask({ db, school_id, now }: TeachingCtx, id: string): Promise<Reply<typeof electiveApi.read>> {
  return { row: await taskRow(db, school_id, now, id), offers: await readOffers(db, school_id, id) }
}

/** @throws Refusal 404 semesterUnknown, 409 nameTaken, 422 semesterClosed */
export async function addTask(ctx: TeachingCtx, draft: Input<typeof electiveApi.add>): Promise<{ row: TaskRow }> {
  const { db, school_id, now } = ctx
  await requireOpenTerm(db, school_id, draft.semester_id)
  const { id } = await db.insertInto('elective_task').values({ ...draft, school_id, created_at: now }).returning('id')
    .executeTakeFirstOrThrow()
  ctx.note({ target_kind: 'teaching.elective', target_id: id, target_name: draft.name })
  return { row: await taskRow(db, school_id, now, id) }
}

/**
 * A published task keeps its rules; name, note and its end may be changed. @throws Refusal 404, 409 nameTaken, wrongState, 422 published
 */
export async function updateTask(ctx: TeachingCtx,
  { id, row_version, ...draft }: Input<typeof electiveApi.update>): Promise<{ row: TaskRow }> {
  const { db, school_id, now } = ctx
  await requireOpenTerm(db, school_id, draft.semester_id)
  const before = await requireTask(db, school_id, id, true)
  if (before.row_version !== row_version) throw fail(electiveErrors.wrongState)
  const is_live = before.state === stored.published && stateAt(before, now) !== shown.closed
  if (before.state !== stored.draft && !(is_live && sameRules(before, draft))) throw fail(electiveErrors.published)
  await db.updateTable('elective_task').set({ ...draft, row_version: row_version + 1 }).where('school_id', '=', school_id)
    .where('id', '=', id).execute()
  ctx.note({ target_kind: 'teaching.elective', target_id: id, target_name: draft.name })
  return { row: await taskRow(db, school_id, now, id) }
}

function sameRules(before: Task, draft: Omit<Input<typeof electiveApi.update>, 'id' | 'row_version'>): boolean {
  const rules = (one: { kind: number; semester_id: number; mode: number; grades: readonly string[]; max_pick: number; min_pick: number; wishes: number }) =>
    [one.kind, one.semester_id, one.mode, one.grades.toSorted().join(), one.max_pick, one.min_pick, one.wishes].join('|')
  return rules(before) === rules(draft) && Date.parse(draft.open_at) === before.open_at.getTime()
}

/** Only a draft goes. @throws Refusal 404, 422 notDraft */
export async function removeTask(ctx: TeachingCtx, id: string): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  const task = await requireTask(db, school_id, id, true)
  if (task.state !== stored.draft) throw fail(electiveErrors.notDraft)
  await db.deleteFrom('elective_offer').where('school_id', '=', school_id).where('task_id', '=', id).execute()
  await db.deleteFrom('elective_task').where('school_id', '=', school_id).where('id', '=', id).execute()
  ctx.note({ target_kind: 'teaching.elective', target_id: id, target_name: task.name })
  return {}
}

type Asked = { id: string }
type Change = Partial<Pick<Task, 'state' | 'paused' | 'close_at' | 'seed' | 'seed_hash' | 'proof_code' | 'void_reason'>>

async function change(ctx: TeachingCtx, task: Task, values: Change, word: string): Promise<{ row: TaskRow }> {
  const { db, school_id, now } = ctx
  await db.updateTable('elective_task').set({ ...values, row_version: task.row_version + 1 }).where('school_id', '=', school_id)
    .where('id', '=', task.id).execute()
  ctx.note({ target_kind: 'teaching.elective', target_id: task.id, target_name: `${task.name} ${word}` })
  return { row: await taskRow(db, school_id, now, task.id) }
}

/** From now on pupils see the task; of a lottery the hash of its seed is fixed here. @throws Refusal 404, 409 wrongState, 422 noOffers */
export async function publishTask(ctx: TeachingCtx, { id }: Asked): Promise<{ row: TaskRow }> {
  const { db, school_id } = ctx
  const task = await requireTask(db, school_id, id, true)
  if (task.state !== stored.draft) throw fail(electiveErrors.wrongState)
  const offers = await db.selectFrom('elective_offer').select('id').where('school_id', '=', school_id).where('task_id', '=', id).limit(1)
    .executeTakeFirst()
  if (!offers) throw fail(electiveErrors.noOffers)
  await setClashes(db, school_id, task)
  await setBusy(db, school_id, task)
  await notifyAudience(ctx, task, 'open', `选课将于${minuteText(task.open_at)}开始，${minuteText(task.close_at)}结束`)
  const seed = task.mode === modes.lottery ? randomBytes(seed_bytes).toString('hex') : null
  const committed = seed === null ? {} : { seed, seed_hash: hashOfSeed(seed),
    proof_code: `${school_id}-${randomBytes(code_bytes).toString('base64url')}` }
  return change(ctx, task, { state: stored.published, ...committed }, '发布')
}

/** Tells every pupil whom a task is for, and his parents. */
async function notifyAudience(ctx: TeachingCtx, { id, name, grades }: Pick<Task, 'id' | 'name' | 'grades'>, about: string,
  text: string): Promise<void> {
  const pupils = await ctx.db.selectFrom('live_student').select('user_id').where('school_id', '=', ctx.school_id).where('grade', 'in',
    grades).execute()
  await notifyPupils(ctx, pupils.map(one => one.user_id), { template: teachingTemplates.elective, source_ref: `${about}:${id}`, task: name,
    text: text.slice(0, 200) })
}

/** 暂停 keeps every seat. @throws Refusal 404, 409 wrongState */
export async function pauseTask(ctx: TeachingCtx, { id, paused }: Input<typeof electiveApi.pause>): Promise<{ row: TaskRow }> {
  const task = await requireTask(ctx.db, ctx.school_id, id, true)
  if (task.state !== stored.published || stateAt(task, ctx.now) === shown.closed) throw fail(electiveErrors.wrongState)
  return change(ctx, task, { paused }, paused ? '暂停' : '继续')
}

/** Open again until another end, as long as nothing is drawn. @throws Refusal 404, 409 wrongState, drawn, 422 closePast */
export async function reopenTask(ctx: TeachingCtx, { id, close_at }: Input<typeof electiveApi.reopen>): Promise<{ row: TaskRow }> {
  const { now } = ctx
  const task = await requireTask(ctx.db, ctx.school_id, id, true)
  if (task.drawn_at !== null) throw fail(electiveErrors.drawn)
  if (task.state !== stored.published || stateAt(task, now) !== shown.closed) throw fail(electiveErrors.wrongState)
  if (Date.parse(close_at) <= now.getTime()) throw fail(electiveErrors.closePast,
    { errors: [{ field: 'close_at', msg: electiveErrors.closePast.msg }] })
  return change(ctx, task, { close_at: new Date(close_at) }, '重新开放')
}

/**
 * 作废: seats stay as history and take no place. Once pupils have chosen, the name is typed again. @throws Refusal 404, 409 wrongState, 422
 * nameUnequal
 */
export async function voidTask(ctx: TeachingCtx, { id, reason, name }: Input<typeof electiveApi.void>): Promise<{ row: TaskRow }> {
  const { db, school_id } = ctx
  const task = await requireTask(db, school_id, id, true)
  if (task.state !== stored.draft && task.state !== stored.published) throw fail(electiveErrors.wrongState)
  const chosen = await db.selectFrom('elective_seat').select('student_id').where('school_id', '=', school_id).where('task_id', '=', id)
    .limit(1).executeTakeFirst()
  if (chosen && name !== task.name) throw fail(electiveErrors.nameUnequal,
    { errors: [{ field: 'name', msg: electiveErrors.nameUnequal.msg }] })
  if (task.state === stored.published) await notifyAudience(ctx, task, 'void', `任务已作废，原因：${reason}`)
  return change(ctx, task, { state: stored.void, void_reason: reason }, '作废')
}
