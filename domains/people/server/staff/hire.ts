import { insertCommand, insertEffects, saveSubjects, settleCommand } from '../change/command.queries.ts'
import { undoUntil } from '../change/undo-window.ts'
import type { PeopleCtx } from '../db.ts'
import { tellChange } from '../told.ts'
import { staff_effects } from './staff.effects.ts'

/** Somebody who has just become staff by hand; `is_new`: he was nobody of the school before. */
export type Hired = { user_id: string; dept_id: string; on: string; is_new: boolean }

const kind = 'STAFF_IN'
const written = ['staff_member', 'staff_span', 'staff_account']

/** Writes the command by which somebody became staff and puts its number on his rows. Who was somebody before cannot be un-entered. @returns its id */
export async function recordHire(ctx: PeopleCtx, { user_id, dept_id, on, is_new }: Hired): Promise<string> {
  const { db, school_id, now, me } = ctx
  const command_id = await insertCommand(db, school_id, {
    kind, state: 'applied', effective_on: on, payload: {}, plan_hash: null, subject_count: 1, reason: '', created_by: me.user_id, created_at: now, applied_at: now,
    undo_until: is_new ? undoUntil(kind, now) : null,
  })
  await saveSubjects(db, school_id, command_id, [{ user_id, before: { dept_id: null, state: null, rows: {} }, after: { dept_id, state: '11', rows: {} } }], 'applied')
  await db.updateTable('dept_member').set({ command_id }).where('school_id', '=', school_id).where('user_id', '=', user_id).where('member_kind', '=', 'staff').execute()
  await db.updateTable('staff_span').set({ command_id }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
  const effects = staff_effects.filter(effect => written.includes(effect.effect_code))
  await insertEffects(db, school_id, command_id, effects.map(({ domain, effect_code, title, undoable }) => ({ domain, effect_code, title, undoable, state: 'done', detail: null, ref: undefined, done_at: now })))
  await settleCommand(db, school_id, command_id)
  await tellChange(ctx, { kind, subjects: [], effective_on: on, command_id })
  return command_id
}
