import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'

/** A row of a class or a state; `valid_to` exclusive, null = open. */
type ClassRow = { id: string; dept_id: string; valid_from: string; valid_to: string | null }
type StateRow = { id: string; state: string; valid_from: string; valid_to: string | null }

/** A pupil as a command finds him: his classes and states over days, earliest first, and the command that is still to come. */
export type SubjectFacts = { user_id: string; user_name: string; student_no: string; classes: ClassRow[]; states: StateRow[]; pending: string | null }

/** The pupils among these people, in the order of their ids; who is no pupil of the school is absent. */
export async function subjectFacts(db: Db, school_id: number, user_ids: readonly string[], today: string): Promise<SubjectFacts[]> {
  const people = await db
    .selectFrom('student as s')
    .innerJoin('person as p', join => join.onRef('p.school_id', '=', 's.school_id').onRef('p.user_id', '=', 's.user_id'))
    .select(['s.user_id', 'p.user_name', 's.student_no'])
    .where('s.school_id', '=', school_id)
    .where('p.school_id', '=', school_id)
    .where('p.status', '=', 'live')
    .where(oneOf('s.user_id', user_ids))
    .orderBy('s.user_id')
    .execute()
  const classes = Map.groupBy(await classRows(db, school_id, user_ids), row => row.user_id)
  const states = Map.groupBy(await stateRows(db, school_id, user_ids), row => row.user_id)
  const pending = await pendingCommands(db, school_id, user_ids, today)
  return people.map(person => {
    const { user_id } = person
    return { ...person, classes: classes.get(user_id) ?? [], states: states.get(user_id) ?? [], pending: pending.get(user_id) ?? null }
  })
}

function classRows(db: Db, school_id: number, user_ids: readonly string[]) {
  return db
    .selectFrom('dept_member')
    .select(['user_id', 'id', 'dept_id', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where('member_kind', '=', 'student')
    .where(oneOf('user_id', user_ids))
    .orderBy('valid_from')
    .execute()
}

function stateRows(db: Db, school_id: number, user_ids: readonly string[]) {
  return db
    .selectFrom('student_span')
    .select(['user_id', 'id', 'state', 'valid_from', 'valid_to'])
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', user_ids))
    .orderBy('valid_from')
    .execute()
}

/** Commands about these people whose day is still to come. */
export async function pendingCommands(db: Db, school_id: number, user_ids: readonly string[], today: string): Promise<Map<string, string>> {
  const commands = await db
    .selectFrom('change_command')
    .select('id')
    .where('school_id', '=', school_id)
    .where('state', '=', 'scheduled')
    .where('effective_on', '>', today)
    .execute()
  if (commands.length === 0) return new Map()
  const rows = await db
    .selectFrom('change_subject')
    .select(['user_id', 'command_id'])
    .where('school_id', '=', school_id)
    .where(oneOf('command_id', commands.map(command => command.id)))
    .where(oneOf('user_id', user_ids))
    .execute()
  return new Map(rows.map(row => [row.user_id, row.command_id]))
}

/** A department as somebody is to be moved to or from on a day: `is_open` = it stands on that day and is not to be closed; `peak` = most pupils on it from that day on. */
export type ClassFacts = { dept_id: string; dept_type: number; tree: string; stage: string | null; enrol_year: number | null; capacity: number | null; is_open: boolean; peak: number }

/** These departments of the school; strangers are absent. */
export async function classFacts(db: Db, school_id: number, dept_ids: readonly string[], on: string): Promise<Map<string, ClassFacts>> {
  const { rows } = await sql<ClassFacts>`
    select d.id as dept_id, d.dept_type, d.tree, d.stage, d.enrol_year, d.capacity,
      d.closed_on is null and exists (
        select from dept_version v where v.school_id = ${school_id} and v.dept_id = d.id
          and v.valid_from <= ${on}::date and (v.valid_to is null or v.valid_to > ${on}::date)) as is_open,
      coalesce(${peak(school_id, on)}, 0) as peak
    from dept d where d.school_id = ${school_id} and ${oneOf('d.id', dept_ids)}`.execute(db)
  return new Map(rows.map(row => [row.dept_id, row]))
}

/** A class is fullest on the day itself or on a later one on which somebody comes. */
function peak(school_id: number, on: string) {
  return sql`(
    select max(size) from (
      select (select count(*)::int from dept_member m where m.school_id = ${school_id} and m.dept_id = d.id and m.member_kind = 'student'
        and m.valid_from <= t.day and (m.valid_to is null or m.valid_to > t.day)) as size
      from (select ${on}::date as day union select n.valid_from from dept_member n
        where n.school_id = ${school_id} and n.dept_id = d.id and n.member_kind = 'student' and n.valid_from > ${on}::date) t) of_days)`
}

/** Locks departments in the order of their ids, after the people (chapter 20 rule 2). */
export async function lockDepts(db: Db, school_id: number, dept_ids: readonly string[]): Promise<void> {
  await db.selectFrom('dept').select('id').where('school_id', '=', school_id).where(oneOf('id', dept_ids)).orderBy('id').forUpdate().execute()
}
