import type { GraduateDept, upgradeRunApi } from '@campus/people/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import { schoolDay } from '../day.ts'
import type { PeopleCtx } from '../db.ts'
import { deptLabel } from '../dept.label.ts'
import { nameFormat } from '../dept.queries.ts'
import { deptScope } from '../scope.ts'

type Row = {
  id: string; dept_type: number; dept_name: string; grade: string | null; stage: string | null; enrol_year: number | null; closed_on: string; pt_node_path_name: string
  grade_name: string | null; students: number; graduated: number; total: number
}

/** Classes that are gone, the latest first, with how many pupils they had and where those went (chapter 20 rule 9). */
export async function listGraduateDepts(ctx: PeopleCtx, query: Input<typeof upgradeRunApi.graduates>): Promise<Reply<typeof upgradeRunApi.graduates>> {
  const { db, school_id, me } = ctx
  const scope = await deptScope(ctx, 'student')
  const { page_index, page_size, enrol_year, stage } = query
  const seen = scope === 'all' ? sql`true` : oneOf('d.id', scope)
  const read = async (limit: number, offset: number) => (await sql<Row>`
    select d.id, d.dept_type, v.dept_name, v.grade, d.stage, d.enrol_year, d.closed_on, v.pt_node_path_name,
      (select p.dept_name from dept_version p where p.school_id = ${school_id} and p.dept_id = v.parent_id and p.valid_from < d.closed_on
        and (p.valid_to is null or p.valid_to >= d.closed_on) limit 1) as grade_name,
      (select count(*)::int from dept_member m where m.school_id = ${school_id} and m.dept_id = d.id and m.member_kind = 'student' and m.valid_from < d.closed_on
        and (m.valid_to is null or m.valid_to >= d.closed_on)) as students,
      (select count(*)::int from dept_member m join student_span t on t.school_id = m.school_id and t.user_id = m.user_id
        where m.school_id = ${school_id} and t.school_id = ${school_id} and m.dept_id = d.id and m.valid_to = d.closed_on and t.valid_to = d.closed_on and t.close_kind = 'GRAD') as graduated,
      count(*) over ()::int as total
    from dept d join dept_version v on v.school_id = d.school_id and v.dept_id = d.id and v.valid_to = d.closed_on
    where d.school_id = ${school_id} and v.school_id = ${school_id} and d.dept_type = 4 and d.closed_on <= ${schoolDay(ctx.now)}::date and ${seen}
      and ${enrol_year === undefined ? sql`true` : sql`d.enrol_year = ${enrol_year}`} and ${stage === undefined ? sql`true` : sql`d.stage = ${stage}`}
    order by d.closed_on desc, d.enrol_year desc, d.class_no, d.id limit ${limit} offset ${offset}`.execute(db)).rows
  const rows = await read(page_size, (page_index - 1) * page_size)
  const places = await placesOf(ctx, rows.map(row => row.id))
  const format = await nameFormat(db, school_id)
  const list = rows.map(({ id, grade_name, stage: of_stage, enrol_year: year, closed_on, students, graduated, ...named }): GraduateDept => {
    const label = deptLabel({ ...named, enrol_year: year, is_closed: true }, format, me.dept_is_exact)
    return { id, label, grade_name, stage: of_stage, enrol_year: year, closed_on, students, graduated, to_where: places.get(id) ?? [] }
  })
  return { list, total: await pageTotal(rows, page_index, () => read(1, 0)) }
}

/** Where the graduates of these classes went, as far as it is known. */
async function placesOf({ db, school_id }: PeopleCtx, dept_ids: readonly string[]): Promise<Map<string, GraduateDept['to_where']>> {
  const { rows } = await sql<{ dept_id: string; to_where: string; count: number }>`
    select m.dept_id, t.to_where, count(*)::int as count
    from dept_member m join student_span t on t.school_id = m.school_id and t.user_id = m.user_id and t.valid_to = m.valid_to
    where m.school_id = ${school_id} and t.school_id = ${school_id} and ${oneOf('m.dept_id', dept_ids)} and t.close_kind = 'GRAD' and t.to_where is not null
    group by m.dept_id, t.to_where order by count(*) desc, t.to_where`.execute(db)
  return new Map([...Map.groupBy(rows, row => row.dept_id)].map(([dept_id, own]) => [dept_id, own.map(({ to_where, count }) => ({ to_where, count }))]))
}
