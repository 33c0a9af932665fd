import { ensureUsers } from '@campus/identity/server'
import type { StudentPatch, studentFileApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { labelsOn } from './dept.service.ts'
import { fieldsFor, judgeExt, liveFields, readExt } from './field/ext.ts'
import { enterFiles } from './field/field-files.ts'
import type { Brought } from './field/field-files.ts'
import { writeExt } from './field/field.queries.ts'
import { planGuardians } from './guardian.plan.ts'
import { personEdit, studentEdit } from './import/student.edit.ts'
import type { Values } from './import/read-cells.ts'
import type { PeopleWords } from './import/words.ts'
import { releaseMobiles } from './mobile.release.ts'
import { updatePeople, updateStudents } from './person.update.ts'
import { deptScope } from './scope.ts'
import type { DeptScope } from './scope.ts'
import { applyGuardians, guardiansText, guardiansToLock, judgeGuardians } from './student-file.guardians.ts'
import { writeJournal } from './student-file.journal.ts'
import { guardianLinks, lockPeople, pupilOnRoll } from './student-file.queries.ts'
import type { FileKey, FileLink, FilePupil } from './student-file.queries.ts'
import { refuseStale } from './student-file.stale.ts'
import { refuseTroubles, refuseUnconfirmed } from './student-file.trouble.ts'
import { judgeValues, takenTroubles, valueChanges } from './student-file.values.ts'
import { fileWords } from './student-file.words.ts'

const pupil_kind = 1

/** In whose departments the pupil must be, where the journal says the values come from, what was uploaded with them. */
export type FileHand = { scope: DeptScope; source: 'typed' | 'collect'; brought: Brought }

/** Changes fields and guardians of a pupil on the roll; never class or state. Nothing changed = nothing written. */
export async function updateStudent(ctx: PeopleCtx, patch: StudentPatch, brought: Brought): Promise<Reply<typeof studentFileApi.update>> {
  return saveStudent(ctx, patch, { scope: await deptScope(ctx, 'student', schoolDay(ctx.now)), source: 'typed', brought })
}

/** The same for whoever has asked the scope himself: the one way by which values come into a file. @throws Refusal as for an edit */
export async function saveStudent(ctx: PeopleCtx, patch: StudentPatch, { scope, source, brought }: FileHand): Promise<Reply<typeof studentFileApi.update>> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  const key = { school_id, user_id: patch.user_id, scope, today }
  const { known, links } = await lockFile(ctx, key, patch)
  const words = await fileWords(ctx)
  const plan = planGuardians(links, patch.parents ?? [], known.stage)
  const said = judgeValues(ctx, patch, known, words)
  const fields = await (source === 'typed' ? fieldsFor(ctx, 'student') : liveFields(ctx, 'student'))
  const ext = readExt(known.ext, fields)
  const custom = judgeExt(fields, patch.ext ?? {}, ext)
  refuseTroubles([...said.troubles, ...custom.troubles])
  await refuseStale(ctx, patch, { known, links, words, values: said.values, custom: custom.changes })
  const guardians = await judgeGuardians(ctx, plan, words)
  refuseTroubles([...(await takenTroubles(ctx, said.values, known, today)), ...plan.troubles, ...guardians.troubles])
  const warnings = [...said.warnings, ...guardians.warnings]
  refuseUnconfirmed(warnings, patch.accept_warnings)

  await releaseMobiles(ctx, guardians.departed)
  const touched = await applyGuardians(ctx, { user_id: known.user_id, user_name: said.values.user_name ?? known.user_name, links }, plan, words, today)
  const changes = [...valueChanges(ctx, said.values, known, words), ...custom.changes, ...(touched.length > 0 ? [await parentsChange(ctx, key, links, words)] : [])]
  if (changes.length === 0) return { user_id: known.user_id, row_version: known.row_version, warnings }
  await writeFile(ctx, known, said.values)
  await enterFiles(ctx, fields, { before: ext, said: custom.said }, brought)
  await writeExt(db, { school_id, user_id: known.user_id, facet: 'student' }, custom.said)
  await writeJournal(ctx, 'update', { ...(await journalPupil(ctx, known, said.values, today)), source }, changes, touched)
  return { user_id: known.user_id, row_version: known.row_version + 1, warnings }
}

/**
 * Locks everybody the edit may write in user_id order, then reads them as they are now.
 * @throws Refusal 404 for a person who is no pupil on the roll inside the scope
 */
async function lockFile(ctx: PeopleCtx, key: FileKey, { parents = [] }: StudentPatch): Promise<{ known: FilePupil; links: FileLink[] }> {
  const { db, school_id } = ctx
  const before = await guardianLinks(db, school_id, key.user_id, key.today)
  await lockPeople(db, school_id, [key.user_id, ...(await guardiansToLock(ctx, before, parents))])
  const known = await pupilOnRoll(db, key)
  if (!known) throw fail(commonErrors.notFound)
  return { known, links: await guardianLinks(db, school_id, key.user_id, key.today) }
}

async function parentsChange({ db }: PeopleCtx, { school_id, user_id, today }: FileKey, before: readonly FileLink[], words: PeopleWords) {
  const after = await guardianLinks(db, school_id, user_id, today)
  return { field: 'parents', label: '家长', before: guardiansText(before, words), after: guardiansText(after, words) }
}

/** Writes person and pupil; the version counts guardians too, so that two edits of one file always meet. */
async function writeFile({ db, school_id, app, me, now }: PeopleCtx, known: FilePupil, values: Values): Promise<void> {
  const parsed = { values, id_idx: null, class: null, guardians: [], missing: [] }
  const edit = personEdit(app.secrets, school_id, known, parsed, { by: me.user_id, at: now })
  const cleared = values.id_no === null ? { id_no_enc: null, id_no_idx: null, id_no_mask: null } : {}
  await updatePeople(db, [{ ...edit, ...cleared }])
  await updateStudents(db, [studentEdit(known, parsed)])
  const { user_id } = known
  const { user_name = known.user_name, student_no = known.student_no } = values
  if (user_name === known.user_name && student_no === known.student_no) return
  await ensureUsers(db, school_id, [{ user_id, user_no: student_no ?? '', user_name: user_name ?? '', user_kind: pupil_kind, user_photo: known.photo_file_key }])
}

async function journalPupil(ctx: PeopleCtx, { user_id, dept_id, ...known }: FilePupil, values: Values, today: string) {
  const labels = await labelsOn(ctx, dept_id === null ? [] : [dept_id], today)
  const dept_name = dept_id === null ? null : (labels.get(dept_id) ?? null)
  return { user_id, user_name: values.user_name ?? known.user_name, student_no: values.student_no ?? known.student_no, dept_id, dept_name }
}
