import { schoolMoment } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { kinds, scenes } from './facts.ts'
import type { Facts, Subject } from './facts.ts'
import { startOf } from './read-facts.ts'

type Row = { user_id: string; user_name: string; person_kind: number; study_method: string | null; by_bus: boolean; valid_from: string; valid_to: string | null; node_path: string; grade: string | null; tag_ids: string[] }
type Of = { school_id: number; at: Date; user_ids: readonly string[] | null }

/** Somebody with the department that is named beside him. */
export type Person = Subject & { dept_ids: readonly string[] }

/** People as they are at an instant: pupils and staff, and guardians where a rule concerns them; `user_ids` null: everybody. */
export async function readSubjects(db: Db, facts: Facts, of: Of): Promise<Person[]> {
  const [pupils, staff] = [await readPupils(db, of), await readStaff(db, of)]
  const has_pickup = facts.dept_rules.some(rule => rule.scene >= scenes.pickup) || [...facts.user_rules.values()].flat().some(rule => rule.scene >= scenes.pickup)
  return [...pupils, ...staff, ...(has_pickup ? await readParents(db, of) : [])]
}

const among = (user_ids: readonly string[] | null) => (user_ids === null ? sql`true` : sql`m.user_id = any(${[...user_ids]}::bigint[])`)
const tags = (school_id: number) => sql`array(select t.tag_id::text from person_tag_now t where t.school_id = ${school_id} and t.user_id = m.user_id order by t.tag_id)`

async function readPupils(db: Db, { school_id, at, user_ids }: Of): Promise<Person[]> {
  const { date } = schoolMoment(at)
  const { rows } = await sql<Row>`
    select m.user_id::text, l.display_name as user_name, 1 as person_kind, s.study_method, coalesce(s.by_bus, false) as by_bus, m.valid_from::text, least(m.valid_to, t.valid_to)::text as valid_to, d.node_path, d.grade, ${tags(school_id)} as tag_ids
    from student_membership m
    join student_state_span t on t.school_id = ${school_id} and t.user_id = m.user_id and t.state = '01' and t.valid_from <= ${date}::date and (t.valid_to is null or t.valid_to > ${date}::date)
    join dept_on_date d on d.school_id = ${school_id} and d.id = m.dept_id and d.valid_from <= ${date}::date and (d.valid_to is null or d.valid_to > ${date}::date)
    join person_label l on l.school_id = ${school_id} and l.user_id = m.user_id and l.status = 'live'
    left join live_student s on s.school_id = ${school_id} and s.user_id = m.user_id
    where m.school_id = ${school_id} and ${among(user_ids)} and m.valid_from <= ${date}::date and (m.valid_to is null or m.valid_to > ${date}::date) order by m.user_id`.execute(db)
  return rows.map(row => subjectOf(row, [row]))
}

async function readStaff(db: Db, { school_id, at, user_ids }: Of): Promise<Person[]> {
  const { date } = schoolMoment(at)
  const { rows } = await sql<Row>`
    select m.user_id::text, p.user_name, p.person_kind, null as study_method, false as by_bus, m.valid_from::text, m.valid_to::text, d.node_path, null as grade, ${tags(school_id)} as tag_ids
    from staff_membership m
    join live_person p on p.school_id = ${school_id} and p.user_id = m.user_id and p.person_kind in (2, 6, 7)
    join dept_on_date d on d.school_id = ${school_id} and d.id = m.dept_id and d.valid_from <= ${date}::date and (d.valid_to is null or d.valid_to > ${date}::date)
    where m.school_id = ${school_id} and ${among(user_ids)} and m.valid_from <= ${date}::date and (m.valid_to is null or m.valid_to > ${date}::date) order by m.user_id, m.is_primary desc`.execute(db)
  return [...Map.groupBy(rows, row => row.user_id).values()].flatMap(own => (own[0] ? [subjectOf(own[0], own)] : []))
}

/** Guardians and others with an account who were confirmed, with the children whom they may fetch (R10). */
async function readParents(db: Db, { school_id, at, user_ids }: Of): Promise<Person[]> {
  const { date } = schoolMoment(at)
  const { rows } = await sql<{ user_id: string; user_name: string; child: string }>`
    select m.user_id::text, m.user_name, g.student_user_id::text as child from live_parent m
    join (
      select parent_user_id, student_user_id from guardian_span
      where school_id = ${school_id} and can_pickup and valid_from <= ${date}::date and (valid_to is null or valid_to > ${date}::date)
      union select parent_id, student_id from pickup_person
      where school_id = ${school_id} and parent_id is not null and confirm_state = 1
        and valid_from <= ${date}::date and (valid_to is null or valid_to > ${date}::date)) g on g.parent_user_id = m.user_id
    where m.school_id = ${school_id} and ${among(user_ids)} order by m.user_id, g.student_user_id`.execute(db)
  const children = new Map((await readPupils(db, { school_id, at, user_ids: rows.map(row => row.child) })).map(child => [child.user_id, child]))
  return [...Map.groupBy(rows, row => row.user_id).values()].flatMap(own => {
    const wards = own.flatMap(row => children.get(row.child) ?? [])
    const { user_id = '', user_name = '' } = own[0] ?? {}
    const live = wards.length > 0 ? [{ from: 0, to: Infinity }] : []
    return [{ user_id, user_name, person_kind: kinds.parent, live, levels: [], grade: null, study_method: null, by_bus: false, tag_ids: [], wards, dept_ids: wards.flatMap(child => child.dept_ids) }]
  })
}

/** Levels from the nearest department up; a fixed grade counts where the department above the class stands (R7). */
function subjectOf(row: Row, memberships: readonly Row[]): Person {
  const paths = memberships.map(one => one.node_path.split('/').filter(Boolean).toReversed())
  const deepest = Math.max(...paths.map(path => path.length))
  const levels = Array.from({ length: deepest }, (_, at) => [...new Set(paths.flatMap(path => (path[at] === undefined ? [] : [`d${path[at]}`])))])
  if (row.grade !== null) levels.splice(2, 0, [`g${row.grade}`])
  const live = memberships.map(one => ({ from: startOf(one.valid_from), to: startOf(one.valid_to) }))
  const { user_id, user_name, person_kind, study_method, by_bus, grade, tag_ids } = row
  return { user_id, user_name, person_kind, live, levels, grade, study_method, by_bus, tag_ids, wards: [], dept_ids: paths.flatMap(path => path.slice(0, 1)) }
}
