import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { staff_shard } from './group.ts'
import type { Group } from './group.ts'

/** Somebody of a group, with the class or department and the grade of that date. */
export type Member = { user_id: string; dept_id: string; grade_dept_id: string | null; grade: string | null; stage: string | null }

const on_roll = '01'

/** The people of a group on its date: pupils on the roll by their class, staff by their first department. */
export async function readMembers(db: Db, school_id: number, { date, shard, user_id }: Group): Promise<Member[]> {
  const one = user_id === undefined ? sql`true` : sql`m.user_id = ${user_id}`
  if (shard === staff_shard) {
    const { rows } = await sql<Member>`
      select distinct on (m.user_id) m.user_id::text as user_id, m.dept_id::text as dept_id, null::text as grade_dept_id,
        null::text as grade, null::text as stage
      from staff_membership m where m.school_id = ${school_id} and ${one} and m.valid_from <= ${date}::date and (m.valid_to is null
        or m.valid_to > ${date}::date)
      order by m.user_id, m.is_primary desc, m.dept_id`.execute(db)
    return rows
  }
  const { rows } = await sql<Member>`
    select m.user_id::text as user_id, m.dept_id::text as dept_id, v.parent_id::text as grade_dept_id, v.grade, v.stage
    from student_membership m
    join dept_on_date v on v.school_id = ${school_id} and v.id = m.dept_id and v.parent_id = ${shard} and v.valid_from <= ${date}::date
      and (v.valid_to is null or v.valid_to > ${date}::date)
    join student_state_span t on t.school_id = ${school_id} and t.user_id = m.user_id and t.state = ${on_roll}
      and t.valid_from <= ${date}::date and (t.valid_to is null or t.valid_to > ${date}::date)
    where m.school_id = ${school_id} and ${one} and m.valid_from <= ${date}::date and (m.valid_to is null or m.valid_to > ${date}::date)
    order by m.user_id`.execute(db)
  return rows
}

/** The shards that people belong to on a date: the grade of each pupil, staff together. */
export async function shardsOf(db: Db, school_id: number, date: string, user_ids: readonly string[]): Promise<string[]> {
  if (user_ids.length === 0) return []
  const { rows } = await sql<{ shard: string }>`
    select distinct v.parent_id::text as shard from student_membership m
    join dept_on_date v on v.school_id = ${school_id} and v.id = m.dept_id and v.parent_id is not null and v.valid_from <= ${date}::date
      and (v.valid_to is null or v.valid_to > ${date}::date)
    where m.school_id = ${school_id} and m.user_id = any(${[...user_ids]}::bigint[]) and m.valid_from <= ${date}::date
      and (m.valid_to is null or m.valid_to > ${date}::date)
    union
    select ${staff_shard}::text from staff_membership m where m.school_id = ${school_id} and m.user_id = any(${[...user_ids]}::bigint[])
      and m.valid_from <= ${date}::date
      and (m.valid_to is null or m.valid_to > ${date}::date)
    order by 1`.execute(db)
  return rows.map(row => row.shard)
}

/** Every shard of a date: grades that have classes, and staff. */
export async function allShards(db: Db, school_id: number, date: string): Promise<string[]> {
  const { rows } = await sql<{ shard: string }>`
    select distinct v.parent_id::text as shard from dept_on_date v
    where v.school_id = ${school_id} and v.dept_type = 4 and v.tree = 'student' and v.parent_id is not null
      and v.valid_from <= ${date}::date and (v.valid_to is null or v.valid_to > ${date}::date)
    order by 1`.execute(db)
  return [staff_shard, ...rows.map(row => row.shard)]
}
