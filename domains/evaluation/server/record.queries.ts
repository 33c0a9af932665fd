import { RecordRow, record_state, revoke_hours } from '@campus/evaluation/contract'
import type { GiveOptions, recordApi } from '@campus/evaluation/contract'
import { mondayOf } from '@campus/calendar/contract'
import { addressOf } from '@campus/files/server'
import { deptScope, inScope } from '@campus/people/server'
import type { DeptScope } from '@campus/people/server'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { EvaluationCtx } from './db.ts'
import { manage_code } from './db.ts'
import { classesOf, ledClasses, requireScopeDept } from './subjects.ts'

const hour_ms = 3_600_000
const { waiting, counts, appealed } = record_state
const approve_code = 'evaluation.star.approve'
const revoke_states: readonly number[] = [waiting, counts, appealed]

/** Who may read negative records of a class: its class teacher, the moral office, and the giver his own (chapter 55 rule 41). */
export async function negativesFor(ctx: EvaluationCtx): Promise<RawBuilder<boolean>> {
  if (ctx.me.codes.has(manage_code)) return sql<boolean>`true`
  const led = await ledClasses(ctx, ctx.me.user_id, ctx.now)
  return sql<boolean>`(r.milli > 0 or r.given_by = ${ctx.me.user_id} or r.dept_id = any(${led}::bigint[]))`
}

/** 德育评价记录, the latest first. @throws Refusal 404 for a class, pupil or type that is not seen */
export async function pageRecords(ctx: EvaluationCtx, query: Input<typeof recordApi.page>): Promise<Reply<typeof recordApi.page>> {
  const { db, school_id } = ctx
  const scope = await deptScope(ctx, 'student')
  const parts = [sql`r.school_id = ${school_id}`, inScope('r.dept_id', scope), await negativesFor(ctx), ...(await asked(ctx, scope, query))]
  const page = (limit: number, offset: number) =>
    sql<{ total: number }>`
    select r.record_id::text as record_id, r.happened_at, r.subject_kind::int as subject_kind, r.subject_id::text as subject_id,
      case when r.subject_kind = 2 then coalesce(d.dept_name, '') else coalesce(p.display_name, '') end as subject_name,
      coalesce(s.student_no, '') as subject_no, r.dept_id::text as dept_id, coalesce(d.dept_name, '已撤销班级') as dept_name,
        r.star_type_id::text as star_type_id, coalesce(u.star_name, '') as dimension, t.star_name, t.icon, t.colour,
      r.milli, r.times::int as times, r.reason, r.file_keys, coalesce(g.display_name, '系统') as giver_name, r.given_by::text as given_by,
        r.source::int as source, r.state::int as state, r.decide_reason, r.batch_no, (count(*) over ())::int as total
    ${fromRecords(school_id)} where ${sql.join(parts, sql` and `)}
      order by r.happened_at desc, r.record_id desc limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  return {
    list: z
      .array(Kept)
      .parse(rows)
      .map(row => shown(ctx, row)),
    total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows),
  }
}

/** Records with their type, class, person and giver. */
export function fromRecords(school_id: number): RawBuilder<unknown> {
  return sql`from star_record r
    join star_type t on t.school_id = ${school_id} and t.star_type_id = r.star_type_id
    left join star_type u on u.school_id = ${school_id} and u.star_type_id = t.superior_id
    left join dept_now d on d.school_id = ${school_id} and d.id = r.dept_id
    left join person_label p on p.school_id = ${school_id} and p.user_id = r.subject_id
    left join live_student s on s.school_id = ${school_id} and s.user_id = r.subject_id
    left join person_label g on g.school_id = ${school_id} and g.user_id = r.given_by`
}

const Kept = RecordRow.omit({ files: true, may_revoke: true, may_approve: true }).extend({
  happened_at: z.date(),
  file_keys: z.array(z.string()),
  given_by: z.string().nullable(),
})

function shown({ app, school_id, me, now }: EvaluationCtx, { file_keys, given_by, happened_at, ...row }: z.output<typeof Kept>): RecordRow {
  const is_recent = now.getTime() - happened_at.getTime() < revoke_hours * hour_ms
  return {
    ...row,
    happened_at: happened_at.toISOString(),
    files: file_keys.map(file_key => addressOf(app, now, { school_id, file_key, visibility: 'school' }, me)),
    may_revoke: revoke_states.includes(row.state) && (me.codes.has(manage_code) || (given_by === me.user_id && is_recent)),
    may_approve: row.state === waiting && me.codes.has(approve_code) && given_by !== me.user_id,
  }
}

async function asked(ctx: EvaluationCtx, scope: DeptScope, query: Input<typeof recordApi.page>): Promise<RawBuilder<unknown>[]> {
  const { db, school_id } = ctx
  const parts: RawBuilder<unknown>[] = []
  if (query.keyword !== undefined)
    parts.push(
      sql`(strpos(coalesce(p.display_name, ''), ${query.keyword}) > 0 or starts_with(coalesce(s.student_no, ''), ${query.keyword})
        or strpos(r.reason, ${query.keyword}) > 0)`,
    )
  if (query.sign !== undefined) parts.push(query.sign === '1' ? sql`r.milli > 0` : sql`r.milli < 0`)
  if (query.state !== undefined) parts.push(sql`r.state = ${Number(query.state)}`)
  if (query.source !== undefined) parts.push(sql`r.source = ${Number(query.source)}`)
  if (query.from !== undefined) parts.push(sql`r.record_date >= ${query.from}::date`)
  if (query.to !== undefined) parts.push(sql`r.record_date <= ${query.to}::date`)
  if (query.dept_id !== undefined) {
    const { node_path } = await requireScopeDept(ctx, scope, query.dept_id)
    parts.push(sql`d.node_path >= ${node_path} and d.node_path < left(${node_path}, -1) || '0'`)
  }
  if (query.star_type_id !== undefined) {
    const type = await db
      .selectFrom('star_type')
      .select('star_type_id')
      .where('school_id', '=', school_id)
      .where('star_type_id', '=', query.star_type_id)
      .executeTakeFirst()
    if (!type) throw fail(commonErrors.notFound)
    parts.push(sql`(r.star_type_id = ${query.star_type_id} or t.superior_id = ${query.star_type_id})`)
  }
  if (query.user_id !== undefined) {
    const person = await db
      .selectFrom('person_label')
      .select('user_id')
      .where('school_id', '=', school_id)
      .where('user_id', '=', query.user_id)
      .executeTakeFirst()
    if (!person) throw fail(commonErrors.notFound)
    parts.push(sql`r.subject_kind = 1 and r.subject_id = ${query.user_id}`)
  }
  return parts
}

/** What the caller may give, how often still this week, and to which classes. */
export async function readOptions(ctx: EvaluationCtx): Promise<GiveOptions> {
  const { db, school_id, me, now } = ctx
  const classes = await classesOf(ctx, await deptScope(ctx, 'student'))
  const { rows } = await sql<GiveOptions['types'][number]>`
    select t.star_type_id::text as id, t.superior_id::text as superior_id, t.star_name, t.icon, t.colour,
      t.subject_kind::int as subject_kind, t.sign::int as sign, t.step, t.times_max::int as times_max, t.evidence::int as evidence,
      case when t.giver_week_quota is null then null else greatest(t.giver_week_quota - coalesce(c.used, 0), 0)::int end as left
    from star_type t
    left join star_count c on c.school_id = ${school_id} and c.count_kind = 1 and c.star_type_id = t.star_type_id
    and c.who_id = ${me.user_id} and c.begin_date = ${mondayOf(schoolDay(now))}::date
    where t.school_id = ${school_id} and t.enabled order by t.superior_id nulls first, t.show_order, t.star_type_id`.execute(db)
  const dimensions = rows.filter(row => row.superior_id === null)
  const indicators = rows.filter(row => dimensions.some(one => one.id === row.superior_id))
  return { classes, dimensions: dimensions.map(({ id, star_name }) => ({ id, star_name })), types: indicators }
}

/** Pupils of a class with how many stars each got today. @throws Refusal 404 */
export async function listPupils(ctx: EvaluationCtx, { dept_id }: Input<typeof recordApi.pupils>): Promise<Reply<typeof recordApi.pupils>> {
  const { db, school_id, now } = ctx
  await requireScopeDept(ctx, await deptScope(ctx, 'student'), dept_id)
  const { rows } = await sql<Reply<typeof recordApi.pupils>['list'][number]>`
    select s.user_id::text as user_id, s.user_name, s.student_no, coalesce(n.today, 0)::int as today from live_student s
    left join (select r.subject_id, count(*) as today from star_record r where r.school_id = ${school_id}
    and r.record_date = ${schoolDay(now)}::date and r.subject_kind = 1 and r.dept_id = ${dept_id} and r.state = 1 and r.milli > 0
    group by r.subject_id) n on n.subject_id = s.user_id
    where s.school_id = ${school_id} and s.dept_id = ${dept_id} order by s.student_no limit 200`.execute(db)
  return { list: rows }
}
