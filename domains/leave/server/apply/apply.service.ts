import { leaveErrors, leave_states } from '@campus/leave/contract'
import type { applyApi, LeaveOptions } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { actOf } from '../db.ts'
import type { Act, Db, LeaveCtx } from '../db.ts'
import { convergeEffects } from '../effect/converge.ts'
import type { Subject } from '../flow/approvers.ts'
import { requireRunning } from '../form/version.ts'
import { isClassTeacherOf, requireSubjects, scopesOf } from '../people.ts'
import { by_hand, cancelLeave, changeLeave, endEarly, returnMembers, voidLeave, withdrawLeave } from './acts.ts'
import { effectsOf, readFile } from './file.ts'
import { lockLeave, requireSeen } from './store.ts'
import type { Leave } from './store.ts'
import { prepareLeave, previewLeave, submitLeave } from './submit.ts'

const [by_class_teacher, in_bulk] = [3, 6] as const

/** The forms that run now and the reasons, for whoever asks. */
export async function readOptions(db: Db, school_id: number, now: Date, person_kinds: readonly number[]): Promise<LeaveOptions> {
  const forms = await db.selectFrom('leave_form').select('form_id').where('school_id', '=', school_id).where('status', '=', 1).where('person_kind', 'in', [0, ...person_kinds]).orderBy('form_id').execute()
  const running = await Promise.all(forms.map(({ form_id }) => requireRunning(db, school_id, form_id, now).catch(() => null)))
  const reasons = await db.selectFrom('leave_reason').select(['reason_code', 'reason_name', 'person_kinds', 'leave_types', 'need_attach', 'need_pickup', 'default_minutes']).where('school_id', '=', school_id).where('status', '=', 1).orderBy('show_order').execute()
  return {
    forms: running.flatMap(form => (form === null ? [] : [{ form_id: form.form_id, form_name: form.form_name, person_kind: form.person_kind, leave_types: form.design.leave_types, unit: form.design.unit, exit_mode: form.design.exit_mode, attach_from_days: form.design.attach_from_days }])),
    reasons: reasons.filter(one => one.person_kinds.some(kind => person_kinds.includes(kind))),
  }
}

export async function optionsOf(ctx: LeaveCtx): Promise<LeaveOptions> {
  ctx.scoped()
  return readOptions(ctx.db, ctx.school_id, ctx.now, [1, 2, 6])
}

/** Adults who may fetch a pupil. @throws Refusal 404 */
export async function readPickups(ctx: LeaveCtx, { user_id }: Input<typeof applyApi.pickups>): Promise<Reply<typeof applyApi.pickups>> {
  const { db, school_id } = ctx
  await requireSubjects(db, school_id, [user_id], await scopesOf(ctx))
  const { rows } = await sql<{ user_id: string; user_name: string; relation: string }>`
    select g.parent_user_id::text as user_id, p.display_name as user_name, g.relation
    from guardian_span g join person_label p on p.school_id = ${school_id} and p.user_id = g.parent_user_id
    where g.school_id = ${school_id} and g.student_user_id = ${user_id} and g.valid_to is null and g.can_pickup order by g.order_no`.execute(db)
  return { list: rows }
}

async function applicantKind(act: Act, subjects: readonly Subject[]): Promise<number> {
  return (await isClassTeacherOf(act, subjects)) ? by_class_teacher : in_bulk
}

/** @throws Refusal as `prepareLeave`; 404 for people out of sight */
export async function previewApply(ctx: LeaveCtx, draft: Input<typeof applyApi.preview>): Promise<Reply<typeof applyApi.preview>> {
  const act = actOf(ctx)
  const subjects = await requireSubjects(act.db, act.school_id, draft.user_ids, await scopesOf(ctx))
  return previewLeave(act, await prepareLeave(act, draft, subjects, await applicantKind(act, subjects)))
}

/** Somebody asks for the people of his scope: 代请, group leave. @throws Refusal as `submitLeave`; selfApprove for oneself among them */
export async function addApply(ctx: LeaveCtx, draft: Input<typeof applyApi.add>): Promise<Reply<typeof applyApi.add>> {
  const act = actOf(ctx)
  const subjects = await requireSubjects(act.db, act.school_id, draft.user_ids, await scopesOf(ctx))
  const apply_as = await applicantKind(act, subjects)
  const made = await submitLeave(act, await prepareLeave(act, draft, subjects, apply_as), apply_as)
  ctx.note({ target_kind: 'leave.apply', target_id: made.leave_id, target_name: made.leave_no, after: { user_ids: draft.user_ids, leave_type: draft.leave_type } })
  return made
}

export async function readLeave(ctx: LeaveCtx, { leave_id }: Input<typeof applyApi.read>): Promise<Reply<typeof applyApi.read>> {
  await requireSeen(ctx.db, ctx.school_id, leave_id, await scopesOf(ctx))
  return readFile(ctx, leave_id, false)
}

export async function readEffects(ctx: LeaveCtx, { leave_id }: Input<typeof applyApi.effects>): Promise<Reply<typeof applyApi.effects>> {
  await requireSeen(ctx.db, ctx.school_id, leave_id, await scopesOf(ctx))
  return { list: await effectsOf(ctx.db, ctx.school_id, leave_id) }
}

type Change<I, R> = (act: Act, leave: Leave, input: I) => Promise<R>

/** An act of the console: on a leave of somebody in the scope, with a line of the log. */
function onLeave<I extends { leave_id: string; reason?: string | undefined }, R>(change: Change<I, R>): (ctx: LeaveCtx, input: I) => Promise<R> {
  return async (ctx, input) => {
    const act = actOf(ctx)
    const leave = await lockLeave(act.db, act.school_id, input.leave_id, await scopesOf(ctx))
    const reply = await change(act, leave, input)
    ctx.note({ target_kind: 'leave.apply', target_id: leave.leave_id, target_name: leave.leave_no, before: { state: leave.state }, ...(input.reason ? { reason: input.reason } : {}) })
    return reply
  }
}

/** Every act on a leave that the console offers. @throws Refusal as each says */
export const applyActs = {
  withdraw: onLeave(withdrawLeave),
  cancel: onLeave(cancelLeave),
  change: onLeave<Input<typeof applyApi.change>, Reply<typeof applyApi.change>>((act, leave, input) => changeLeave(act, leave, input, false)),
  extend: onLeave<Input<typeof applyApi.extend>, Reply<typeof applyApi.extend>>((act, leave, input) => changeLeave(act, leave, input, true)),
  endEarly: onLeave<Input<typeof applyApi.endEarly>, Reply<typeof applyApi.endEarly>>(endEarly),
  return: onLeave<Input<typeof applyApi.return>, Reply<typeof applyApi.return>>((act, leave, { user_ids, at }) => returnMembers(act, leave, { user_ids, at: at === undefined ? act.now : new Date(at), basis: by_hand })),
  void: onLeave(voidLeave),
}

/** Tries an effect again. @throws Refusal 404, badState for a leave that is not in force */
export async function retryEffect(ctx: LeaveCtx, { leave_id, effect }: Input<typeof applyApi.retry>): Promise<Record<string, never>> {
  const act = actOf(ctx)
  const leave = await lockLeave(act.db, act.school_id, leave_id, await scopesOf(ctx))
  if (leave.fact_version === 0 || leave.state === leave_states.asked) throw fail(leaveErrors.badState)
  const found = await act.db.selectFrom('leave_effect').select('effect').where('school_id', '=', act.school_id).where('leave_id', '=', leave_id).where('effect', '=', effect).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  await convergeEffects(act, leave_id, effect)
  return {}
}
