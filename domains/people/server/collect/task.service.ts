import { createHash } from 'node:crypto'
import { CollectAudience, peopleErrors, peopleTemplates } from '@campus/people/contract'
import type { collectTaskApi, CollectTaskRow } from '@campus/people/contract'
import { send } from '@campus/messages/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { deptScope } from '../scope.ts'
import { requireFields, sideOf } from './side.ts'
import { askAudience, countAnswers, countByClass, findTask, insertTask, knownDepts, knownPeople, pageTasks, unanswered, writeTask } from './task.queries.ts'
import type { TaskKey, TaskRecord } from './task.queries.ts'

const clock = { timeZone: 'Asia/Shanghai', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', hour12: false } as const
type Draft = Input<typeof collectTaskApi.add>

/** Who reads, and the departments whose people he may ask and see. */
export async function taskKey(ctx: PeopleCtx): Promise<TaskKey> {
  const [pupils, staff] = [await deptScope(ctx, 'student'), await deptScope(ctx, 'staff')]
  return { school_id: ctx.school_id, scope: pupils === 'all' || staff === 'all' ? 'all' : [...new Set([...pupils, ...staff])], whose: ctx.me.user_id }
}

/** How a task stands at a moment: its end closes it by itself. */
export function stateOf({ state, close_at }: Pick<TaskRecord, 'state' | 'close_at'>, now: Date): CollectTaskRow['state'] {
  if (state === 'draft') return 'draft'
  return state === 'open' && close_at > now ? 'open' : 'closed'
}

/** What a task may ask. @throws Refusal 422 fieldScene */
export async function askableFields(ctx: PeopleCtx, { field_scene }: Input<typeof collectTaskApi.fields>): Promise<Reply<typeof collectTaskApi.fields>> {
  await taskKey(ctx)
  return { list: await sideOf(field_scene).fields(ctx) }
}

/** Tasks with how far they have come. */
export async function listTasks(ctx: PeopleCtx, query: Input<typeof collectTaskApi.page>): Promise<Reply<typeof collectTaskApi.page>> {
  const key = await taskKey(ctx)
  const { list, total } = await pageTasks(ctx.db, key, query)
  const counts = await countAnswers(ctx.db, key, list.map(({ id }) => id))
  return { list: list.map(task => rowOf(ctx, key, task, counts.get(task.id))), total }
}

function rowOf({ now }: PeopleCtx, key: TaskKey, task: TaskRecord, counts = { total: 0, answered: 0, waiting: 0 }): CollectTaskRow {
  const { id, title, field_scene, field_codes, open_at, close_at, review_mode, row_version } = task
  return {
    id, title, field_scene, field_codes, row_version, ...counts, audience: CollectAudience.parse(task.audience), open_at: open_at?.toISOString() ?? null, close_at: close_at.toISOString(),
    review_mode: review_mode === 'auto' ? 'auto' : 'review', state: stateOf(task, now), is_own: isOwn(key, task),
  }
}

function isOwn({ scope, whose }: TaskKey, { created_by }: TaskRecord): boolean {
  return scope === 'all' || created_by === whose
}

/** A task by class. @throws Refusal 404 */
export async function readStat(ctx: PeopleCtx, { id }: { id: string }): Promise<Reply<typeof collectTaskApi.stat>> {
  const key = await taskKey(ctx)
  if (!(await findTask(ctx.db, key, id, { locked: false }))) throw fail(commonErrors.notFound)
  const rows = await countByClass(ctx.db, key, id)
  const labels = await labelsOn(ctx, rows.flatMap(({ dept_id }) => dept_id ?? []), schoolDay(ctx.now))
  return { list: rows.map(row => ({ ...row, dept_name: labels.get(row.dept_id ?? '') ?? '已撤销的班级' })) }
}

/** A new task, which asks nobody before it is opened. @throws Refusal 404 for people and departments out of reach, 422 fieldScene, collectField, collectEnd */
export async function addTask(ctx: PeopleCtx, { field_scene, ...draft }: Draft): Promise<Reply<typeof collectTaskApi.add>> {
  const key = await taskKey(ctx)
  const said = await judgeDraft(ctx, key, field_scene, draft)
  const id = await insertTask(ctx.db, { school_id: ctx.school_id, field_scene, ...said, created_by: ctx.me.user_id, created_at: ctx.now })
  ctx.note({ target_kind: 'people.collect', target_id: id, target_name: said.title })
  return { id }
}

async function judgeDraft(ctx: PeopleCtx, key: TaskKey, field_scene: number, { title, field_codes, audience, close_at, review_mode }: Omit<Draft, 'field_scene'>) {
  const { db, now } = ctx
  await requireFields(ctx, field_scene, field_codes)
  const dept_ids = [...new Set(audience.dept_ids)]
  const user_ids = [...new Set(audience.user_ids)]
  if ((await knownDepts(db, key, dept_ids)) < dept_ids.length || (await knownPeople(db, key, { field_scene, today: schoolDay(now) }, user_ids)) < user_ids.length) throw fail(commonErrors.notFound)
  const end = new Date(close_at)
  if (end <= now) throw fail(peopleErrors.collectEnd)
  return { title, field_codes, audience: JSON.stringify({ dept_ids, user_ids }), close_at: end, review_mode }
}

/** Changes a task that nobody was asked yet. @throws Refusal as for a new one, 409 staleRow, collectDraft */
export async function updateTask(ctx: PeopleCtx, { id, row_version, ...draft }: Input<typeof collectTaskApi.update>): Promise<Reply<typeof collectTaskApi.update>> {
  const key = await taskKey(ctx)
  const task = await ownTask(ctx, key, id)
  if (task.state !== 'draft') throw fail(peopleErrors.collectDraft)
  if (task.row_version !== row_version) throw fail(peopleErrors.staleRow)
  await writeTask(ctx.db, ctx.school_id, id, await judgeDraft(ctx, key, task.field_scene, draft))
  ctx.note({ target_kind: 'people.collect', target_id: id, target_name: draft.title })
  return { row_version: row_version + 1 }
}

/** @throws Refusal 404 for a task that is not one's own to handle */
async function ownTask({ db, note }: PeopleCtx, key: TaskKey, id: string): Promise<TaskRecord> {
  const task = await findTask(db, key, id, { locked: true })
  if (!task || !isOwn(key, task)) throw fail(commonErrors.notFound)
  note({ target_kind: 'people.collect', target_id: id, target_name: task.title })
  return task
}

/** Opens a task: the audience is frozen (chapter 20 rule 29), families, or the staff themselves, are told. @throws Refusal 404, 409 collectDraft, 422 collectEnd, collectNobody */
export async function openTask(ctx: PeopleCtx, { id }: { id: string }): Promise<Reply<typeof collectTaskApi.open>> {
  const key = await taskKey(ctx)
  const task = await ownTask(ctx, key, id)
  if (task.state !== 'draft') throw fail(peopleErrors.collectDraft)
  if (task.close_at <= ctx.now) throw fail(peopleErrors.collectEnd)
  await writeTask(ctx.db, ctx.school_id, id, { state: 'open', open_at: ctx.now })
  const asked = await ask(ctx, key, task)
  if (asked === 0) throw fail(peopleErrors.collectNobody)
  await tellAsked(ctx, key, task, { moment: 'open' })
  return { asked }
}

/** Asks who has come into the audience since; they are told with the next reminder. @throws Refusal 404, 409 collectOver */
export async function joinTask(ctx: PeopleCtx, { id }: { id: string }): Promise<Reply<typeof collectTaskApi.join>> {
  const key = await taskKey(ctx)
  return { asked: await ask(ctx, key, await runningTask(ctx, key, id)) }
}

function ask({ db, now }: PeopleCtx, key: TaskKey, { id, field_scene, audience }: TaskRecord): Promise<number> {
  return askAudience(db, key, { id, field_scene, audience: CollectAudience.parse(audience) }, { today: schoolDay(now), now })
}

async function runningTask(ctx: PeopleCtx, key: TaskKey, id: string): Promise<TaskRecord> {
  const task = await ownTask(ctx, key, id)
  if (stateOf(task, ctx.now) !== 'open') throw fail(peopleErrors.collectOver)
  return task
}

/** Ends a task; what waits for review still can be decided. @throws Refusal 404, 409 collectOver */
export async function closeTask(ctx: PeopleCtx, { id }: { id: string }): Promise<Record<string, never>> {
  await runningTask(ctx, await taskKey(ctx), id)
  await writeTask(ctx.db, ctx.school_id, id, { state: 'closed' })
  return {}
}

/** Reminds the families, or the staff, that have not answered; the same people hear of it once a day however often it is asked. @throws Refusal 404, 409 collectOver */
export async function remindTask(ctx: PeopleCtx, { id, dept_ids }: Input<typeof collectTaskApi.remind>): Promise<Reply<typeof collectTaskApi.remind>> {
  const key = await taskKey(ctx)
  if (dept_ids && (await knownDepts(ctx.db, key, [...new Set(dept_ids)])) < new Set(dept_ids).size) throw fail(commonErrors.notFound)
  const task = await findTask(ctx.db, key, id, { locked: true })
  if (!task) throw fail(commonErrors.notFound)
  if (stateOf(task, ctx.now) !== 'open') throw fail(peopleErrors.collectOver)
  ctx.note({ target_kind: 'people.collect', target_id: id, target_name: task.title })
  return { reminded: await tellAsked(ctx, key, task, { moment: schoolDay(ctx.now), dept_ids }) }
}

async function tellAsked(ctx: PeopleCtx, key: TaskKey, { id, field_scene, title, close_at }: TaskRecord, { moment, dept_ids }: { moment: string; dept_ids?: readonly string[] }): Promise<number> {
  const people = await unanswered(ctx.db, key, { id, field_scene }, { today: schoolDay(ctx.now), dept_ids })
  const at = close_at.toLocaleString('zh-CN', clock).replaceAll('/', '-')
  const whom = dept_ids === undefined ? 'all' : [...new Set(dept_ids)].toSorted().join('.')
  const source_ref = `collect/${id}/${moment}/${createHash('sha256').update(whom).digest('hex').slice(0, 16)}`
  if (people.length > 0) await send(ctx, { template: peopleTemplates.collectAsked, source_ref, to: people, values: { title, at }, link: '/InformationDialog', level: 1, batch: `collect/${id}/${moment}` })
  return new Set(people.map(({ user_id }) => user_id)).size
}
