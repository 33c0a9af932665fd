import type { quit_groups } from '@campus/people/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { validOn } from '../dated.ts'
import type { Db } from '../db.ts'
import { inScope } from '../scope.ts'
import type { DeptScope } from '../scope.ts'

export type QuitFilter = {
  school_id: number
  today: string
  /** whose last department the reader may see */
  student: DeptScope
  staff: DeptScope
  kind?: 'student' | 'staff'
  year?: string
  group?: (typeof quit_groups)[number]
  from?: string
  to?: string
  /** conditions on student or staff `s` and person `p` */
  keyword?: { student: RawBuilder<boolean>; staff: RawBuilder<boolean> }
  user_id?: string
}

export type Gone = {
  user_id: string
  kind: number
  dept_id: string | null
  close_kind: string
  to_where: string | null
  reason: string | null
  left_on: string
  command_id: string | null
  user_name: string
  user_no: string
  sex: string
  enrol_month: string | null
  is_purged: boolean
}

const graduated = 'GRAD'
const moved_away = ['OUT', 'ABROAD', '调出']

/** Everybody whose last span is over: pupils and staff, in one list. */
function gone(filter: QuitFilter): RawBuilder<unknown> {
  const { school_id, kind } = filter
  const parts = [...(kind === 'staff' ? [] : [facet(filter, 'student')]), ...(kind === 'student' ? [] : [facet(filter, 'staff')])]
  return sql`select x.* from (${sql.join(parts, sql` union all `)}) x where true
    and ${filter.year === undefined ? sql`true` : sql`x.left_on >= ${`${filter.year}-01-01`}::date and x.left_on <= ${`${filter.year}-12-31`}::date`}
    and ${filter.from === undefined ? sql`true` : sql`x.left_on >= ${filter.from}::date`} and ${filter.to === undefined ? sql`true` : sql`x.left_on <= ${filter.to}::date`}
    and ${filter.group === undefined ? sql`true` : sql`${groupOf()} = ${filter.group}`}
    and ${filter.user_id === undefined ? sql`true` : sql`x.user_id = ${filter.user_id}`} and ${school_id}::int is not null`
}

function facet({ school_id, today, student, staff, keyword }: QuitFilter, which: 'student' | 'staff'): RawBuilder<unknown> {
  const no = which === 'student' ? sql`s.student_no` : sql`s.teacher_no`
  const since = which === 'student' ? sql`s.enrol_month` : sql`s.join_month`
  const scope = which === 'student' ? student : staff
  return sql`
    select t.user_id, ${which === 'student' ? 1 : 2}::int as kind, m.dept_id, coalesce(t.close_kind, '') as close_kind, t.to_where, t.reason, t.valid_to as left_on, t.command_id,
      p.user_name, ${no}::text as user_no, p.sex, ${since}::text as enrol_month, p.status = 'purged' as is_purged
    from ${sql.table(`${which}_span`)} t
    join person p on p.school_id = t.school_id and p.user_id = t.user_id and p.status <> 'merged'
    join ${sql.table(which)} s on s.school_id = t.school_id and s.user_id = t.user_id
    left join lateral (
      select d.dept_id from dept_member d
      where d.school_id = ${school_id} and d.user_id = t.user_id and d.member_kind = ${which} and d.valid_from < t.valid_to
      order by d.valid_from desc, d.is_primary desc, d.dept_id limit 1) m on true
    where t.school_id = ${school_id} and p.school_id = ${school_id} and s.school_id = ${school_id} and t.valid_to <= ${today}::date
      and not exists (select from ${sql.table(`${which}_span`)} o where o.school_id = ${school_id} and o.user_id = t.user_id and o.valid_from >= t.valid_to)
      and ${keyword === undefined ? sql`true` : keyword[which]} and ${inScope('m.dept_id', scope)}`
}

function groupOf(): RawBuilder<unknown> {
  return sql`case when x.close_kind = ${graduated} then 'grad' when x.close_kind = any(${moved_away}::text[]) or x.reason = any(${moved_away}::text[]) then 'out' else 'other' end`
}

/** One page of those who left, the latest first, and how many there are. */
export async function pageGone(db: Db, filter: QuitFilter, { page_index, page_size }: { page_index: number; page_size: number }): Promise<{ rows: Gone[]; total: number }> {
  const read = async (limit: number, offset: number) => (await sql<Gone & { total: number }>`
    select g.*, count(*) over ()::int as total from (${gone(filter)}) g order by g.left_on desc, g.kind, g.user_id limit ${limit} offset ${offset}`.execute(db)).rows
  const rows = await read(page_size, (page_index - 1) * page_size)
  return { rows, total: await pageTotal(rows, page_index, () => read(1, 0)) }
}

/** How many left in each calendar year, by the way they left. */
export async function goneByYear(db: Db, filter: QuitFilter): Promise<{ year: string; kind: string; n: number }[]> {
  const { rows } = await sql<{ year: string; kind: string; n: number }>`
    select to_char(x.left_on, 'YYYY') as year, ${groupOf()} as kind, count(*)::int as n from (${gone(filter)}) x group by 1, 2 order by 1`.execute(db)
  return rows
}

/** States of somebody over days. */
export async function spansOf(db: Db, school_id: number, user_id: string, which: 'student' | 'staff', today: string) {
  const { rows } = await sql<{ state: string; from: string; to: string | null; open_kind: string; close_kind: string | null }>`
    select t.state, t.valid_from as "from", case when ${validOn('t', today)} then null else t.valid_to end as "to", t.open_kind, t.close_kind from ${sql.table(`${which}_span`)} t
    where t.school_id = ${school_id} and t.user_id = ${user_id} order by t.valid_from`.execute(db)
  return rows
}
