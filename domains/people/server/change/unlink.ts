import type { guardianLinkApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { planGuardians } from '../guardian.plan.ts'
import { deptScope } from '../scope.ts'
import { applyGuardians, guardiansText } from '../student-file.guardians.ts'
import { writeJournal } from '../student-file.journal.ts'
import { guardianLinks, lockPeople, pupilOnRoll } from '../student-file.queries.ts'
import type { FilePupil } from '../student-file.queries.ts'
import { refuseTroubles } from '../student-file.trouble.ts'
import { fileWords } from '../student-file.words.ts'
import { tellChange } from '../told.ts'
import { insertCommand, insertEffects, saveSubjects, settleCommand } from './command.queries.ts'
import type { EffectSubject } from './effect-port.ts'
import { links } from './people.effects.ts'
import { readRows, withTouched } from './subject.rows.ts'
import { undoUntil } from './undo-window.ts'

const kind = 'LINK'

/**
 * Ends one guardian's link to a pupil from today by a LINK command. Who is first contact next follows the rules of the file.
 * @throws Refusal 404 for a pupil outside the scope or a guardian who is not his, 409 lastGuardian
 */
export async function unlinkGuardian(ctx: PeopleCtx, { student_user_id, parent_user_id }: Input<typeof guardianLinkApi.remove>): Promise<Reply<typeof guardianLinkApi.remove>> {
  const { db, school_id, me, now } = ctx
  const today = schoolDay(now)
  await lockPeople(db, school_id, [student_user_id, parent_user_id])
  const pupil = await pupilOnRoll(db, { school_id, user_id: student_user_id, scope: await deptScope(ctx, 'student', today), today })
  const standing = pupil ? await guardianLinks(db, school_id, student_user_id, today) : []
  if (!pupil || standing.every(link => link.parent_user_id !== parent_user_id)) throw fail(commonErrors.notFound)
  const plan = planGuardians(standing, [{ user_id: parent_user_id, removed: true }], pupil.stage)
  refuseTroubles(plan.troubles)
  const side = { dept_id: pupil.dept_id, state: pupil.state, rows: {} }
  const subjects = [{ user_id: student_user_id, before: side, after: side }]
  const before = await readRows({ db, school_id, subjects })
  const words = await fileWords(ctx)
  const touched = await applyGuardians(ctx, { user_id: student_user_id, user_name: pupil.user_name, links: standing }, plan, words, today)
  await db.updateTable('person').set({ row_version: sql<number>`row_version + 1`, updated_at: now, updated_by: me.user_id }).where('school_id', '=', school_id).where('user_id', '=', student_user_id).execute()
  const command = await recordUnlinking(ctx, withTouched(subjects, before, await readRows({ db, school_id, subjects })), today)
  const change = { field: 'parents', label: '家长', before: guardiansText(standing, words), after: guardiansText(await guardianLinks(db, school_id, student_user_id, today), words) }
  await writeJournal(ctx, 'update', { ...(await journalled(ctx, pupil, today)), command_id: command.command_id }, [change], touched)
  return command
}

/** Writes the command with its one effect, which is done: nothing of it waits. */
async function recordUnlinking(ctx: PeopleCtx, subjects: EffectSubject[], today: string): Promise<Reply<typeof guardianLinkApi.remove>> {
  const { db, school_id, me, now } = ctx
  const undo_until = undoUntil(kind, now)
  const given = { kind, effective_on: today, payload: {}, plan_hash: null, subject_count: subjects.length, reason: '', undo_until } as const
  const command_id = await insertCommand(db, school_id, { ...given, state: 'applied', created_by: me.user_id, created_at: now, applied_at: now })
  await saveSubjects(db, school_id, command_id, subjects, 'applied')
  const { domain, effect_code, title, undoable } = links
  await insertEffects(db, school_id, command_id, [{ domain, effect_code, title, undoable, state: 'done', detail: null, ref: undefined, done_at: now }])
  await settleCommand(db, school_id, command_id)
  await tellChange(ctx, { kind, subjects, effective_on: today, command_id })
  return { command_id, undo_until: undo_until.toISOString() }
}

async function journalled(ctx: PeopleCtx, { user_id, student_no, user_name, dept_id }: FilePupil, today: string) {
  const labels = await labelsOn(ctx, dept_id === null ? [] : [dept_id], today)
  return { user_id, student_no, user_name, dept_id, dept_name: dept_id === null ? null : (labels.get(dept_id) ?? null) }
}
