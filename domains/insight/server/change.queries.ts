import { inScope } from '@campus/people/server'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import type { Asked } from './roll.queries.ts'

/** What happens to a pupil on a day, seen from the dated views: no command is needed to have happened. */
export type ChangeKind = 'enrolled' | 'moved' | 'left'
/** First and last day that count; `to` null = every later day. */
export type Window = { from: string; to: string | null }
export type ChangeRow = { user_id: string; user_name: string; at: string; from_dept_id: string | null; to_dept_id: string | null }

/** How many changes of a kind fall into the window. */
export async function countChanges(db: Db, kind: ChangeKind, asked: Asked, window: Window): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${changes[kind](asked, window)}) x`.execute(db)
  return rows[0]?.total ?? 0
}

/** One page of the changes, the latest first. */
export async function pageChanges(db: Db, kind: ChangeKind, asked: Asked, window: Window, page: { limit: number; offset: number }): Promise<ChangeRow[]> {
  const { rows } = await sql<ChangeRow>`
    select x.user_id, l.display_name as user_name, x.at, x.from_dept_id, x.to_dept_id
    from (${changes[kind](asked, window)}) x
    join person_label l on l.school_id = ${asked.school_id} and l.user_id = x.user_id
    order by x.at desc, l.display_name, x.user_id limit ${page.limit} offset ${page.offset}`.execute(db)
  return rows
}

const changes: Record<ChangeKind, (asked: Asked, window: Window) => RawBuilder<unknown>> = {
  // A span on the roll that no other span leads to: who comes back from 休学 is not new.
  enrolled: ({ school_id, scope }, window) => sql`
    select s.user_id, s.valid_from as at, null::bigint as from_dept_id, m.dept_id as to_dept_id
    from student_state_span s
    left join student_membership m on m.school_id = s.school_id and m.user_id = s.user_id
      and m.valid_from <= s.valid_from and (m.valid_to is null or m.valid_to > s.valid_from)
    where s.school_id = ${school_id} and ${within('s.valid_from', window)} and ${inScope('m.dept_id', scope)}
      and not exists (select from student_state_span b where b.school_id = ${school_id} and b.user_id = s.user_id and b.valid_to = s.valid_from)`,

  moved: ({ school_id, scope }, window) => sql`
    select b.user_id, b.valid_from as at, a.dept_id as from_dept_id, b.dept_id as to_dept_id
    from student_membership b
    join student_membership a on a.school_id = b.school_id and a.user_id = b.user_id and a.valid_to = b.valid_from and a.dept_id <> b.dept_id
    where b.school_id = ${school_id} and ${within('b.valid_from', window)} and (${inScope('a.dept_id', scope)} or ${inScope('b.dept_id', scope)})`,

  // The first day on which nobody of that name is on the roll any more.
  left: ({ school_id, scope }, window) => sql`
    select s.user_id, s.valid_to as at, m.dept_id as from_dept_id, null::bigint as to_dept_id
    from student_state_span s
    left join student_membership m on m.school_id = s.school_id and m.user_id = s.user_id
      and m.valid_from < s.valid_to and (m.valid_to is null or m.valid_to >= s.valid_to)
    where s.school_id = ${school_id} and ${within('s.valid_to', window)} and ${inScope('m.dept_id', scope)}
      and not exists (select from student_state_span a where a.school_id = ${school_id} and a.user_id = s.user_id and a.valid_from = s.valid_to)`,
}

function within(column: string, { from, to }: Window): RawBuilder<boolean> {
  const day = sql.ref(column)
  return to === null ? sql<boolean>`${day} >= ${from}::date` : sql<boolean>`(${day} >= ${from}::date and ${day} <= ${to}::date)`
}
