import { inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db } from './db.ts'
import type { Scopes } from './people.ts'

export type ListFilter = {
  school_id: number; kind: number; scopes: Scopes; dept_id?: string | undefined; include_sub?: boolean | undefined
  /** path of the department when one is asked for */
  path: string | undefined
  keyword?: string | undefined
  /** the card that the keyword names, if it is a number of a card */
  uid_hex: string | null
  state?: string | undefined; card_type?: string | undefined; has_card?: boolean | undefined; valid_before?: string | undefined
}
type Row = { user_id: string; user_name: string; user_no: string; dept_id: string | null; dept_name: string | null }

const [pupils, staff] = [1, 2] as const
const no_card = '0'

/** People of a kind who pass the filter, as `p` (user_id, user_name, user_no, dept_id, dept_name, sort). */
function people(filter: ListFilter): RawBuilder<unknown> {
  const { school_id, kind, scopes } = filter
  if (kind === pupils) {
    return sql`select s.user_id, s.user_name, s.student_no as user_no, s.dept_id, s.dept_name, s.grade || s.dept_name as sort
      from live_student s where s.school_id = ${school_id} and ${inScope('s.dept_id', scopes.student)} and ${inDept(filter, 's.dept_id')}`
  }
  if (kind === staff) {
    return sql`select s.user_id, s.user_name, s.teacher_no as user_no, s.primary_dept_id as dept_id, d.dept_name, coalesce(d.node_path, '') as sort
      from live_staff s left join dept_now d on d.school_id = ${school_id} and d.id = s.primary_dept_id
      where s.school_id = ${school_id} and ${inScope('s.primary_dept_id', scopes.staff)} and ${inDept(filter, 's.primary_dept_id')}`
  }
  const children = sql`select g.parent_user_id from guardian_span g join live_student s on s.school_id = ${school_id} and s.user_id = g.student_user_id
    where g.school_id = ${school_id} and g.valid_to is null and ${inScope('s.dept_id', scopes.student)} and ${inDept(filter, 's.dept_id')}`
  const any_child = scopes.student === 'all' && filter.path === undefined
  return sql`select l.user_id, l.user_name, coalesce('****' || right(l.mobile, 4), '') as user_no, null::bigint as dept_id, null::text as dept_name, '' as sort
    from live_parent l where l.school_id = ${school_id} and ${any_child ? sql`true` : sql`l.user_id in (${children})`}`
}

function inDept({ school_id, dept_id, path, include_sub }: ListFilter, column: string): RawBuilder<boolean> {
  if (dept_id === undefined || path === undefined) return sql<boolean>`true`
  if (include_sub === false) return sql<boolean>`${sql.ref(column)} = ${dept_id}`
  return sql<boolean>`${sql.ref(column)} in (select d.id from dept_now d where d.school_id = ${school_id} and d.node_path >= ${path} and d.node_path < left(${path}, -1) || '0')`
}

function holding(school_id: number, more: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select h.user_id from card_holding h join card c on c.school_id = ${school_id} and c.card_id = h.card_id
    where h.school_id = ${school_id} and h.ended_at is null and ${more}`
}

function conditions({ school_id, keyword, uid_hex, state, card_type, has_card, valid_before }: ListFilter): RawBuilder<unknown> {
  const all: RawBuilder<unknown>[] = [sql`true`]
  if (keyword !== undefined) {
    const by_card = uid_hex === null ? sql`c.card_no = ${keyword} or c.print_no = ${keyword}` : sql`c.uid_hex = ${uid_hex} or c.print_no = ${keyword}`
    all.push(sql`(strpos(p.user_name, ${keyword}) > 0 or starts_with(p.user_no, ${keyword}) or p.user_id in (${holding(school_id, sql`(${by_card})`)}))`)
  }
  const nobody = sql`p.user_id not in (${holding(school_id, sql`h.slot = 0`)})`
  if (state === no_card) all.push(nobody)
  else if (state !== undefined) all.push(sql`p.user_id in (${holding(school_id, sql`h.state = ${Number(state)}`)})`)
  if (card_type !== undefined) all.push(sql`p.user_id in (${holding(school_id, sql`c.card_type = ${card_type}`)})`)
  if (has_card !== undefined) all.push(has_card ? sql`p.user_id in (${holding(school_id, sql`true`)})` : nobody)
  if (valid_before !== undefined) all.push(sql`p.user_id in (${holding(school_id, sql`h.valid_to < ${valid_before}::date`)})`)
  return sql.join(all, sql` and `)
}

/** One page of people by class, then number. */
export async function pageCardPeople(db: Db, filter: ListFilter, { limit, offset }: { limit: number; offset: number }): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select p.user_id::text as user_id, p.user_name, p.user_no, p.dept_id::text as dept_id, p.dept_name
    from (${people(filter)}) p where ${conditions(filter)} order by p.sort, p.user_no, p.user_id limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** How many pass the filter. */
export async function countCardPeople(db: Db, filter: ListFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from (${people(filter)}) p where ${conditions(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The children of parents as far as they may be seen: 张三（一年级1班）、… */
export async function childrenNames(db: Db, school_id: number, parent_ids: readonly string[], scope: DeptScope): Promise<Map<string, string>> {
  const { rows } = await sql<{ parent_user_id: string; names: string }>`
    select g.parent_user_id::text as parent_user_id, string_agg(s.user_name || '（' || s.dept_name || '）', '、' order by s.student_no) as names
    from guardian_span g join live_student s on s.school_id = ${school_id} and s.user_id = g.student_user_id
    where g.school_id = ${school_id} and g.valid_to is null and g.parent_user_id = any(${[...parent_ids]}::bigint[]) and ${inScope('s.dept_id', scope)}
    group by g.parent_user_id`.execute(db)
  return new Map(rows.map(row => [row.parent_user_id, row.names]))
}
