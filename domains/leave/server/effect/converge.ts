import { leaveChannel, leaveEvents, leaveErrors, leaveTemplates } from '@campus/leave/contract'
import type { EffectPreview } from '@campus/leave/contract'
import { send } from '@campus/messages/server'
import { fail } from '@kit/contract'
import { asTables, constraintOf } from '@kit/server/db'
import { consume } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { Act, Db, LeaveDb } from '../db.ts'
import { keepersOf, wordsOf } from '../apply/words.ts'
import { leaveEffectPort } from './port.ts'
import type { EffectContext, EffectReceipt, LeaveEffect, LeaveFact } from './port.ts'

const [to_do, done, failed, not_needed] = [0, 2, 4, 5] as const
const in_force: readonly number[] = [2, 5, 6, 7, 8]
const most_words = 200

/** Every effect that leaves have: those of other domains, and the message of leave itself. */
function effectsOf(app: App): readonly LeaveEffect[] {
  return [...leaveEffectPort.all(app), messageEffect]
}

/** What is in force of a leave now. */
export async function factOf(db: Db, school_id: number, leave_id: string): Promise<LeaveFact> {
  const leave = await db.selectFrom('leave_apply').selectAll().where('school_id', '=', school_id).where('leave_id', '=', leave_id).executeTakeFirstOrThrow()
  const { rows } = await sql<{ user_id: string; no: number; begin_at: Date; end_at: Date }>`
    select s.user_id::text as user_id, s.no::int as no, s.begin_at, s.end_at
    from leave_span s join leave_member m on m.school_id = ${school_id} and m.leave_id = s.leave_id and m.user_id = s.user_id
    where s.school_id = ${school_id} and s.leave_id = ${leave_id} and s.live and m.state = any(${[...in_force]}::int[])
    order by s.user_id, s.no`.execute(db)
  const members = [...Map.groupBy(rows, row => row.user_id)].map(([user_id, spans]) => ({ user_id, spans: spans.map(({ no, begin_at, end_at }) => ({ no, begin_at, end_at })) }))
  const { fact_version, person_kind, leave_type, reason_code, exit_mode, meal, bus, pickup_id } = leave
  return { leave_id, fact_version, person_kind, leave_type, reason_code, exit_mode, meal, bus, pickup_id, members }
}

/** What a leave would do, before it is sent. */
export async function previewEffects(context: EffectContext, fact: LeaveFact): Promise<EffectPreview[]> {
  const previews = await Promise.all(effectsOf(context.app).map(async ({ code, title, undoable, preview }) => {
    const found = await preview(context, fact)
    return found === null ? [] : [{ effect: code, title, undoable, ...found }]
  }))
  return previews.flat()
}

/** Writes down what has to follow, in the transaction of the fact; it is done after the commit. */
export async function wantEffects({ app, db, school_id, now }: Act, leave_id: string): Promise<void> {
  const fact = await factOf(db, school_id, leave_id)
  const known = await db.selectFrom('leave_effect').select('effect').where('school_id', '=', school_id).where('leave_id', '=', leave_id).execute()
  for (const { code, title, undoable, preview } of effectsOf(app)) {
    const is_known = known.some(one => one.effect === code)
    if (!is_known && (await preview({ app, db, school_id, now }, fact)) === null) continue
    const want_version = fact.fact_version
    await db
      .insertInto('leave_effect')
      .values({ school_id, leave_id, effect: code, want_version, state: to_do, title, undoable })
      .onConflict(clash => clash.columns(['school_id', 'leave_id', 'effect']).doUpdateSet({ want_version, state: to_do, attempts: 0 }))
      .execute()
  }
}

/** Brings every effect of a leave to the fact; one that fails is marked and does not hold up the others. */
export async function convergeEffects({ app, db, school_id, now }: Pick<Act, 'app' | 'db' | 'school_id' | 'now'>, leave_id: string, only?: string): Promise<void> {
  const fact = await factOf(db, school_id, leave_id)
  const wanted = await db.selectFrom('leave_effect').select(['effect', 'attempts']).where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('state', '<>', done).execute()
  for (const { effect, attempts } of wanted.filter(one => only === undefined || one.effect === only)) {
    const handler = effectsOf(app).find(one => one.code === effect)
    const receipt = handler ? await converge(handler, { app, db, school_id, now }, fact) : { state: not_needed, text: '', count: 0 }
    const { state, text, count } = receipt
    await db
      .updateTable('leave_effect')
      .set({ state, text: text.slice(0, most_words), count, have_version: state === failed ? sql<number>`have_version` : fact.fact_version, attempts: attempts + 1, done_at: state === done ? now : null })
      .where('school_id', '=', school_id).where('leave_id', '=', leave_id).where('effect', '=', effect)
      .execute()
  }
  if (wanted.length > 0) await push({ db, school_id }, leaveChannel, [{ leave_id }])
}

async function converge(effect: LeaveEffect, context: EffectContext & { db: Db }, fact: LeaveFact): Promise<EffectReceipt | { state: 4; text: string; count: number }> {
  await sql`savepoint one_effect`.execute(context.db)
  try {
    const receipt = await effect.converge(context, fact)
    await sql`release savepoint one_effect`.execute(context.db)
    return receipt
  } catch (cause) {
    // A lost connection is the whole event's failure: it is delivered again.
    if (constraintOf(cause) === null && !(cause instanceof Error)) throw cause
    await sql`rollback to savepoint one_effect`.execute(context.db)
    context.app.log.error({ err: cause, effect: effect.code, leave_id: fact.leave_id }, 'leave effect failed')
    return { state: failed, text: '处理失败，可重试', count: 0 }
  }
}

/** @throws Refusal healthOpen with the sentence of whoever holds the return back */
export async function guardReturn(context: EffectContext, fact: LeaveFact): Promise<void> {
  for (const { guardReturn: guard } of effectsOf(context.app)) {
    const held = guard === undefined ? null : await guard(context, fact)
    if (held !== null) throw fail(leaveErrors.healthOpen)
  }
}

const Fact = leaveEvents.approved.payload

/** Effects follow the events of leave, in transactions of their own. */
export const effectConsumers = [leaveEvents.approved, leaveEvents.changed, leaveEvents.cancelled].map(({ name }) =>
  consume(`leave.converge_${name.slice('leave.'.length)}`, name, Fact.pick({ leave_id: true }), ({ app, db, school_id, now }, { leave_id }) =>
    convergeEffects({ app, db: asTables<LeaveDb>(db), school_id, now }, leave_id)))

/** Guardians and class teachers hear of what is in force, and of every change of it. */
const messageEffect: LeaveEffect = {
  code: 'message',
  title: '通知家长和班主任',
  undoable: false,
  preview: (_context, { person_kind }) => Promise.resolve(person_kind === 1 ? { text: '通知监护人和班主任', count: 1 } : null),
  async converge({ app, db, school_id, now }, { leave_id, fact_version, members }) {
    const act: Act = { app, db: asTables<LeaveDb>(db), school_id, now, by: null }
    const leave = await act.db.selectFrom('leave_apply').select(['leave_id', 'person_kind', 'leave_type']).where('school_id', '=', school_id).where('leave_id', '=', leave_id).executeTakeFirstOrThrow()
    const is_past = fact_version === 1 && members.length > 0 && members.every(one => one.spans.every(span => span.end_at <= now))
    if (is_past) return { state: not_needed, text: '补录的请假，不再通知', count: 0 }
    const to = await keepersOf(act, leave_id)
    if (to.length === 0) return { state: not_needed, text: '没有可通知的人员', count: 0 }
    const what = members.length === 0 ? '已取消' : fact_version === 1 ? '已生效' : '已变更'
    await send(act, { template: leaveTemplates.changed, source_ref: `${leave_id}:${fact_version}`, to: to.map(user_id => ({ user_id })), values: { ...(await wordsOf(act, leave)), what }, level: 1 })
    return { state: done, text: `已通知${to.length}人`, count: to.length }
  },
}
