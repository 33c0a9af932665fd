import { peopleErrors } from '@campus/people/contract'
import type { ChangeDraft, ChangeReceipt, Moves } from '@campus/people/contract'
import { fail } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { toldOnce } from '../staff/plan.ts'
import { insertCommand, insertEffects, saveSubjects, settleCommand } from './command.queries.ts'
import type { NewEffect } from './command.queries.ts'
import { effectsOf, outcomeOf } from './effect-port.ts'
import type { ChangeEffect, EffectStep } from './effect-port.ts'
import { journalChange } from './journal.ts'
import { effectPlan, planChange } from './plan.ts'
import type { Plan } from './plan.ts'
import { readReceipt } from './receipt.ts'
import { readRows, withTouched } from './subject.rows.ts'
import { undoUntil } from './undo-window.ts'
import { tellChange } from '../told.ts'

/**
 * Gives a command that was previewed.
 * @throws Refusal of the first block, 409 planChanged with the new preview when it is no longer what was looked at
 */
export async function applyChange(ctx: PeopleCtx, { plan_hash, draft }: { plan_hash: string; draft: ChangeDraft }): Promise<ChangeReceipt> {
  const plan = await planChange(ctx, draft, 'lock')
  refuseBlocked(plan)
  if (plan.preview.plan_hash !== plan_hash) throw fail(peopleErrors.planChanged, { data: { preview: plan.preview } })
  return giveCommand(ctx, plan)
}

/** Moves pupils or staff without a preview (chapter 20 §4, batch_update_user_dept). */
export async function movePeople(ctx: PeopleCtx, draft: Moves): Promise<ChangeReceipt> {
  const plan = await planChange(ctx, draft, 'lock')
  refuseBlocked(plan)
  return giveCommand(ctx, plan)
}

/** A command with blocks answers the first one's own refusal; `data` says what else stands in the way. */
function refuseBlocked({ blocks, preview }: Plan): void {
  const [first] = blocks
  if (first) throw fail(first.failure, { data: { preview } })
}

async function giveCommand(ctx: PeopleCtx, plan: Plan): Promise<ChangeReceipt> {
  const { db, school_id, now, me } = ctx
  const { draft, subjects, preview } = plan
  const { kind, effective_on, reason } = draft
  const to_where = 'to_where' in draft ? (draft.to_where ?? null) : null
  const is_due = effective_on <= schoolDay(now)
  const command_id = await insertCommand(db, school_id, {
    kind,
    state: is_due ? 'applied' : 'scheduled',
    effective_on,
    payload: { to_where },
    plan_hash: preview.plan_hash,
    subject_count: subjects.length,
    reason,
    created_by: me.user_id,
    created_at: now,
    applied_at: is_due ? now : null,
    undo_until: is_due ? undoUntil(kind, now) : null,
  })
  const step = { ...effectPlan(ctx, draft, subjects), command_id, reason, to_where, ...toldOnce(draft), until: 'until' in draft ? draft.until : null }
  const before = await readRows(step)
  const effects = await carryOut(step, is_due)
  const touched = withTouched(step.subjects, before, await readRows(step))
  await saveSubjects(db, school_id, command_id, touched, is_due ? 'applied' : 'scheduled')
  await insertEffects(db, school_id, command_id, effects)
  await settleCommand(db, school_id, command_id)
  await journalChange(ctx, { ...plan, command_id, touched })
  if (is_due) await tellChange(ctx, { ...step, subjects: touched })
  return readReceipt(ctx, command_id)
}

/** Carries the effects out, or for a day to come only those that write dated rows; the others wait for their day. */
export async function carryOut(step: EffectStep, is_due: boolean): Promise<NewEffect[]> {
  const effects: NewEffect[] = []
  for (const effect of effectsOf(step.app, step.kind)) {
    const { domain, effect_code, title, undoable, dated } = effect
    const now = is_due || dated
    const told: Awaited<ReturnType<ChangeEffect['apply']>> = now ? await effect.apply(step) : await effect.preview(step)
    const is_over = is_due || (now && told.count === 0)
    const outcome = is_over ? outcomeOf(told, step.now) : { state: 'planned' as const, detail: told.detail ?? null, ref: told.ref, done_at: null }
    effects.push({ domain, effect_code, title, undoable, ...outcome })
  }
  return effects
}
