import { FormDesign, leaveErrors } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Db } from '../db.ts'

/** The version of a form that holds now. */
export type RunningForm = { form_id: string; form_name: string; person_kind: number; version: number; design: FormDesign }

/** @throws Refusal 404 for an unknown form, formClosed for one that does not run */
export async function requireRunning(db: Db, school_id: number, form_id: string, now: Date): Promise<RunningForm> {
  const form = await db.selectFrom('leave_form').select(['form_id', 'form_name', 'person_kind', 'status']).where('school_id', '=', school_id).where('form_id', '=', form_id).executeTakeFirst()
  if (!form) throw fail(commonErrors.notFound)
  const version = await db
    .selectFrom('leave_form_version')
    .select(['version', 'design'])
    .where('school_id', '=', school_id)
    .where('form_id', '=', form_id)
    .where('effective_from', '<=', now)
    .where(eb => eb.or([eb('effective_to', 'is', null), eb('effective_to', '>', now)]))
    .executeTakeFirst()
  if (form.status !== 1 || !version) throw fail(leaveErrors.formClosed)
  return { form_id: form.form_id, form_name: form.form_name, person_kind: form.person_kind, version: version.version, design: FormDesign.parse(version.design) }
}

/** The design of a version, also of one that is over: running leaves keep theirs. */
export async function designOf(db: Db, school_id: number, form_id: string, version: number): Promise<FormDesign> {
  const found = await db.selectFrom('leave_form_version').select('design').where('school_id', '=', school_id).where('form_id', '=', form_id).where('version', '=', version).executeTakeFirstOrThrow()
  return FormDesign.parse(found.design)
}
