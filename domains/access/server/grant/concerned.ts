import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import type { Step } from '../db.ts'

/** What a change of rules is about. */
export type Concerned = { dept_ids?: readonly string[]; grades?: readonly string[]; user_ids?: readonly string[]; rule_ids?: readonly string[] }

/**
 * Whom a change of rules may concern: members of the departments and of all below them, pupils of the grades, those named, whoever goes by the rules now or later, and the guardians of
 * pupils among them. The plan looks at nobody else.
 */
export async function concernedBy({ db, school_id, now }: Pick<Step, 'db' | 'school_id' | 'now'>, { dept_ids = [], grades = [], user_ids = [], rule_ids = [] }: Concerned): Promise<string[]> {
  const today = schoolDay(now)
  const { rows } = await sql<{ user_id: string }>`
    with rule as (
      select dept_id, grade from dept_rule where school_id = ${school_id} and rule_id = any(${[...rule_ids]}::bigint[]) and (valid_to is null or valid_to > ${now})),
    dept as (
      select b.id from dept_now d join dept_now b on b.school_id = ${school_id} and b.node_path >= d.node_path and b.node_path < left(d.node_path, -1) || '0'
      where d.school_id = ${school_id} and (d.id = any(${[...dept_ids]}::bigint[]) or d.grade = any(${[...grades]}::text[]) or d.id in (select dept_id from rule where dept_id is not null)
        or d.grade in (select grade from rule where dept_id is null))),
    who as (
      select user_id from student_membership where school_id = ${school_id} and dept_id in (select id from dept) and (valid_to is null or valid_to > ${today}::date)
      union select user_id from staff_membership where school_id = ${school_id} and dept_id in (select id from dept) and (valid_to is null or valid_to > ${today}::date)
      union select user_id from user_rule where school_id = ${school_id} and rule_id = any(${[...rule_ids]}::bigint[]) and (valid_to is null or valid_to > ${now})
      union select unnest(${[...user_ids]}::bigint[]))
    select user_id::text from who
    union select g.parent_user_id::text from guardian_span g join who w on w.user_id = g.student_user_id where g.school_id = ${school_id} and (g.valid_to is null or g.valid_to > ${today}::date)`.execute(db)
  return rows.map(row => row.user_id)
}
