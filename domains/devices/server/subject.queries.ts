import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'

const Person = z.object({ user_id: z.string(), person_kind: z.number().int(), user_no: z.string(), user_name: z.string(), dept_name: z.string().nullable(), live: z.literal(true) })

/** People who are here today as devices know them; of somebody with two roles the first: pupil, staff, parent. */
export async function readPeople(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<z.output<typeof Person>[]> {
  if (user_ids.length === 0) return []
  const { rows } = await sql`
    select distinct on (p.user_id) p.user_id::text, p.person_kind::int, p.user_no, p.user_name, d.dept_name, true as live
    from live_person p left join dept_now d on d.school_id = p.school_id and d.id = p.label_dept_id
    where p.school_id = ${school_id} and p.user_id = any(${[...user_ids]}::bigint[])
    order by p.user_id, p.person_kind`.execute(db)
  return z.array(Person).parse(rows)
}

/** Makes people known to devices who are not yet: whoever gets a card or a right there. @returns who was not */
export async function ensureSubjects(db: QueryExecutorProvider, school_id: number, user_ids: readonly string[]): Promise<string[]> {
  const unknown = await sql<{ user_id: string }>`
    select u.user_id::text as user_id from unnest(${[...user_ids]}::bigint[]) u(user_id) where not exists (select from subject s where s.school_id = ${school_id} and s.user_id = u.user_id)`.execute(db)
  if (unknown.rows.length === 0) return []
  const { rows } = await sql<{ user_id: string }>`
    insert into subject (school_id, user_id, person_kind, user_no, user_name, dept_name, live)
    select distinct on (p.user_id) p.school_id, p.user_id, p.person_kind, p.user_no, p.user_name, d.dept_name, true
    from live_person p left join dept_now d on d.school_id = p.school_id and d.id = p.label_dept_id
    where p.school_id = ${school_id} and p.user_id = any(${unknown.rows.map(row => row.user_id)}::bigint[])
    order by p.user_id, p.person_kind
    on conflict do nothing
    returning user_id::text as user_id`.execute(db)
  return rows.map(row => row.user_id)
}
