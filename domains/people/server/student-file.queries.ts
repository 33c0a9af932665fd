import { numberKey } from '@kit/contract/checks'
import { sql } from 'kysely'
import { oneOf, validOn } from './dated.ts'
import type { Db } from './db.ts'
import { byUser, classesOf } from './import/student.snapshot.ts'
import { inScope } from './scope.ts'
import type { DeptScope } from './scope.ts'

/** A pupil on the roll with every field of the file. */
export type FilePupil = NonNullable<Awaited<ReturnType<typeof pupilOnRoll>>>
/** A guardian of that pupil today. */
export type FileLink = Awaited<ReturnType<typeof guardianLinks>>[number]

/** Which file, seen by whom. */
export type FileKey = { school_id: number; user_id: string; scope: DeptScope; today: string }

/** The pupil on the roll today, if he lies in the scope; undefined for everybody else, strangers and departed alike. */
export async function pupilOnRoll(db: Db, { school_id, user_id, scope, today }: FileKey) {
  const student = await db.selectFrom('student').selectAll().where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  const person = await personRow(db, school_id, user_id)
  const span = await spanOn(db, school_id, user_id, today)
  const [home] = await classesOf(db, school_id, [user_id], today)
  const dept_id = home?.dept_id ?? null
  const is_visible = scope === 'all' || (dept_id !== null && scope.includes(dept_id))
  if (!student || !person || !span || !is_visible) return undefined
  return { ...student, ...person, ...span, dept_id, stage: home?.stage ?? null }
}

function personRow(db: Db, school_id: number, user_id: string) {
  return db
    .selectFrom('person')
    .select([
      'user_id', 'user_name', 'name_py', 'name_initials', 'sex', 'id_type', 'id_no_enc', 'id_no_idx', 'id_no_mask', 'birthday', 'nation', 'country',
      'gatqw', 'political', 'email', 'tel', 'address', 'mail_address', 'home_address', 'postcode', 'row_version', 'mobile', 'photo_file_key', 'created_at', 'updated_at', 'updated_by',
    ])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .where('status', '=', 'live')
    .executeTakeFirst()
}

function spanOn(db: Db, school_id: number, user_id: string, today: string) {
  return db
    .selectFrom('student_span as t')
    .select(['t.state', 't.state_until'])
    .where('t.school_id', '=', school_id)
    .where('t.user_id', '=', user_id)
    .where(validOn('t', today))
    .executeTakeFirst()
}

/** Guardians of the pupil today, first contact first, with what makes their names and numbers somebody else's to change. */
export async function guardianLinks(db: Db, school_id: number, student_user_id: string, today: string) {
  const links = await db
    .selectFrom('guardian_link as g')
    .innerJoin('person as q', join => join.onRef('q.school_id', '=', 'g.school_id').onRef('q.user_id', '=', 'g.parent_user_id'))
    .innerJoin('parent as r', join => join.onRef('r.school_id', '=', 'g.school_id').onRef('r.user_id', '=', 'g.parent_user_id'))
    .select([
      'g.id', 'g.student_user_id', 'g.parent_user_id', 'g.relation', 'g.is_first', 'g.is_guardian', 'g.can_pickup', 'g.order_no', 'g.valid_from',
      'q.user_name', 'q.mobile', 'q.id_type', 'q.id_no_enc', 'q.id_no_idx', 'q.id_no_mask', 'q.row_version', 'r.work', 'r.edu',
    ])
    .where('g.school_id', '=', school_id)
    .where('q.school_id', '=', school_id)
    .where('r.school_id', '=', school_id)
    .where('g.student_user_id', '=', student_user_id)
    .where('q.status', '=', 'live')
    .where(validOn('g', today))
    .orderBy('g.is_first', 'desc')
    .orderBy('g.order_no')
    .orderBy('g.id')
    .execute()
  const parent_ids = links.map(link => link.parent_user_id)
  const staff = byUser(await db.selectFrom('staff').select('user_id').where('school_id', '=', school_id).where(oneOf('user_id', parent_ids)).execute())
  const pupils = byUser(await db.selectFrom('student').select('user_id').where('school_id', '=', school_id).where(oneOf('user_id', parent_ids)).execute())
  return links.map(link => ({ ...link, is_locked: staff.has(link.parent_user_id) || pupils.has(link.parent_user_id) }))
}

/** States of the pupil over days, newest first. */
export function stateSpans(db: Db, school_id: number, user_id: string) {
  return db
    .selectFrom('student_span')
    .select(['state', 'valid_from', 'valid_to', 'open_kind'])
    .where('school_id', '=', school_id)
    .where('user_id', '=', user_id)
    .orderBy('valid_from', 'desc')
    .execute()
}

/** Since when the pupil has been in today's class. */
export async function memberSince(db: Db, school_id: number, user_id: string, today: string): Promise<string | null> {
  const member = await db
    .selectFrom('dept_member as m')
    .select('m.valid_from')
    .where('m.school_id', '=', school_id)
    .where('m.user_id', '=', user_id)
    .where('m.member_kind', '=', 'student')
    .where(validOn('m', today))
    .executeTakeFirst()
  return member?.valid_from ?? null
}

/** Name of a person of the school, purged or not; null when there is none. */
export async function labelOf(db: Db, school_id: number, user_id: string | null): Promise<string | null> {
  if (user_id === null) return null
  const found = await db.selectFrom('person_label').select('display_name').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return found?.display_name ?? null
}

/** Locks these people until the transaction ends, in the one order that all writers keep (chapter 20 rule 2). */
export async function lockPeople(db: Db, school_id: number, user_ids: readonly string[]): Promise<void> {
  if (user_ids.length === 0) return
  await db
    .selectFrom('person')
    .select('user_id')
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', [...new Set(user_ids)]))
    .orderBy('user_id')
    .forUpdate()
    .execute()
}

/** Locks a department, after the people. @returns the year its cohort began */
export async function lockDept(db: Db, school_id: number, dept_id: string): Promise<number | null> {
  const dept = await db.selectFrom('dept').select('enrol_year').where('school_id', '=', school_id).where('id', '=', dept_id).forUpdate().executeTakeFirst()
  return dept?.enrol_year ?? null
}

/** What a pupil's numbers meet in the school: owners by number, departed ones included. */
export async function numberOwners(db: Db, school_id: number, said: { student_no?: string | null; school_roll_no?: string | null }) {
  const { student_no = null, school_roll_no = null } = said
  const no_key = student_no === null ? null : numberKey(student_no)
  const pupils = await db
    .selectFrom('student')
    .select(['user_id', 'student_no_lower', 'school_roll_no'])
    .where('school_id', '=', school_id)
    .where(eb => eb.or([eb('student_no_lower', '=', no_key), eb('school_roll_no', '=', school_roll_no)]))
    .execute()
  const teacher = await db.selectFrom('staff').select('user_id').where('school_id', '=', school_id).where('teacher_no_lower', '=', no_key ?? '').executeTakeFirst()
  return {
    by_no: pupils.find(pupil => pupil.student_no_lower === no_key)?.user_id,
    by_roll: pupils.find(pupil => school_roll_no !== null && pupil.school_roll_no === school_roll_no)?.user_id,
    teacher: teacher?.user_id,
  }
}

/** Is this person a pupil who has left? */
export async function hasLeft(db: Db, school_id: number, user_id: string, today: string): Promise<boolean> {
  const pupil = await db.selectFrom('student').select('user_id').where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return pupil !== undefined && (await spanOn(db, school_id, user_id, today)) === undefined
}

/** How many pupils are in the class today. */
export async function classSize(db: Db, school_id: number, dept_id: string, today: string): Promise<number> {
  const { size } = await db
    .selectFrom('dept_member as m')
    .select(sql<number>`count(*)::int`.as('size'))
    .where('m.school_id', '=', school_id)
    .where('m.member_kind', '=', 'student')
    .where('m.dept_id', '=', dept_id)
    .where(validOn('m', today))
    .executeTakeFirstOrThrow()
  return size
}

/** The pupil in the scope of whom this person is a guardian today; undefined when there is none. */
export async function wardOf(db: Db, { school_id, user_id, scope, today }: FileKey): Promise<string | undefined> {
  const found = await db
    .selectFrom('guardian_link as g')
    .innerJoin('student_span as t', join => join.onRef('t.school_id', '=', 'g.school_id').onRef('t.user_id', '=', 'g.student_user_id').on(validOn('t', today)))
    .leftJoin('dept_member as m', join =>
      join.onRef('m.school_id', '=', 'g.school_id').onRef('m.user_id', '=', 'g.student_user_id').on('m.member_kind', '=', 'student').on(validOn('m', today)),
    )
    .select('g.student_user_id')
    .where('g.school_id', '=', school_id)
    .where('t.school_id', '=', school_id)
    .where('g.parent_user_id', '=', user_id)
    .where(validOn('g', today))
    .where(inScope('m.dept_id', scope))
    .limit(1)
    .executeTakeFirst()
  return found?.student_user_id
}
