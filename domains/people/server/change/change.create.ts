import type { ChangeKind } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import type { QueryExecutorProvider } from 'kysely'
import { schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { carryOut } from './apply.ts'
import { insertCommand, insertEffects, lockCommand, saveSubjects, settleCommand, updateCommand, updateEffect, updateSubjectState } from './command.queries.ts'
import { commandStep, receiptLines } from './command.step.ts'
import type { EffectStep } from './effect-port.ts'
import { homeOf } from './judge.ts'
import { subjectFacts } from './subject.facts.ts'
import { readRows, withTouched } from './subject.rows.ts'
import { undoUntil } from './undo-window.ts'

type Desk = { db: QueryExecutorProvider; app: App; school_id: number }
/** A command over pupils as it was given at a moment; `to` = the class each comes to, by pupil, where the kind has one. */
type NewChange = { kind: Extract<ChangeKind, 'CLASS' | 'OUT'>; effective_on: string; reason: string; to_where: string | null; by: string; at: Date; user_ids: readonly string[]; to: ReadonlyMap<string, string> }

/** Gives a command as it would have been given then, with every effect, without judging it and without a word in the journal: for schools that are made whole. @returns its id */
export async function makeChange({ db: handle, app, school_id }: Desk, { kind, effective_on, reason, to_where, by, at, user_ids, to }: NewChange): Promise<string> {
  const db = asTables<PeopleDb>(handle)
  const given_on = schoolDay(at)
  const is_due = effective_on <= given_on
  const facts = await subjectFacts(db, school_id, user_ids, given_on)
  const subjects = facts.map(one => {
    const before = { dept_id: homeOf(one, given_on), state: one.states.at(-1)?.state ?? null, rows: {} }
    const after = kind === 'CLASS' ? { ...before, dept_id: to.get(one.user_id) ?? null } : { dept_id: null, state: null, rows: {} }
    return { user_id: one.user_id, before, after }
  })
  const command_id = await insertCommand(db, school_id, {
    kind, state: is_due ? 'applied' : 'scheduled', effective_on, payload: { to_where }, plan_hash: null, subject_count: subjects.length, reason,
    created_by: by, created_at: at, applied_at: is_due ? at : null, undo_until: is_due ? undoUntil(kind, at) : null,
  })
  const step: EffectStep = { db, app, school_id, now: at, kind, effective_on, subjects, command_id, reason, to_where }
  const before = await readRows(step)
  const effects = await carryOut(step, is_due)
  await saveSubjects(db, school_id, command_id, withTouched(subjects, before, await readRows(step)), is_due ? 'applied' : 'scheduled')
  await insertEffects(db, school_id, command_id, effects)
  await settleCommand(db, school_id, command_id)
  return command_id
}

/** Takes such a command back, as somebody did at a moment. */
export async function takeBackChange({ db: handle, app, school_id }: Desk, command_id: string, { by, at, reason }: { by: string; at: Date; reason: string }): Promise<void> {
  const db = asTables<PeopleDb>(handle)
  const command = await lockCommand(db, school_id, command_id)
  if (!command) throw new Error(`no command ${command_id}`)
  const step = await commandStep({ db, app, school_id, now: at }, command)
  for (const { line, effect } of (await receiptLines(step)).toReversed()) {
    if ((line.state !== 'done' && line.state !== 'waiting') || !effect.undoable) continue
    await effect.undo(step, line.ref)
    await updateEffect(db, school_id, line.id, { state: 'undone', detail: null, done_at: at })
  }
  await updateCommand(db, school_id, command_id, { state: 'undone', undone_by: by, undo_reason: reason })
  await updateSubjectState(db, school_id, command_id, 'undone')
}

/** Lets one effect of such a command have failed with a sentence, so that somebody has to try again or close it by hand. */
export async function failChange({ db: handle, school_id }: Omit<Desk, 'app'>, command_id: string, { effect_code, detail }: { effect_code: string; detail: string }): Promise<void> {
  const db = asTables<PeopleDb>(handle)
  await db.updateTable('change_effect').set({ state: 'failed', detail, attempts: 5 }).where('school_id', '=', school_id).where('command_id', '=', command_id).where('effect_code', '=', effect_code).execute()
  await updateCommand(db, school_id, command_id, { state: 'applied' })
}
