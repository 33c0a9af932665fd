import { addWork } from '@campus/jobs/server'
import type { WorkKind } from '@campus/jobs/server'
import { archive } from '@campus/audit/server'
import { asTables } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { addDays, schoolDay, schoolTime } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { tellDated } from '../dept.told.ts'
import { turnUpgrade } from '../upgrade/turn.ts'
import { lockCommand, saveSubjects, settleCommand, updateCommand, updateEffect } from './command.queries.ts'
import { commandStep, receiptLines } from './command.step.ts'
import { outcomeOf } from './effect-port.ts'
import type { ChangeEffect, EffectStep } from './effect-port.ts'
import { guardianRows } from './journal.ts'
import { readRows, withTouched } from './subject.rows.ts'
import { remindSuspensions } from './suspension.remind.ts'
import { undoUntil } from './undo-window.ts'
import { tellChange, tellFiles } from '../told.ts'

const turn_at = '00:05'

type Turn = { db: Db; app: App; school_id: number; now: Date }

/** Puts the next turn of a day of a school on the due list: at 00:05 in Asia/Shanghai. Every school always has one line there. */
export async function planDayTurn(db: QueryExecutorProvider, school_id: number, now: Date): Promise<void> {
  const today = schoolDay(now)
  const ref = now < schoolTime(today, turn_at) ? today : addDays(today, 1)
  await addWork(db, { school_id, kind: dayTurn.kind, ref, due_at: schoolTime(ref, turn_at) })
}

/** Carries out what was scheduled for the day, and for days that were missed (chapter 20 §2). */
export const dayTurn: WorkKind = {
  kind: 'people_day_turn',
  async run(db, { school_id, ref, now, app }) {
    await planDayTurn(db, school_id, now)
    await tellDated({ app, db, school_id, now }, ref)
    await remindSuspensions({ app, db, school_id, now }, ref)
    await turnDay({ db: asTables<PeopleDb>(db), app, school_id, now })
  },
}

async function turnDay(turn: Turn): Promise<void> {
  const { db, app, school_id, now } = turn
  const due = await db
    .selectFrom('change_command')
    .select('id')
    .where('school_id', '=', school_id)
    .where('state', '=', 'scheduled')
    .where('effective_on', '<=', schoolDay(now))
    .orderBy('effective_on')
    .orderBy('id')
    .execute()
  for (const { id } of due) {
    await sql`savepoint one_command`.execute(db)
    try {
      await turnCommand(turn, id)
      await sql`release savepoint one_command`.execute(db)
    } catch (error) {
      // It stays scheduled and is tried again tomorrow; the others, and tomorrow itself, must not wait for it.
      await sql`rollback to savepoint one_command`.execute(db)
      app.log.error({ err: error, school_id, command_id: id }, 'a scheduled change could not be carried out')
    }
  }
}

async function turnCommand(turn: Turn, id: string): Promise<void> {
  const { db, school_id, now } = turn
  const command = await lockCommand(db, school_id, id)
  if (command?.state !== 'scheduled') return
  if (command.kind === 'UPGRADE') return turnUpgrade(turn, command)
  const step = await commandStep(turn, command)
  const before = await readRows(step)
  await carryOutPlanned(turn, step)
  const touched = withTouched(step.subjects, before, await readRows(step))
  await saveSubjects(db, school_id, id, touched, 'applied')
  await updateCommand(db, school_id, id, { state: 'applied', applied_at: now, undo_until: undoUntil(step.kind, now) })
  await settleCommand(db, school_id, id)
  const guardians = await guardianRows(db, school_id, id, touched)
  await archive(db, { school_id, at: now }, guardians)
  await tellFiles(turn, guardians)
  await tellChange(turn, { ...step, subjects: touched })
}

/** Dated rows were written when the command was given; the other effects happen now. */
async function carryOutPlanned({ db, school_id, now }: Turn, step: EffectStep): Promise<void> {
  for (const { line, effect } of await receiptLines(step)) {
    if (line.state !== 'planned') continue
    const told: Awaited<ReturnType<ChangeEffect['apply']>> = effect.dated ? { count: 1 } : await effect.apply(step)
    await updateEffect(db, school_id, line.id, outcomeOf(told, now))
  }
}
