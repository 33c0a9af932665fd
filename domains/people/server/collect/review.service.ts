import { peopleErrors } from '@campus/people/contract'
import type { collectReviewApi, CollectReviewRow } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { labelOf } from '../student-file.queries.ts'
import { lockAnswers, pageWaiting, writeAnswer } from './answer.queries.ts'
import type { CollectDesk } from './desk.ts'
import { sideOf } from './side.ts'
import { findTask } from './task.queries.ts'
import { taskKey } from './task.service.ts'
import { openSaid } from './values.ts'
import type { SaidValues } from './values.ts'

type Waiting = Awaited<ReturnType<typeof pageWaiting>>['list'][number]
type Decision = Input<typeof collectReviewApi.decide>['lines'][number]

/** Answers that wait, with what accepting them would change today. */
export async function listWaiting(ctx: PeopleCtx, query: Input<typeof collectReviewApi.waiting>): Promise<Reply<typeof collectReviewApi.waiting>> {
  const { list, total } = await pageWaiting(ctx.db, await taskKey(ctx), query)
  const labels = await labelsOn(ctx, list.flatMap(({ dept_id }) => dept_id ?? []), schoolDay(ctx.now))
  const desks = new Map<number, CollectDesk>()
  for (const { field_scene } of list) if (!desks.has(field_scene)) desks.set(field_scene, await sideOf(field_scene).desk(ctx))
  const rows: CollectReviewRow[] = []
  for (const row of list) rows.push(await reviewRow(ctx, row, labels, desks.get(row.field_scene)))
  return { list: rows, total }
}

async function reviewRow(ctx: PeopleCtx, row: Waiting, labels: ReadonlyMap<string, string>, desk: CollectDesk | undefined): Promise<CollectReviewRow> {
  const { db, school_id, app } = ctx
  const { task_id, user_id, title, user_name, respondent_user_id, at, dept_id, values_enc } = row
  const subject = await desk?.subject(user_id)
  const said = values_enc === null ? {} : openSaid(app.secrets, school_id, values_enc)
  const gone = { changes: [], troubles: [], warnings: [] }
  const { changes, troubles, warnings } = subject ? await subject.judge(said) : gone
  const errors = subject ? troubles.map(({ field, msg, failure }) => ({ field, msg: msg ?? failure.msg })) : [{ field: '', msg: desk?.gone ?? '' }]
  const diff = changes.map(({ field, label, before, after }) => ({ field, label, before: textOf(before), after: textOf(after) }))
  return { task_id, user_id, title, user_name, at: at.toISOString(), dept_name: labels.get(dept_id ?? '') ?? '', respondent_name: await labelOf(db, school_id, respondent_user_id), diff, errors, warnings }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Decides about answers of one task: accepted fields are written by the way of every edit of the file, one row of the archive a person; without an
 * accepted field the answer goes back with the reason. All or nothing.
 * @throws Refusal 404 for people the task does not ask, 409 collectHandled, 422 collectReason, and what stands in the way of a field
 */
export async function decideAnswers(ctx: PeopleCtx, { task_id, lines, reason }: Input<typeof collectReviewApi.decide>): Promise<Reply<typeof collectReviewApi.decide>> {
  const key = await taskKey(ctx)
  const wanted = new Map(lines.map(line => [line.user_id, line]))
  const answers = await lockAnswers(ctx.db, key, task_id, [...wanted.keys()])
  if (answers.length < wanted.size) throw fail(commonErrors.notFound)
  if (answers.some(({ state }) => state !== 'answered')) throw fail(peopleErrors.collectHandled)
  if (reason === '' && lines.some(({ field_codes }) => field_codes.length === 0)) throw fail(peopleErrors.collectReason)
  const task = await findTask(ctx.db, key, task_id, { locked: false })
  if (!task) throw fail(commonErrors.notFound)
  const desk = await sideOf(task.field_scene).desk(ctx)
  let accepted = 0
  for (const { user_id, values_enc } of answers) {
    const said = values_enc === null ? {} : openSaid(ctx.app.secrets, ctx.school_id, values_enc)
    if (await decideOne(ctx, desk, { task_id, user_id, said, reason }, wanted.get(user_id))) accepted += 1
  }
  ctx.note({ target_kind: 'people.collect', target_id: task_id, target_name: `${wanted.size}条答复`, reason: reason === '' ? undefined : reason })
  return { accepted, refused: answers.length - accepted }
}

/** @returns whether anything was accepted */
async function decideOne(ctx: PeopleCtx, desk: CollectDesk, { task_id, user_id, said, reason }: { task_id: string; user_id: string; said: SaidValues; reason: string }, decision: Decision | undefined): Promise<boolean> {
  const { db, school_id, me, now } = ctx
  const taken = Object.fromEntries(Object.entries(said).filter(([code]) => decision?.field_codes.includes(code)))
  const is_accepted = Object.keys(taken).length > 0
  if (is_accepted) {
    const subject = await desk.subject(user_id)
    if (!subject) throw fail(commonErrors.notFound)
    const { warnings } = await subject.judge(taken)
    await subject.save(taken, warnings.map(({ field }) => field))
  }
  await writeAnswer(db, { school_id, task_id, user_id }, { state: is_accepted ? 'accepted' : 'refused', reason: is_accepted ? null : reason, values_enc: null, reviewed_by: me.user_id, at: now })
  return is_accepted
}
