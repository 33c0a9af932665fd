import { change_codes, peopleErrors } from '@campus/people/contract'
import type { FileNotice, StudentDraft, studentFileApi } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Reply } from '@kit/contract'
import { recordEnrolment } from './change/enrolment.ts'
import { schoolDay } from './day.ts'
import type { PeopleCtx } from './db.ts'
import { requireDept } from './dept.service.ts'
import { fieldsFor, judgeExt } from './field/ext.ts'
import { enterFiles } from './field/field-files.ts'
import type { Brought } from './field/field-files.ts'
import { writeExt } from './field/field.queries.ts'
import { planGuardians } from './guardian.plan.ts'
import { releaseMobiles } from './mobile.release.ts'
import { fileWords } from './student-file.words.ts'
import type { ClassWord, PeopleWords } from './import/words.ts'
import { newStudent } from './import/student.edit.ts'
import type { Values } from './import/read-cells.ts'
import { deptScope } from './scope.ts'
import { enrolStudents } from './student.create.ts'
import { applyGuardians, guardiansText, guardiansToLock, judgeGuardians } from './student-file.guardians.ts'
import { writeJournal } from './student-file.journal.ts'
import { classSize, lockDept, lockPeople } from './student-file.queries.ts'
import { refuseTroubles, refuseUnconfirmed } from './student-file.trouble.ts'
import type { Trouble } from './student-file.trouble.ts'
import { judgeValues, takenTroubles, valueChanges } from './student-file.values.ts'

/** Enrols a pupil with guardians today by a command of kind IN or ENROL, which can be taken back for 24 hours (chapter 20 rule 21). */
export async function createStudent(ctx: PeopleCtx, draft: StudentDraft, brought: Brought): Promise<Reply<typeof studentFileApi.create>> {
  const { db, school_id } = ctx
  const today = schoolDay(ctx.now)
  await deptScope(ctx, 'student', today)
  const words = await fileWords(ctx)
  const home = await requireClass(ctx, draft.dept_id, words)
  const known_parents = await guardiansToLock(ctx, [], draft.parents)
  await lockPeople(db, school_id, known_parents)
  const cohort = await lockDept(db, school_id, home.dept_id)
  const plan = planGuardians([], draft.parents, home.stage)
  const said = judgeValues(ctx, draft, null, words)
  const fields = await fieldsFor(ctx, 'student')
  const custom = judgeExt(fields, draft.ext ?? {}, null)
  const guardians = await judgeGuardians(ctx, plan, words)
  const room = await roomFor(ctx, home, today)
  refuseTroubles([...said.troubles, ...custom.troubles, ...(await takenTroubles(ctx, said.values, null, today)), ...room.troubles, ...plan.troubles, ...guardians.troubles])
  const warnings = [...said.warnings, ...room.warnings, ...guardians.warnings]
  refuseUnconfirmed(warnings, draft.accept_warnings)

  // Without a month the cohort's September: that is when its classes began.
  const kind = draft.change_kind
  const user_id = await enrol(ctx, { enrol_month: `${cohort ?? today.slice(0, 4)}09`, ...said.values }, { home, kind, from: today })
  await enterFiles(ctx, fields, { before: {}, said: custom.said }, brought)
  await writeExt(db, { school_id, user_id, facet: 'student' }, custom.said)
  await releaseMobiles(ctx, guardians.departed)
  const touched = await applyGuardians(ctx, { user_id, user_name: draft.user_name, links: [] }, plan, words, today)
  const changes = [...valueChanges(ctx, said.values, null, words), ...custom.changes, { field: 'parents', label: '家长', before: null, after: guardiansText(draft.parents, words) }]
  const { user_name, student_no } = draft
  const made_parents = touched.map(guardian => guardian.user_id).filter(id => !known_parents.includes(id))
  const command_id = await recordEnrolment(ctx, { kind, user_id, dept_id: home.dept_id, on: today, made_parents })
  await writeJournal(ctx, 'create', { user_id, user_name, student_no, dept_id: home.dept_id, dept_name: home.label, command_id }, changes, touched)
  return { user_id, row_version: 1, warnings }
}

/**
 * The class a pupil is enrolled into.
 * @throws Refusal 404 for a department of another school or outside the scope, 422 请选择班级 for one that is no open class
 */
async function requireClass(ctx: PeopleCtx, dept_id: string, words: PeopleWords): Promise<ClassWord> {
  const found = words.classes.find(one => one.dept_id === dept_id)
  if (found) return found
  await requireDept(ctx, dept_id)
  if (words.scope !== 'all' && !words.scope.includes(dept_id)) throw fail(commonErrors.notFound)
  throw fail(peopleErrors.classNeeded, { errors: [{ field: 'dept_id', msg: peopleErrors.classNeeded.msg }] })
}

/** A full class is refused; who may overfill it confirms instead. */
async function roomFor({ db, school_id, me }: PeopleCtx, { dept_id, capacity }: ClassWord, today: string): Promise<{ troubles: Trouble[]; warnings: FileNotice[] }> {
  const is_full = capacity !== null && (await classSize(db, school_id, dept_id, today)) >= capacity
  if (!is_full) return { troubles: [], warnings: [] }
  if (me.codes.has(change_codes.overfill)) return { troubles: [], warnings: [{ field: 'dept_id', msg: '班级人数将超过上限' }] }
  return { troubles: [{ failure: peopleErrors.classFull, field: 'dept_id' }], warnings: [] }
}

type Entry = { home: ClassWord; kind: StudentDraft['change_kind']; from: string }

async function enrol({ db, school_id, app, me, now }: PeopleCtx, values: Values, { home, kind, from }: Entry): Promise<string> {
  const parsed = { values, id_idx: null, class: home, guardians: [], missing: [] }
  const [user_id = ''] = await enrolStudents(db, app.secrets, school_id, [{ ...newStudent(parsed, from), open_kind: kind }], { by: me.user_id, at: now })
  return user_id
}
