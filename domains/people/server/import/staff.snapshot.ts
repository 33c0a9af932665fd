import type { ParsedRow, ReadStep } from '@campus/jobs/server'
import { numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { holdersOf } from '../guardian.create.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { plateOwners, platesOf } from '../vehicle/plates.ts'
import type { ParsedStaff } from './staff.parsed.ts'
import { readStaffWords } from './staff.words.ts'
import type { StaffSheetWords } from './staff.words.ts'
import { byUser, idOwners } from './student.snapshot.ts'

/** A member of staff the sheet may mean, at work (`state`) or gone (null). */
export type KnownTeacher = Awaited<ReturnType<typeof staffBy>>[number]

/** What the database holds about a piece of the staff sheet. */
export type StaffSnapshot = {
  words: StaffSheetWords
  scope: DeptScope
  /** by `numberKey` of the 工号 */
  by_no: ReadonlyMap<string, KnownTeacher>
  by_user: ReadonlyMap<string, KnownTeacher>
  /** living person by mobile */
  holders: ReadonlyMap<string, { user_id: string; user_name: string }>
  /** living person by index of the identity number */
  id_owners: ReadonlyMap<string, string>
  /** which of these people are pupils */
  pupils: ReadonlySet<string>
  /** numbers of the sheet that are pupils' numbers */
  student_nos: ReadonlySet<string>
  plate_owners: ReadonlyMap<string, string>
}

/** Reads everything a piece of the sheet may touch, each kind in one query. */
export async function loadStaff(step: ReadStep<PeopleDb>, rows: readonly ParsedRow<ParsedStaff>[]): Promise<StaffSnapshot> {
  const { db, school_id } = step
  const today = schoolDay(step.now)
  const parsed = rows.map(row => row.parsed)
  const nos = parsed.flatMap(row => row.values.teacher_no ?? [])
  const holders = await holdersOf(db, school_id, parsed.flatMap(row => row.values.mobile ?? []))
  const holder_ids = [...holders.values()].map(holder => holder.user_id)
  const staff = await staffBy(db, school_id, { nos, user_ids: holder_ids, today })
  const pupils = await db.selectFrom('student').select(['user_id', 'student_no_lower']).where('school_id', '=', school_id).where(sql<boolean>`(student_no_lower = any(${nos.map(numberKey)}::text[]) or ${oneOf('user_id', holder_ids)})`).execute()
  return {
    words: await readStaffWords(step),
    scope: await visibleDepts(step, 'staff', today),
    by_no: new Map(staff.map(one => [one.teacher_no_lower ?? '', one])),
    by_user: byUser(staff),
    holders,
    id_owners: await idOwners(db, school_id, parsed.flatMap(row => row.id_idx ?? [])),
    pupils: new Set(pupils.map(pupil => pupil.user_id)),
    student_nos: new Set(pupils.map(pupil => pupil.student_no_lower ?? '')),
    plate_owners: await plateOwners(db, { school_id, on: today }, parsed.flatMap(row => row.values.plate ?? [])),
  }
}

/** The staff with these numbers or ids, whether at work or gone; one plain query a table, joined here. */
async function staffBy(db: Db, school_id: number, { nos, user_ids, today }: { nos: readonly string[]; user_ids: readonly string[]; today: string }) {
  const staff = await db
    .selectFrom('staff as s')
    .selectAll()
    .where('s.school_id', '=', school_id)
    .where(sql<boolean>`(s.teacher_no_lower = any(${nos.map(numberKey)}::text[]) or ${oneOf('s.user_id', user_ids)})`)
    .execute()
  const ids = staff.map(one => one.user_id)
  const people = byUser(await peopleOf(db, school_id, ids))
  const states = byUser(await db.selectFrom('staff_span as t').select(['t.user_id', 't.state']).where('t.school_id', '=', school_id).where(oneOf('t.user_id', ids)).where(validOn('t', today)).execute())
  const depts = Map.groupBy(await postsOf(db, school_id, ids, today), row => row.user_id)
  const plates = await platesOf(db, { school_id, on: today }, ids)
  return staff.flatMap(one => {
    const person = people.get(one.user_id)
    return person ? [{ ...one, ...person, state: states.get(one.user_id)?.state ?? null, dept_ids: (depts.get(one.user_id) ?? []).map(row => row.dept_id), plates: plates.get(one.user_id) ?? [] }] : []
  })
}

function peopleOf(db: Db, school_id: number, user_ids: readonly string[]) {
  return db
    .selectFrom('person as p')
    .select(['p.user_id', 'p.user_name', 'p.sex', 'p.mobile', 'p.id_type', 'p.id_no_idx', 'p.id_no_mask', 'p.birthday', 'p.nation', 'p.political', 'p.email', 'p.qq', 'p.row_version'])
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('p.user_id', user_ids))
    .execute()
}

/** Departments of staff on a day, the primary one first. */
function postsOf(db: Db, school_id: number, user_ids: readonly string[], today: string) {
  return db
    .selectFrom('dept_member as m')
    .select(['m.user_id', 'm.dept_id'])
    .where('m.school_id', '=', school_id)
    .where('m.member_kind', '=', 'staff')
    .where(oneOf('m.user_id', user_ids))
    .where(validOn('m', today))
    .orderBy('m.is_primary', 'desc')
    .orderBy('m.id')
    .execute()
}
