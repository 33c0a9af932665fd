import { archive } from '@campus/audit/server'
import { asTables } from '@kit/server/db'
import type { PeopleDb } from '../db.ts'
import { tellFiles } from '../told.ts'
import { saveSubjects, updateEffect } from './command.queries.ts'
import { outcomeOf } from './effect-port.ts'
import type { ChangeEffect, EffectStep } from './effect-port.ts'
import { guardianRows } from './journal.ts'
import { readRows, withTouched } from './subject.rows.ts'

type Desk = Pick<EffectStep, 'db' | 'app' | 'school_id' | 'now'>

/** Carries out what stands behind one line of a receipt, and keeps the rows it touched for an undo; the people are locked by the caller. */
export async function carryLine(desk: Desk, line_id: string, { step, effect }: { step: EffectStep; effect: ChangeEffect }): Promise<void> {
  const { school_id, now } = desk
  const { command_id } = step
  const db = asTables<PeopleDb>(desk.db)
  const before = await readRows(step)
  const told = await effect.apply(step)
  const touched = withTouched(step.subjects, before, await readRows(step))
  await saveSubjects(db, school_id, command_id, touched, 'applied')
  await updateEffect(db, school_id, line_id, outcomeOf(told, now))
  if (effect.effect_code !== 'links') return
  const guardians = await guardianRows(db, school_id, command_id, touched)
  await archive(db, { school_id, at: now }, guardians)
  await tellFiles(desk, guardians)
}
