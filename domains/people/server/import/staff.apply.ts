import type { AppliedRow, ApplyRow, ApplyStep } from '@campus/jobs/server'
import { isStaffProp } from '@campus/people/contract'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleDb } from '../db.ts'
import { writeExts } from '../field/field.queries.ts'
import { hireStaff } from '../staff.create.ts'
import type { NewStaff } from '../staff.create.ts'
import { joinAsStaff } from '../staff/memberships.ts'
import { copyToIdentity, kindOf, schoolType, writeStaff } from '../staff/staff-file.write.ts'
import type { StaffSaid } from '../staff/staff-file.values.ts'
import { setPlates } from '../vehicle/plates.ts'
import { archiveTouched, toChanges } from './archive.ts'
import type { Touched } from './archive.ts'
import { labelled, saidCustom } from './custom.ts'
import { imagesOf, partKey } from './image.ts'
import { staff_columns } from './staff.columns.ts'
import { findTeacher, joiningPerson, platesAfter } from './staff.judge.ts'
import type { ParsedStaff } from './staff.parsed.ts'
import type { KnownTeacher, StaffSnapshot } from './staff.snapshot.ts'
import { markedRows } from './trail.ts'

type Row = ApplyRow<ParsedStaff>
type Step = ApplyStep<PeopleDb>
/** A line with whom it means; `known` is how he stood before, null for somebody who was no staff. */
type Told = { row: Row; user_id: string; known: KnownTeacher | null }

const labels = new Map<string, string>(staff_columns.map(column => [column.prop, column.label]))

/** Writes one piece of the staff sheet: new staff, guardians who become staff, changed fields, plates, journal. */
export async function applyStaff(step: Step, rows: readonly Row[], snapshot: StaffSnapshot): Promise<AppliedRow[]> {
  const { db, school_id, batch_no } = step
  const on = schoolDay(step.now)
  const wanted = await standing(step, rows.filter(({ judgement }) => judgement.verdict !== 'same'), snapshot)
  const known_ids = wanted.flatMap(({ row }) => touchedBefore(row, snapshot) ?? [])
  const before = await imagesOf(db, school_id, known_ids.flatMap(wholeParts))
  const school_type = await schoolType(step)
  const made = await hireNew(step, wanted.filter(({ row }) => touchedBefore(row, snapshot) === null), school_type)
  const joined = await joinKnown(step, wanted, snapshot, school_type)
  const changed = await changeKnown(step, wanted, school_type)
  const told = [...made, ...joined, ...changed]
  const own = snapshot.words.custom
  await writeExts(db, { school_id, facet: 'staff' }, told.map(({ row, user_id }) => ({ user_id, said: saidCustom(own, row.parsed.values) })))
  await setPlates(db, { school_id, on, batch_no }, new Map(told.flatMap(one => { const plates = platesOfLine(one); return plates === null ? [] : [[one.user_id, plates] as const] })))
  await archiveTouched(step, told.map(one => touchedTeacher(one, labelled(labels, own))))
  const trodden = told.map(one => ({ row_no: one.row.row_no, target_id: one.user_id, one }))
  const applied = await markedRows(step, before, trodden, ({ one }) => partsOf(one))
  const same = rows.filter(({ judgement }) => judgement.verdict === 'same').map(({ row_no, judgement }) => ({ row_no, target_id: judgement.target_id ?? '', before: null }))
  return [...applied, ...same]
}

/** The lines whose people stand as the snapshot saw them; they are kept so until the transaction ends. */
async function standing({ db, school_id }: Step, rows: readonly Row[], snapshot: StaffSnapshot): Promise<{ row: Row; known: KnownTeacher | null }[]> {
  const wanted = rows.map(row => ({ row, known: findTeacher(row.parsed, snapshot) ?? null }))
  const ids = rows.flatMap(row => touchedBefore(row, snapshot) ?? [])
  const found = await db.selectFrom('person').select(['user_id', 'row_version']).where('school_id', '=', school_id).where('status', '=', 'live').where(oneOf('user_id', ids)).orderBy('user_id').forUpdate().execute()
  const versions = new Map(found.map(row => [row.user_id, row.row_version]))
  return wanted.filter(({ known }) => known === null || versions.get(known.user_id) === known.row_version)
}

/** Who the line writes to and was there before: staff, or a guardian who becomes staff. */
function touchedBefore({ parsed }: Pick<Row, 'parsed'>, snapshot: StaffSnapshot): string | null {
  return findTeacher(parsed, snapshot)?.user_id ?? joiningPerson(parsed, snapshot)
}

function wholeParts(user_id: string): string[] {
  return (['f', 'c', 'w', 'v'] as const).map(kind => partKey(kind, user_id))
}

/** Departments and state concern an undo only where it takes the whole member of staff away. */
function partsOf({ user_id, known }: Told): string[] {
  return known ? [partKey('f', user_id), partKey('v', user_id)] : [...wholeParts(user_id), partKey('u', user_id)]
}

async function hireNew(step: Step, wanted: readonly { row: Row }[], school_type: number): Promise<Told[]> {
  const { db, school_id, app, me, batch_no, now } = step
  const people = wanted.map(({ row }) => newStaff(row.parsed, schoolDay(now), school_type))
  const ids = await hireStaff(db, app.secrets, school_id, people, { by: me.user_id, batch_no, at: now })
  return wanted.map(({ row }, at) => ({ row, user_id: ids[at] ?? '', known: null }))
}

function newStaff({ values, depts }: ParsedStaff, from: string, school_type: number): NewStaff {
  const { user_name, teacher_no, kind, join_month, state, ...rest } = values
  return { ...rest, user_name: user_name ?? '', teacher_no: teacher_no ?? '', kind: kind ?? '', join_month: join_month ?? '', from, state: stateOf(state), depts: depts.map(({ dept_id }) => ({ dept_id })), user_kind: kindOf(school_type, kind ?? '') }
}

function stateOf(code: string | null | undefined): NewStaff['state'] {
  return code === '04' || code === '12' || code === '13' ? code : '11'
}

async function joinKnown(step: Step, wanted: readonly { row: Row; known: KnownTeacher | null }[], snapshot: StaffSnapshot, school_type: number): Promise<Told[]> {
  const told: Told[] = []
  for (const { row, known } of wanted) {
    const user_id = known ? null : joiningPerson(row.parsed, snapshot)
    if (user_id === null) continue
    const { teacher_no, kind, join_month, from, state, depts } = newStaff(row.parsed, schoolDay(step.now), school_type)
    await joinAsStaff(step, user_id, { teacher_no, kind, join_month, from, state, depts: depts.map(({ dept_id }) => ({ dept_id, position: null })) })
    await writeStaff(step, user_id, saidOf(row.parsed))
    await copyToIdentity(step, user_id, { school_type })
    told.push({ row, user_id, known: null })
  }
  return told
}

async function changeKnown(step: Step, wanted: readonly { row: Row; known: KnownTeacher | null }[], school_type: number): Promise<Told[]> {
  const told = wanted.flatMap(({ row, known }) => (known ? [{ row, user_id: known.user_id, known }] : []))
  for (const { row, user_id } of told) {
    const changed = new Set(row.judgement.diff.map(({ prop }) => prop))
    await writeStaff(step, user_id, Object.fromEntries(Object.entries(saidOf(row.parsed)).filter(([prop]) => changed.has(prop))))
  }
  const renamed = told.filter(({ row }) => row.judgement.diff.some(({ prop }) => prop === 'user_name' || prop === 'teacher_no' || prop === 'kind'))
  for (const { user_id } of renamed) await copyToIdentity(step, user_id, { school_type })
  return told
}

/** What the line says of the fields of the file. */
function saidOf({ values }: ParsedStaff): StaffSaid {
  return Object.fromEntries(Object.entries(values).filter(([prop]) => isStaffProp(prop)))
}

function platesOfLine({ row: { parsed }, known }: Told): readonly string[] | null {
  if (known) return platesAfter(parsed, known)
  return parsed.values.plate ? [parsed.values.plate] : null
}

function touchedTeacher({ row: { parsed, judgement }, user_id, known }: Told, label: (prop: string) => string): Touched {
  const { values, depts } = parsed
  const [dept] = known ? [] : depts
  return {
    user_id,
    person_kind: 2,
    person_no: values.teacher_no ?? known?.teacher_no,
    person_name: values.user_name ?? known?.user_name ?? '',
    dept_id: dept?.dept_id ?? known?.dept_ids[0],
    dept_name: dept?.label,
    changes: toChanges(judgement.diff, label),
  }
}
