import { sql } from 'kysely'
import type { Work } from './school-work.ts'

/** Somebody who pays by an account, and who pays for him. */
export type Payee = { user_id: string; payer_user_id: string; mobile: string }

/**
 * Pupils in class with a first contact who has a mobile, by number, and staff with a mobile. Read table by table: the planner knows nothing yet of
 * tables that are just being filled, and would join them row by row.
 */
export async function payeesOf({ db, school_id, today }: Work): Promise<{ pupils: Payee[]; staff: Payee[] }> {
  const ask = async <R>(query: ReturnType<typeof sql>): Promise<R[]> => (await sql<R>`${query}`.execute(db)).rows
  const here = await ask<{ user_id: string }>(sql`select user_id from student_span where school_id = ${school_id} and state = '01' and valid_from <= ${today}::date and (valid_to is null or valid_to > ${today}::date)`)
  const numbers = await ask<{ user_id: string }>(sql`select user_id from student where school_id = ${school_id} order by student_no`)
  const firsts = await ask<{ user_id: string; payer: string }>(sql`select student_user_id as user_id, parent_user_id as payer from guardian_link where school_id = ${school_id} and is_first and valid_to is null`)
  const mobiles = await ask<{ user_id: string; mobile: string }>(sql`select user_id, mobile from person where school_id = ${school_id} and mobile is not null`)
  const working = await ask<{ user_id: string }>(sql`select user_id from staff_span where school_id = ${school_id} and valid_to is null`)
  const posts = await ask<{ user_id: string }>(sql`select user_id from staff where school_id = ${school_id} order by teacher_no`)
  const mobile_of = new Map(mobiles.map(row => [row.user_id, row.mobile]))
  const payer_of = new Map(firsts.map(row => [row.user_id, row.payer]))
  const payee = (user_id: string, payer_user_id: string | undefined): Payee[] => {
    const mobile = payer_user_id === undefined ? undefined : mobile_of.get(payer_user_id)
    return payer_user_id === undefined || mobile === undefined ? [] : [{ user_id, payer_user_id, mobile }]
  }
  const [in_class, at_work] = [new Set(here.map(row => row.user_id)), new Set(working.map(row => row.user_id))]
  return {
    pupils: numbers.filter(row => in_class.has(row.user_id)).flatMap(row => payee(row.user_id, payer_of.get(row.user_id))),
    staff: posts.filter(row => at_work.has(row.user_id)).flatMap(row => payee(row.user_id, row.user_id)),
  }
}
