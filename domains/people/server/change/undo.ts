import { peopleErrors } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { visibleSubjects } from './change.queries.ts'
import { laterCommands, lockCommand, updateCommand, updateEffect, updateSubjectState } from './command.queries.ts'
import type { Command } from './command.queries.ts'
import { commandStep, payloadOf, receiptLines } from './command.step.ts'
import type { EffectStep } from './effect-port.ts'
import { concernedPeople, journalUndo, noteCommand } from './journal.ts'
import type { Concerned } from './journal.ts'
import { removeMistaken, removeMistakenStaff } from './mistake.ts'
import { reader, readReceipt } from './receipt.ts'
import { classFacts, lockDepts } from './subject.facts.ts'
import { refuseTouchedSince } from './subject.rows.ts'
import { tellUndone } from '../told.ts'

const irreversible_msg = '不可撤销'

type Asked = { id: string; reason: string }
type Taken = { command: Command; step: EffectStep; people: Concerned[] }

/**
 * Cancels a command before its day: rows with a day to come vanish, ended ones go on.
 * @throws Refusal 409 changeNotOpen when its day has come or it has been cancelled
 */
export async function cancelChange(ctx: PeopleCtx, { id, reason }: Asked): Promise<ChangeReceipt> {
  const { command, step, people } = await takeCommand(ctx, id)
  if (command.state !== 'scheduled' || command.effective_on <= schoolDay(ctx.now)) throw fail(peopleErrors.changeNotOpen)
  await refuseTouchedSince(step)
  await undoPlanned(ctx, step)
  await closeCommand(ctx, { step, people, reason, state: 'cancelled' })
  return readReceipt(ctx, id)
}

/**
 * Takes a command back that has happened, while its window is open and nothing was built upon it; everything returns exactly as it was.
 * @throws Refusal 409 undoLate, undoBlocked with the later commands, undoIrreversible
 */
export async function undoChange(ctx: PeopleCtx, { id, reason }: Asked): Promise<ChangeReceipt> {
  const { command, step, people } = await takeCommand(ctx, id)
  await refuseUndo(ctx, command, step)
  if (step.kind === 'STAFF_IN') await removeMistakenStaff(step)
  else if (step.kind === 'IN' || step.kind === 'ENROL') await removeMistaken(step, payloadOf(command).made_parents)
  else await undoEffects(ctx, step)
  await closeCommand(ctx, { step, people, reason, state: 'undone' })
  await tellUndone(ctx, step)
  return readReceipt(ctx, id)
}

/**
 * Locks a command and its people, and says whom it concerns while they are all still there.
 * @throws Refusal 404 when nobody of it is inside the scope, 403 when only some are
 */
async function takeCommand(ctx: PeopleCtx, id: string): Promise<Taken> {
  const { db, school_id } = ctx
  const filter = await reader(ctx)
  const command = await lockCommand(db, school_id, id)
  if (command?.kind === 'UPGRADE') throw fail(peopleErrors.upgradeOwnUndo)
  const visible = command ? await visibleSubjects(db, filter, [id], command.subject_count) : []
  if (!command || visible.length === 0) throw fail(commonErrors.notFound)
  if (visible.length < command.subject_count) throw fail(commonErrors.forbidden)
  const step = await commandStep(ctx, command)
  return { command, step, people: await concernedPeople(step) }
}

async function refuseUndo({ db, school_id, now }: PeopleCtx, command: Command, { subjects }: EffectStep): Promise<void> {
  if (command.state !== 'applied' && command.state !== 'settled') throw fail(peopleErrors.changeNotOpen)
  if (command.undo_until === null) throw fail(peopleErrors.undoIrreversible)
  if (command.undo_until <= now) throw fail(peopleErrors.undoLate)
  const command_ids = await laterCommands(db, school_id, command.id, subjects.map(subject => subject.user_id))
  if (command_ids.length > 0) throw fail(peopleErrors.undoBlocked, { data: { command_ids } })
}

/** Takes back what was written ahead of the day; the other effects will not happen. */
async function undoPlanned(ctx: PeopleCtx, step: EffectStep): Promise<void> {
  for (const { line, effect } of (await receiptLines(step)).toReversed()) {
    if (line.state !== 'planned') continue
    if (effect.dated) await effect.undo(step, line.ref)
    await updateEffect(ctx.db, ctx.school_id, line.id, { state: 'skipped', detail: null, done_at: ctx.now })
  }
}

/** Undoes the effects, the last one first. What a domain cannot undo stays done and says so. */
async function undoEffects(ctx: PeopleCtx, step: EffectStep): Promise<void> {
  await refuseClosedClasses(ctx, step)
  await refuseTouchedSince(step)
  for (const { line, effect } of (await receiptLines(step)).toReversed()) {
    if (line.state !== 'done' && line.state !== 'waiting') continue
    if (effect.undoable) await effect.undo(step, line.ref)
    await updateEffect(ctx.db, ctx.school_id, line.id, effect.undoable ? { state: 'undone', detail: null, done_at: ctx.now } : { state: 'done', detail: irreversible_msg })
  }
}

/** A class that was closed since takes nobody back. */
async function refuseClosedClasses({ db, school_id, now }: PeopleCtx, step: EffectStep): Promise<void> {
  const dept_ids = [...new Set(step.subjects.flatMap(({ before }) => before.dept_id ?? []))]
  await lockDepts(db, school_id, dept_ids)
  const classes = await classFacts(db, school_id, dept_ids, schoolDay(now))
  if (dept_ids.some(dept_id => !classes.get(dept_id)?.is_open)) throw fail(peopleErrors.undoBlocked, { data: { command_ids: [] } })
}

type Closing = { step: EffectStep; people: readonly Concerned[]; reason: string; state: 'cancelled' | 'undone' }

async function closeCommand(ctx: PeopleCtx, { step, people, reason, state }: Closing): Promise<void> {
  const { db, school_id, me } = ctx
  const { command_id, kind, effective_on } = step
  await updateCommand(db, school_id, command_id, { state, undone_by: me.user_id, undo_reason: reason })
  await updateSubjectState(db, school_id, command_id, state)
  await journalUndo(ctx, { command_id, kind }, people, state === 'cancelled' ? '已取消' : '已撤销')
  const names = people.filter(person => person.person_kind !== 3).map(person => person.person_name)
  noteCommand(ctx, { command_id, kind, event: `people.change.${state === 'undone' ? 'undo' : 'cancel'}:${kind}`, names, reason, effective_on })
}
