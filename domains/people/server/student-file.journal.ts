import type { ArchiveChange } from '@campus/audit/server'
import type { PeopleCtx } from './db.ts'
import { journalActs } from './delegate/acted.ts'
import type { TouchedGuardian } from './student-file.guardians.ts'
import { tellFiles } from './told.ts'

/** The pupil of a file as the journal keeps him; `command_id` where a command wrote it, `source` where it was not typed here. */
export type JournalPupil = { user_id: string; student_no: string; user_name: string; dept_id: string | null; dept_name: string | null; command_id?: string; source?: 'typed' | 'collect' }

const ops = { create: 3, update: 4 } as const

/** One archive row per person and the target of the operation line (chapter 20 §1.2, platform A1). */
export async function writeJournal(ctx: PeopleCtx, op: keyof typeof ops, pupil: JournalPupil, changes: readonly ArchiveChange[], guardians: readonly TouchedGuardian[]): Promise<void> {
  const { user_id, student_no, user_name, dept_id, dept_name, command_id, source = 'typed' as const } = pupil
  const common = { op_type: ops[op], source, command_id }
  const own = { ...common, person_kind: 1, person_id: user_id, person_no: student_no, person_name: user_name, dept_id: dept_id ?? undefined, dept_name: dept_name ?? undefined, changes }
  const others = guardians.map(guardian => ({ ...common, person_kind: 3, person_id: guardian.user_id, person_name: guardian.user_name, changes: guardian.changes }))
  await journalActs(ctx, [own, ...others])
  await tellFiles(ctx, [own, ...others])
  ctx.note({ target_kind: 'people.student', target_id: user_id, target_name: user_name, before: sideOf(changes, 'before'), after: sideOf(changes, 'after') })
}

function sideOf(changes: readonly ArchiveChange[], side: 'before' | 'after'): Record<string, unknown> {
  return Object.fromEntries(changes.map(change => [change.field, change[side]]))
}
