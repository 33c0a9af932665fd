import type { ParsedRow, ReadStep } from '@campus/jobs/server'
import { numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { oneOf, validOn } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { Db, PeopleDb } from '../db.ts'
import { holdersOf } from '../guardian.create.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { readStudentWords } from './words.ts'
import type { StudentWords } from './words.ts'
import type { ParsedStudent } from './student.parsed.ts'

/** A pupil the sheet may mean, as the database holds him today. */
export type KnownPupil = Awaited<ReturnType<typeof pupilsBy>>[number]
/** A guardian of such a pupil today. */
export type KnownLink = Awaited<ReturnType<typeof linksOf>>[number]

/** What the database holds about a piece of the pupil sheet. */
export type StudentSnapshot = {
  words: StudentWords
  scope: DeptScope
  /** by `numberKey` of the 学号 */
  by_no: ReadonlyMap<string, KnownPupil>
  by_roll: ReadonlyMap<string, KnownPupil>
  by_id: ReadonlyMap<string, KnownPupil>
  links: ReadonlyMap<string, readonly KnownLink[]>
  /** living person by index of the identity number */
  id_owners: ReadonlyMap<string, string>
  holders: ReadonlyMap<string, { user_id: string; user_name: string }>
  /** `numberKey` of 工号 */
  teacher_nos: ReadonlySet<string>
  /** pupils in a class today */
  class_sizes: ReadonlyMap<string, number>
}

/** Reads everything a piece of the sheet may touch, each kind in one query. */
export async function loadStudents(step: ReadStep<PeopleDb>, rows: readonly ParsedRow<ParsedStudent>[]): Promise<StudentSnapshot> {
  const { db, school_id } = step
  const today = schoolDay(step.now)
  const parsed = rows.map(row => row.parsed)
  const nos = parsed.flatMap(row => row.values.student_no ?? [])
  const id_idxs = [...parsed.flatMap(row => row.id_idx ?? []), ...parsed.flatMap(row => row.guardians.flatMap(guardian => guardian.id_idx ?? []))]
  const id_owners = await idOwners(db, school_id, id_idxs)
  const pupils = await pupilsBy(db, school_id, { nos, rolls: parsed.flatMap(row => row.values.school_roll_no ?? []), user_ids: [...id_owners.values()], today })
  const links = await linksOf(db, school_id, pupils.map(pupil => pupil.user_id), today)
  return {
    words: await readStudentWords(step),
    scope: await visibleDepts(step, 'student', today),
    by_no: new Map(pupils.map(pupil => [pupil.student_no_lower ?? '', pupil])),
    by_roll: new Map(pupils.flatMap(pupil => (pupil.school_roll_no === null ? [] : [[pupil.school_roll_no, pupil] as const]))),
    by_id: new Map(pupils.flatMap(pupil => (pupil.id_no_idx === null ? [] : [[pupil.id_no_idx.toString('hex'), pupil] as const]))),
    links: Map.groupBy(links, link => link.student_user_id),
    id_owners,
    holders: await holdersOf(db, school_id, parsed.flatMap(row => row.guardians.map(guardian => guardian.mobile))),
    teacher_nos: await teacherNos(db, school_id, nos),
    class_sizes: await classSizes(db, school_id, [...new Set(parsed.flatMap(row => row.class?.dept_id ?? []))], today),
  }
}

type Wanted = { nos: readonly string[]; rolls: readonly string[]; user_ids: readonly string[]; today: string }

/**
 * The pupils these numbers may mean. One plain query a table, joined here: an import fills tables that the planner knows nothing
 * about yet, and a join of such tables may take it minutes.
 */
async function pupilsBy(db: Db, school_id: number, { nos, rolls, user_ids: owners, today }: Wanted) {
  const students = await db
    .selectFrom('student as s')
    .selectAll()
    .where('s.school_id', '=', school_id)
    .where(sql<boolean>`(s.student_no_lower = any(${nos.map(numberKey)}::text[]) or s.school_roll_no = any(${[...rolls]}::text[]) or ${oneOf('s.user_id', owners)})`)
    .execute()
  const user_ids = students.map(student => student.user_id)
  const people = byUser(await peopleOf(db, school_id, user_ids))
  const spans = byUser(await spansOn(db, school_id, user_ids, today))
  const classes = byUser(await classesOf(db, school_id, user_ids, today))
  return students.flatMap(student => {
    const person = people.get(student.user_id)
    const home = classes.get(student.user_id)
    const state = spans.get(student.user_id)?.state ?? null
    return person ? [{ ...student, ...person, state, dept_id: home?.dept_id ?? null, stage: home?.stage ?? null }] : []
  })
}

function peopleOf(db: Db, school_id: number, user_ids: readonly string[]) {
  return db
    .selectFrom('person as p')
    .select([
      'p.user_id', 'p.user_name', 'p.name_py', 'p.name_initials', 'p.sex', 'p.id_type', 'p.id_no_enc', 'p.id_no_idx', 'p.id_no_mask', 'p.birthday',
      'p.nation', 'p.country', 'p.gatqw', 'p.political', 'p.email', 'p.tel', 'p.address', 'p.mail_address', 'p.home_address', 'p.postcode',
      'p.row_version', 'p.mobile', 'p.photo_file_key',
    ])
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('p.user_id', user_ids))
    .execute()
}

export function spansOn(db: Db, school_id: number, user_ids: readonly string[], today: string) {
  return db.selectFrom('student_span as t').select(['t.user_id', 't.state']).where('t.school_id', '=', school_id).where(oneOf('t.user_id', user_ids)).where(validOn('t', today)).execute()
}

/** Class and stage of these pupils on a day. */
export async function classesOf(db: Db, school_id: number, user_ids: readonly string[], today: string) {
  const members = await db
    .selectFrom('dept_member as m')
    .select(['m.user_id', 'm.dept_id'])
    .where('m.school_id', '=', school_id)
    .where('m.member_kind', '=', 'student')
    .where(oneOf('m.user_id', user_ids))
    .where(validOn('m', today))
    .execute()
  const dept_ids = [...new Set(members.map(member => member.dept_id))]
  const depts = await db.selectFrom('dept').select(['id', 'stage']).where('school_id', '=', school_id).where(oneOf('id', dept_ids)).execute()
  const stages = new Map(depts.map(dept => [dept.id, dept.stage]))
  return members.map(member => ({ ...member, stage: stages.get(member.dept_id) ?? null }))
}

/** Rows by their person. */
export function byUser<T extends { user_id: string }>(rows: readonly T[]): Map<string, T> {
  return new Map(rows.map(row => [row.user_id, row]))
}

/** Guardian links of these pupils today, with what the sheet may say of the guardians. */
export async function linksOf(db: Db, school_id: number, student_user_ids: readonly string[], today: string) {
  const links = await db
    .selectFrom('guardian_link as g')
    .select(['g.id', 'g.student_user_id', 'g.parent_user_id', 'g.relation', 'g.is_first', 'g.is_guardian', 'g.can_pickup', 'g.order_no', 'g.valid_from'])
    .where('g.school_id', '=', school_id)
    .where(oneOf('g.student_user_id', student_user_ids))
    .where(validOn('g', today))
    .orderBy('g.id')
    .execute()
  const parent_ids = [...new Set(links.map(link => link.parent_user_id))]
  const people = byUser(await peopleOf(db, school_id, parent_ids))
  const facets = byUser(await db.selectFrom('parent').select(['user_id', 'work', 'edu']).where('school_id', '=', school_id).where(oneOf('user_id', parent_ids)).execute())
  return links.flatMap(link => {
    const person = people.get(link.parent_user_id)
    const { work = null, edu = null } = facets.get(link.parent_user_id) ?? {}
    if (!person) return []
    const { user_name, mobile, id_type, id_no_idx, id_no_mask } = person
    return [{ ...link, user_name, mobile, id_type, id_no_idx, id_no_mask, work, edu }]
  })
}

/** The living people who hold these identity numbers, by index. */
export async function idOwners(db: Db, school_id: number, id_idxs: readonly string[]): Promise<Map<string, string>> {
  const found = await db
    .selectFrom('person')
    .select(['user_id', 'id_no_idx'])
    .where('school_id', '=', school_id)
    .where('status', '=', 'live')
    .where(sql<boolean>`id_no_idx = any(${bytes(id_idxs)}::bytea[])`)
    .execute()
  return new Map(found.flatMap(({ user_id, id_no_idx }) => (id_no_idx === null ? [] : [[id_no_idx.toString('hex'), user_id] as const])))
}

async function teacherNos(db: Db, school_id: number, nos: readonly string[]): Promise<Set<string>> {
  const found = await db
    .selectFrom('staff')
    .select('teacher_no_lower')
    .where('school_id', '=', school_id)
    .where(sql<boolean>`teacher_no_lower = any(${nos.map(numberKey)}::text[])`)
    .execute()
  return new Set(found.map(row => row.teacher_no_lower ?? ''))
}

async function classSizes(db: Db, school_id: number, dept_ids: readonly string[], today: string): Promise<Map<string, number>> {
  const found = await db
    .selectFrom('dept_member as m')
    .select(['m.dept_id', sql<number>`count(*)::int`.as('size')])
    .where('m.school_id', '=', school_id)
    .where('m.member_kind', '=', 'student')
    .where(oneOf('m.dept_id', dept_ids))
    .where(validOn('m', today))
    .groupBy('m.dept_id')
    .execute()
  return new Map(found.map(row => [row.dept_id, row.size]))
}

function bytes(hex: readonly string[]): Buffer[] {
  return hex.map(text => Buffer.from(text, 'hex'))
}
