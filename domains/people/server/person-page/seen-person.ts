import type { Facet, PersonFacet } from '@campus/people/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Me } from '@kit/server/http'
import { sql } from 'kysely'
import { validOn } from '../dated.ts'
import { addDays, schoolDay } from '../day.ts'
import type { Db } from '../db.ts'
import { labelsOn } from '../dept.service.ts'
import { visibleDepts } from '../scope.ts'
import type { DeptScope } from '../scope.ts'
import { wardOf } from '../student-file.queries.ts'

/** Who looks, in a transaction of his school. */
export type PersonDesk = { db: Db; school_id: number; me: Me; now: Date }
export type SeenPerson = { user_id: string; user_name: string; photo_file_key: string | null; facets: Facet[] }

const view_codes = { student: 'people.student.view', staff: 'people.staff.view', parent: 'people.parent.view' } as const satisfies Record<PersonFacet, string>
const departed_code = 'people.quit.view'
const trees = { student: 'student', staff: 'staff' } as const

type Span = { user_no: string; state: string; state_until: string | null; left_on: string | null; dept_id: string | null; depts: string[] }

/**
 * The person with those facets that the reader may see: each by the code of its kind and by row scope, departed ones by their last department and the
 * code of the departed. The leading facet stands first: those that hold before those that ended.
 * @throws Refusal 404 for strangers, merged and purged people, and when no facet may be seen
 */
export async function seenPerson(desk: PersonDesk, user_id: string): Promise<SeenPerson> {
  const { db, school_id } = desk
  const person = await db.selectFrom('person').select(['user_id', 'user_name', 'photo_file_key']).where('school_id', '=', school_id).where('user_id', '=', user_id).where('status', '=', 'live').executeTakeFirst()
  if (!person) throw fail(commonErrors.notFound)
  const found = [await rollFacet(desk, user_id, 'student'), await rollFacet(desk, user_id, 'staff'), await parentFacet(desk, user_id)].filter(facet => facet !== null)
  if (found.length === 0) throw fail(commonErrors.notFound)
  return { ...person, facets: found.toSorted((a, b) => Number(a.left_on !== null) - Number(b.left_on !== null)) }
}

async function rollFacet(desk: PersonDesk, user_id: string, tree: 'student' | 'staff'): Promise<Facet | null> {
  const today = schoolDay(desk.now)
  const span = await lastSpan(desk, user_id, tree, today)
  if (!span || !desk.me.codes.has(span.left_on === null ? view_codes[tree] : departed_code)) return null
  if (!inside(await visibleDepts(desk, trees[tree], today), span.depts)) return null
  const day = span.left_on === null ? today : addDays(span.left_on, -1)
  const { dept_id, user_no, state, state_until, left_on } = span
  const label = dept_id === null ? null : ((await labelsOn(desk, [dept_id], day)).get(dept_id) ?? null)
  return { facet: tree, user_no, label, state, state_until, left_on }
}

function inside(scope: DeptScope, depts: readonly string[]): boolean {
  return scope === 'all' || depts.some(id => scope.includes(id))
}

/** The span of today, or else the last one with the departments of its last day. */
async function lastSpan({ db, school_id }: PersonDesk, user_id: string, tree: 'student' | 'staff', today: string): Promise<Span | undefined> {
  const number = sql.ref(tree === 'student' ? 's.student_no' : 's.teacher_no')
  const until = tree === 'student' ? sql`t.state_until` : sql`null::date`
  const { rows } = await sql<Span>`
    select x.user_no, x.state, x.state_until, x.left_on, m.dept_id, coalesce(m.depts, '{}') as depts
    from (select ${number} as user_no, t.state, ${until} as state_until, case when t.valid_to <= ${today}::date then t.valid_to end as left_on
      from ${sql.table(`${tree}_span`)} t join ${sql.table(tree)} s on s.school_id = t.school_id and s.user_id = t.user_id
      where t.school_id = ${school_id} and s.school_id = ${school_id} and t.user_id = ${user_id} and t.valid_from <= ${today}::date
      order by t.valid_from desc limit 1) x
    left join lateral (select (array_agg(d.dept_id::text order by d.is_primary desc, d.dept_id))[1] as dept_id, array_agg(d.dept_id::text) as depts
      from dept_member d where d.school_id = ${school_id} and d.user_id = ${user_id} and d.member_kind = ${tree}
        and d.valid_from <= coalesce(x.left_on - 1, ${today}::date) and (d.valid_to is null or d.valid_to > coalesce(x.left_on - 1, ${today}::date))) m on true`.execute(db)
  return rows[0]
}

async function parentFacet(desk: PersonDesk, user_id: string): Promise<Facet | null> {
  const { db, school_id, me, now } = desk
  if (!me.codes.has(view_codes.parent)) return null
  const today = schoolDay(now)
  const scope = await visibleDepts(desk, 'student', today)
  if ((await wardOf(db, { school_id, user_id, scope, today })) === undefined) return null
  return { facet: 'parent', user_no: null, label: null, state: null, state_until: null, left_on: null }
}

/** Pupils of today in these departments: the condition on a column of user ids. */
export function pupilsIn(school_id: number, scope: DeptScope, today: string) {
  return scope === 'all'
    ? sql`select t.user_id from student_span t where t.school_id = ${school_id} and ${validOn('t', today)}`
    : sql`select m.user_id from dept_member m where m.school_id = ${school_id} and m.member_kind = 'student' and ${validOn('m', today)} and m.dept_id = any(${[...scope]}::bigint[])`
}
