import { ensureUsers } from '@campus/identity/server'
import type { AppliedRow, ApplyRow, ApplyStep } from '@campus/jobs/server'
import { isSameName, numberKey } from '@kit/contract/checks'
import { schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { writeExts } from '../field/field.queries.ts'
import { updatePeople, updateStudents } from '../person.update.ts'
import { enrolStudents } from '../student.create.ts'
import { archiveTouched, toChanges } from './archive.ts'
import type { Touched } from './archive.ts'
import { labelled, saidCustom } from './custom.ts'
import { applyGuardians, withoutConflicts } from './guardian.apply.ts'
import { student_columns } from './student.columns.ts'
import { newStudent, personEdit, studentEdit } from './student.edit.ts'
import type { Placed } from './placed.ts'
import { findTarget } from './student.judge.ts'
import type { ParsedStudent } from './student.parsed.ts'
import type { KnownPupil, StudentSnapshot } from './student.snapshot.ts'
import { beginTrail, endTrail } from './trail.ts'
import type { Trail } from './trail.ts'

type Row = ApplyRow<ParsedStudent>
const pupil_kind = 1
const labels = new Map<string, string>(student_columns.map(column => [column.prop, column.label]))

/** Writes one piece of the pupil sheet: new pupils, changed fields, guardians, journal. Everything in bulk. */
export async function applyStudents(step: ApplyStep<PeopleDb>, rows: readonly Row[], snapshot: StudentSnapshot): Promise<AppliedRow[]> {
  const wanted = withoutConflicts(rows.filter(({ judgement }) => judgement.verdict !== 'same'), snapshot)
  const trail = await lookBefore(step, wanted, snapshot)
  const made = await enrolNew(step, wanted.filter(({ judgement }) => judgement.verdict === 'new'))
  const changed = await changeKnown(step, wanted.filter(({ judgement }) => judgement.verdict === 'change'), snapshot)
  const placed = [...made, ...changed]
  const own = snapshot.words.custom
  await writeExts(step.db, { school_id: step.school_id, facet: 'student' }, placed.map(({ row, user_id }) => ({ user_id, said: saidCustom(own, row.parsed.values) })))
  const parents = await applyGuardians(step, placed, snapshot)
  const same = rows.filter(({ judgement }) => judgement.verdict === 'same').map(({ row_no, judgement }) => ({ row_no, target_id: judgement.target_id ?? '', before: null }))
  const trodden = placed.map(({ row, user_id }) => ({ row_no: row.row_no, target_id: user_id, pupil: user_id, parents: parents.parents.get(user_id) ?? [] }))
  // Neither needs the other: while the database reads for the trail, the journal is put together.
  const [applied] = await Promise.all([
    endTrail(step, trail, trodden),
    archiveTouched(step, [...placed.map(one => touchedPupil(one, snapshot)), ...parents.touched]),
  ])
  return [...applied, ...same]
}

/** Known pupils of these rows, and everybody who holds a mobile they name. */
function lookBefore(step: ApplyStep<PeopleDb>, rows: readonly Row[], snapshot: StudentSnapshot): Promise<Trail> {
  const pupils = rows.flatMap(({ parsed }) => findTarget(parsed, snapshot)?.user_id ?? [])
  const parents = rows.flatMap(({ parsed }) => parsed.guardians.flatMap(({ mobile }) => snapshot.holders.get(mobile)?.user_id ?? []))
  return beginTrail(step, pupils, parents)
}

async function enrolNew(step: ApplyStep<PeopleDb>, rows: readonly Row[]): Promise<Placed[]> {
  const { db, school_id, me, batch_no, app } = step
  const from = schoolDay(step.now)
  const ids = await enrolStudents(db, app.secrets, school_id, rows.map(({ parsed }) => newStudent(parsed, from)), { by: me.user_id, batch_no, at: step.now })
  return rows.map((row, at) => ({ row, user_id: ids[at] ?? '', known: null }))
}

/** A pupil whom somebody else has changed since the snapshot is left out; his row must be looked at again. */
async function changeKnown(step: ApplyStep<PeopleDb>, rows: readonly Row[], snapshot: StudentSnapshot): Promise<Placed[]> {
  const { db, school_id, me, app, now } = step
  const placed = rows.flatMap(row => {
    const known = findTarget(row.parsed, snapshot)
    return known ? [{ row: { ...row, parsed: keptNames(row.parsed, known) }, user_id: known.user_id, known }] : []
  })
  const written = await updatePeople(db, placed.map(({ row, known }) => personEdit(app.secrets, school_id, known, row.parsed, { by: me.user_id, at: now })))
  const kept = placed.filter(({ user_id }) => written.has(user_id))
  await updateStudents(db, kept.map(({ row, known }) => studentEdit(known, row.parsed)))
  await renameAccounts(step, kept)
  return kept
}

/** A name or number that the sheet only writes in another way stays as it is. */
function keptNames(parsed: ParsedStudent, { user_name, student_no }: KnownPupil): ParsedStudent {
  const { user_name: name, student_no: no, ...values } = parsed.values
  const is_other = { name: name && !isSameName(name, user_name), no: no && numberKey(no) !== numberKey(student_no) }
  return { ...parsed, values: { ...values, ...(is_other.name ? { user_name: name } : {}), ...(is_other.no ? { student_no: no } : {}) } }
}

/** Names and numbers that identity shows as copies. */
async function renameAccounts({ db, school_id }: ApplyStep<PeopleDb>, placed: readonly Placed[]): Promise<void> {
  const renamed = placed.filter(({ row }) => row.judgement.diff.some(({ prop }) => prop === 'user_name' || prop === 'student_no'))
  const people = renamed.map(({ row: { parsed }, user_id, known }) => ({
    user_id,
    user_no: parsed.values.student_no ?? known?.student_no ?? '',
    user_name: parsed.values.user_name ?? known?.user_name ?? '',
    user_kind: pupil_kind,
    user_photo: known?.photo_file_key ?? null,
  }))
  if (people.length > 0) await ensureUsers(db, school_id, people)
}

function touchedPupil({ row: { parsed, judgement }, user_id, known }: Placed, { words }: StudentSnapshot): Touched {
  const dept_id = known ? (known.dept_id ?? undefined) : parsed.class?.dept_id
  return {
    user_id,
    person_kind: 1,
    person_no: parsed.values.student_no ?? known?.student_no,
    person_name: parsed.values.user_name ?? known?.user_name ?? '',
    dept_id,
    dept_name: words.classes.find(one => one.dept_id === dept_id)?.label,
    changes: toChanges(judgement.diff, labelled(labels, words.custom)),
  }
}
