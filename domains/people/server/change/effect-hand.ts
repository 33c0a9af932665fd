import { change_kinds, peopleErrors } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PeopleCtx } from '../db.ts'
import { closeRun, doLine } from '../upgrade/finish.ts'
import { lockPlanOfCommand } from '../upgrade/plan.queries.ts'
import { carryLine } from './carry-line.ts'
import { subjectNames, visibleSubjects } from './change.queries.ts'
import { commandEffects, lockCommand, settleCommand, updateEffect } from './command.queries.ts'
import type { Command } from './command.queries.ts'
import { commandStep, receiptLines } from './command.step.ts'
import { noteCommand } from './journal.ts'
import { reader, readReceipt } from './receipt.ts'

const failed_msg = '重试未成功，请稍后再试，或填写原因后标记为已人工处理'
const by_hand = '已人工处理'
const Kind = z.enum(change_kinds)

type Line = Awaited<ReturnType<typeof commandEffects>>[number]
type Taken = { command: Command; line: Line; names: string[] }

/**
 * Tries once more what failed after its own attempts. What fails again stays failed and says so in the receipt.
 * @throws Refusal 404, 403 when the command reaches beyond the scope, 409 effectNotOpen when it has not failed
 */
export async function retryEffect(ctx: PeopleCtx, { id }: { id: string }): Promise<ChangeReceipt> {
  const taken = await takeLine(ctx, id, ['failed'])
  await sql`savepoint one_line`.execute(ctx.db)
  try {
    await tryAgain(ctx, taken)
    await sql`release savepoint one_line`.execute(ctx.db)
  } catch (error) {
    await sql`rollback to savepoint one_line`.execute(ctx.db)
    ctx.app.log.error({ err: error, school_id: ctx.school_id, command_id: taken.command.id, effect_id: id }, 'an effect of a change failed again')
    await updateEffect(ctx.db, ctx.school_id, id, { state: 'failed', detail: failed_msg, done_at: ctx.now })
  }
  await ctx.db.updateTable('change_effect').set({ attempts: sql<number>`attempts + 1` }).where('school_id', '=', ctx.school_id).where('id', '=', id).execute()
  return settled(ctx, taken, { verb: 'retry', reason: '' })
}

/**
 * Closes by hand what failed or waits in vain; the reason stands in the line, and an undo leaves the line alone.
 * @throws Refusal 404, 403 when the command reaches beyond the scope, 409 effectNotOpen when there is nothing to close
 */
export async function closeEffect(ctx: PeopleCtx, { id, reason }: { id: string; reason: string }): Promise<ChangeReceipt> {
  const taken = await takeLine(ctx, id, ['failed', 'waiting'])
  await updateEffect(ctx.db, ctx.school_id, id, { state: 'skipped', detail: `${by_hand}：${reason}`, done_at: ctx.now })
  return settled(ctx, taken, { verb: 'close', reason })
}

/** Locks the command of a line, a promotion's plan first; nobody else changes its receipt until the transaction ends. */
async function takeLine(ctx: PeopleCtx, id: string, states: readonly string[]): Promise<Taken> {
  const { db, school_id } = ctx
  const filter = await reader(ctx)
  const found = await db.selectFrom('change_effect').select('command_id').where('school_id', '=', school_id).where('id', '=', id).executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  await lockPlanOfCommand(db, school_id, found.command_id)
  const command = await lockCommand(db, school_id, found.command_id)
  const visible = command ? await visibleSubjects(db, filter, [command.id], command.subject_count) : []
  if (!command || visible.length === 0) throw fail(commonErrors.notFound)
  if (visible.length < command.subject_count) throw fail(commonErrors.forbidden)
  const line = (await commandEffects(db, school_id, command.id)).find(one => one.id === id)
  if (!line || command.state !== 'applied' || !states.includes(line.state)) throw fail(peopleErrors.effectNotOpen)
  const people = await subjectNames(db, school_id, visible.map(one => one.user_id))
  return { command, line, names: [...people.values()].map(one => one.user_name) }
}

async function tryAgain(ctx: PeopleCtx, { command, line }: Taken): Promise<void> {
  const { db, app, school_id, now } = ctx
  const desk = { db, app, school_id, now }
  await updateEffect(db, school_id, line.id, { state: 'planned' })
  if (command.kind === 'UPGRADE') return doLine(desk, command, line.id)
  const step = await commandStep(desk, command)
  const own = (await receiptLines(step)).find(one => one.line.id === line.id)
  if (!own) return updateEffect(db, school_id, line.id, { state: 'skipped', detail: null, done_at: now })
  await carryLine(desk, line.id, { step, effect: own.effect })
}

/** With its last open line a command is settled, and a promotion done; one line of the log says who did what by hand. */
async function settled(ctx: PeopleCtx, { command, line, names }: Taken, { verb, reason }: { verb: 'retry' | 'close'; reason: string }): Promise<ChangeReceipt> {
  if (command.kind === 'UPGRADE') await closeRun(ctx.db, ctx.school_id, command.id)
  else await settleCommand(ctx.db, ctx.school_id, command.id)
  noteCommand(ctx, { command_id: command.id, kind: Kind.parse(command.kind), event: `people.change.${verb}:${line.domain}.${line.effect_code}`, names, reason, effective_on: command.effective_on })
  return readReceipt(ctx, command.id)
}
