import { answer_states, peopleErrors } from '@campus/people/contract'
import type { AnswerState, collectAnswerApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { PeopleCtx } from '../db.ts'
import { selfScope } from '../scope.ts'
import { refuseTroubles, refuseUnconfirmed } from '../student-file.trouble.ts'
import { lockAnswer, openFor, writeAnswer } from './answer.queries.ts'
import type { AnswerRecord } from './answer.queries.ts'
import type { CollectSubject } from './desk.ts'
import { requireAsked, sideOf } from './side.ts'
import { stateOf } from './task.service.ts'
import { sealSaid } from './values.ts'

type Asked = { task_id: string; user_id: string }

/** What the school asks of the acting person and of his children. */
export async function listMine(ctx: PeopleCtx): Promise<Reply<typeof collectAnswerApi.mine>> {
  const rows = await openFor(ctx.db, ctx.school_id, await selfScope(ctx), ctx.now)
  return { list: rows.map(row => ({ ...row, state: answerState(row.state), close_at: row.close_at.toISOString() })) }
}

function answerState(state: string): AnswerState {
  return answer_states.find(one => one === state) ?? 'unseen'
}

/**
 * @throws Refusal 404 for a task that does not ask this person, and for people who are neither oneself nor a child; 409 collectOver
 */
async function openAnswer(ctx: PeopleCtx, { task_id, user_id }: Asked): Promise<AnswerRecord> {
  const own = await selfScope(ctx)
  const answer = own.includes(user_id) ? await lockAnswer(ctx.db, { school_id: ctx.school_id, task_id, user_id }) : undefined
  if (!answer || answer.state === 'draft') throw fail(commonErrors.notFound)
  if (stateOf(answer, ctx.now) !== 'open') throw fail(peopleErrors.collectOver)
  return answer
}

/** The file an answer is about. @throws Refusal 404 when the person is not here any more */
async function subjectOf(ctx: PeopleCtx, { field_scene, user_id }: AnswerRecord): Promise<CollectSubject> {
  const subject = await (await sideOf(field_scene).desk(ctx)).subject(user_id)
  if (!subject) throw fail(commonErrors.notFound)
  return subject
}

/** The questions with what the file says, which then were seen. @throws Refusal 404, 409 */
export async function readForm(ctx: PeopleCtx, asked: Asked): Promise<Reply<typeof collectAnswerApi.form>> {
  const { db, school_id, now } = ctx
  const answer = await openAnswer(ctx, asked)
  const { task_id, user_id, answer_state, reason, title, close_at, field_codes, review_mode } = answer
  const subject = await subjectOf(ctx, answer)
  if (answer_state === 'unseen') await writeAnswer(db, { school_id, task_id, user_id }, { state: 'seen', at: now })
  ctx.note({ target_kind: 'people.collect', target_id: task_id, target_name: title })
  return {
    task_id, user_id, title, reason, user_name: subject.user_name, close_at: close_at.toISOString(), state: answerState(answer_state === 'unseen' ? 'seen' : answer_state),
    review_mode: review_mode === 'auto' ? 'auto' : 'review', fields: subject.questions(field_codes),
  }
}

/**
 * Takes an answer: nothing changed is 信息无误; with review it waits sealed, without it is written by the way of every edit of the file.
 * @throws Refusal 404, 409 collectOver, 422 with the fields that are wrong, 422 confirmNeeded with warnings to confirm
 */
export async function giveAnswer(ctx: PeopleCtx, { values, accept_warnings, ...asked }: Input<typeof collectAnswerApi.answer>): Promise<Reply<typeof collectAnswerApi.answer>> {
  const { db, school_id, app, me, now } = ctx
  const answer = await openAnswer(ctx, asked)
  requireAsked(values, answer.field_codes)
  const subject = await subjectOf(ctx, answer)
  const judged = await subject.judge(values)
  refuseTroubles(judged.troubles)
  const common = { respondent_user_id: me.user_id, at: now, reason: null, reviewed_by: null, values_enc: null }
  const settle = async (state: AnswerState, values_enc: Buffer | null = null) => {
    await writeAnswer(db, { school_id, ...asked }, { ...common, state, values_enc })
    ctx.note({ target_kind: 'people.collect', target_id: asked.task_id, target_name: answer.title })
    return { state }
  }
  if (judged.changes.length === 0) return settle('confirmed_same')
  refuseUnconfirmed(judged.warnings, accept_warnings)
  if (answer.review_mode === 'review') return settle('answered', sealSaid(app.secrets, school_id, values))
  await subject.save(values, accept_warnings)
  return settle('accepted')
}
