import type { StudentDraft } from '@campus/people/contract'
import type { PeopleCtx } from '../db.ts'
import { tellChange } from '../told.ts'
import { insertCommand, insertEffects, saveSubjects, settleCommand } from './command.queries.ts'
import type { NewEffect } from './command.queries.ts'
import { enrolment_effects } from './people.effects.ts'
import { undoUntil } from './undo-window.ts'

/** A pupil who has just been put on the roll by hand; `made_parents` did not exist before. */
export type Enrolled = { kind: StudentDraft['change_kind']; user_id: string; dept_id: string; on: string; made_parents: readonly string[] }

const in_school = '01'

/** Writes the command by which a pupil was enrolled (kind IN or ENROL) and puts its number on his rows. @returns its id */
export async function recordEnrolment(ctx: PeopleCtx, { kind, user_id, dept_id, on, made_parents }: Enrolled): Promise<string> {
  const { db, school_id, now, me } = ctx
  const command_id = await insertCommand(db, school_id, {
    kind,
    state: 'applied',
    effective_on: on,
    payload: { made_parents },
    plan_hash: null,
    subject_count: 1,
    reason: '',
    created_by: me.user_id,
    created_at: now,
    applied_at: now,
    undo_until: undoUntil(kind, now),
  })
  await saveSubjects(db, school_id, command_id, [{ user_id, before: { dept_id: null, state: null, rows: {} }, after: { dept_id, state: in_school, rows: {} } }], 'applied')
  await db.updateTable('dept_member').set({ command_id }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
  await db.updateTable('student_span').set({ command_id }).where('school_id', '=', school_id).where('user_id', '=', user_id).execute()
  const links = await db.updateTable('guardian_link').set({ command_id }).where('school_id', '=', school_id).where('student_user_id', '=', user_id).returning('id').execute()
  await insertEffects(db, school_id, command_id, enrolment_effects.map(effect => enrolmentEffect(effect, effect.effect_code === 'links' ? links.length : 1, now)))
  await settleCommand(db, school_id, command_id)
  await tellChange(ctx, { kind, subjects: [], effective_on: on, command_id })
  return command_id
}

function enrolmentEffect({ domain, effect_code, title, undoable }: (typeof enrolment_effects)[number], count: number, now: Date): NewEffect {
  return { domain, effect_code, title, undoable, state: count === 0 ? 'skipped' : 'done', detail: null, ref: undefined, done_at: now }
}
