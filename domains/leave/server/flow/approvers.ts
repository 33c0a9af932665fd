import type { FlowStep } from '@campus/leave/contract'
import { schoolDay } from '@campus/school/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Act, Db } from '../db.ts'

/** A step with the people who decide it, as it is frozen in a version. */
export const PlannedStep = z.object({ seq: z.number().int(), mode: z.number().int(), resolver: z.number().int(), why: z.string(), assignees: z.array(z.string()), is_fallback: z.boolean(), escalate_min: z.number().int() })
export type PlannedStep = z.output<typeof PlannedStep>

/** Whose leave it is. */
export type Subject = { user_id: string; person_kind: number; user_name: string; dept_id: string | null; grade: string | null; study_method: string | null }

const [guardian, class_teacher, grade_head, keeper, doctor, dept_leader, vice_head, named, by_role] = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
/** Duties of the whole school: a role of the system has them, in no department. */
const role_of: Readonly<Record<number, string>> = { [keeper]: 'SYS001_Dorm', [doctor]: 'SYS003_Doctor' }
const duty_of: Readonly<Record<number, string>> = { [class_teacher]: 'head', [grade_head]: 'grade_head', [dept_leader]: 'dept_leader', [vice_head]: 'vice_head' }
/** Who decides where the one who would decide is the person on leave himself (chapter 70 L4). */
const superior: Readonly<Record<number, number>> = { [class_teacher]: grade_head, [dept_leader]: vice_head }

/**
 * The people who decide a step for these persons today; nobody decides his own leave, then his superior does.
 * @returns user ids; empty: nobody fits, the form's own ones stand in
 */
export async function resolveApprovers(act: Pick<Act, 'db' | 'school_id' | 'now'>, step: Pick<FlowStep, 'resolver' | 'resolver_ids'>, subjects: readonly Subject[]): Promise<string[]> {
  const found = await approversOf(act, step.resolver, step.resolver_ids, subjects)
  const own = new Set(subjects.map(one => one.user_id))
  const others = [...new Set(found)].filter(user_id => !own.has(user_id))
  const above = superior[step.resolver]
  if (others.length > 0 || found.length === 0 || above === undefined) return others
  return resolveApprovers(act, { resolver: above, resolver_ids: [] }, subjects)
}

async function approversOf({ db, school_id, now }: Pick<Act, 'db' | 'school_id' | 'now'>, resolver: number, ids: readonly string[], subjects: readonly Subject[]): Promise<string[]> {
  const on = schoolDay(now)
  const user_ids = subjects.map(one => one.user_id)
  if (resolver === guardian) return guardiansOf(db, school_id, user_ids, on)
  if (resolver === named) return liveOnes(db, school_id, ids)
  if (resolver === by_role) return holders(db, school_id, now, sql`r.role_id = any(${[...ids]}::bigint[])`)
  const role = role_of[resolver]
  if (role !== undefined) return holders(db, school_id, now, sql`r.code = ${role}`)
  const duty = duty_of[resolver]
  if (duty === undefined) return []
  return dutyHolders(db, { school_id, on, duty, dept_ids: subjects.flatMap(one => one.dept_id ?? []) })
}

async function guardiansOf(db: Db, school_id: number, user_ids: readonly string[], on: string): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select g.parent_user_id::text as user_id from guardian_span g
    where g.school_id = ${school_id} and g.student_user_id = any(${[...user_ids]}::bigint[]) and g.is_guardian and g.valid_from <= ${on}::date and (g.valid_to is null or g.valid_to > ${on}::date)
    order by g.order_no`.execute(db)
  return rows.map(row => row.user_id)
}

/** People of the list who are still at the school. */
export async function liveOnes(db: Db, school_id: number, user_ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct l.user_id::text as user_id from live_person l where l.school_id = ${school_id} and l.user_id = any(${[...user_ids]}::bigint[])`.execute(db)
  const live = new Set(rows.map(row => row.user_id))
  return user_ids.filter(user_id => live.has(user_id))
}

async function holders(db: Db, school_id: number, now: Date, which: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct i.user_id::text as user_id
    from identity_now_v i
    join role_v r on r.school_id = ${school_id} and r.role_id = i.role_id
    join live_person l on l.school_id = ${school_id} and l.user_id = i.user_id
    where i.school_id = ${school_id} and i.valid_from <= ${now} and (i.valid_to is null or i.valid_to > ${now}) and ${which} order by 1 limit 20`.execute(db)
  return rows.map(row => row.user_id)
}

/** Who holds a duty in the departments of the persons, or in the next one above that has somebody. */
async function dutyHolders(db: Db, { school_id, on, duty, dept_ids }: { school_id: number; on: string; duty: string; dept_ids: readonly string[] }): Promise<string[]> {
  const { rows } = await sql<{ of_dept: string; user_id: string; depth: number }>`
    select d.id::text as of_dept, y.user_id::text as user_id, length(u.node_path) as depth
    from dept_now d
    join dept_now u on u.school_id = ${school_id} and starts_with(d.node_path, u.node_path)
    join duty_span y on y.school_id = ${school_id} and y.dept_id = u.id and y.duty = ${duty} and y.valid_from <= ${on}::date and (y.valid_to is null or y.valid_to > ${on}::date)
    join live_staff s on s.school_id = ${school_id} and s.user_id = y.user_id
    where d.school_id = ${school_id} and d.id = any(${[...new Set(dept_ids)]}::bigint[])`.execute(db)
  return [...Map.groupBy(rows, row => row.of_dept).values()].flatMap(of_dept => {
    const nearest = Math.max(...of_dept.map(row => row.depth))
    return of_dept.filter(row => row.depth === nearest).map(row => row.user_id)
  })
}
