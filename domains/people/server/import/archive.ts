import { archive } from '@campus/audit/server'
import type { ArchiveChange } from '@campus/audit/server'
import type { ApplyStep, Judgement } from '@campus/jobs/server'
import type { PeopleDb } from '../db.ts'
import { tellFiles } from '../told.ts'

/** One person an import touched, for the archive journal. */
export type Touched = {
  user_id: string
  person_kind: 1 | 2 | 3
  person_no?: string
  person_name: string
  dept_id?: string
  dept_name?: string
  changes: readonly ArchiveChange[]
}

const import_op = 6

/** Writes one archive row per person and batch step, in the step's transaction (chapter 20 §1.2). */
export async function archiveTouched(step: ApplyStep<PeopleDb>, touched: readonly Touched[], source: 'import' | 'undo' = 'import'): Promise<void> {
  const { me, school_id, batch_no, now } = step
  const operator = { school_id, at: now, user_id: me.user_id, user_no: me.user_no, user_name: me.user_name, role_no: me.role_no, role_name: me.role_name }
  const rows = touched.map(({ user_id, ...person }) => ({ ...person, person_id: user_id, op_type: import_op, source, batch_no }))
  await archive(step.db, operator, rows)
  if (source === 'import') await tellFiles(step, rows)
}

/** A judged difference as the journal keeps it. */
export function toChanges(diff: Judgement['diff'], label: (prop: string) => string): ArchiveChange[] {
  return diff.map(({ prop, before, after }) => ({ field: prop, label: label(prop), before, after }))
}
