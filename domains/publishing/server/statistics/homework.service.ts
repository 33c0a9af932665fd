import { addDays } from '@campus/calendar/contract'
import { homework_kind, homeworkReport, HomeworkRow, most_load_days } from '@campus/publishing/contract'
import type { homeworkApi } from '@campus/publishing/contract'
import { inScope } from '@campus/people/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { readReport } from '@kit/server/report'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { deptsBelow, scopesOf } from '../depts.ts'
import { minutesAllowed } from '../post/homework.ts'
import { units } from '../post/post.queries.ts'
import { sentBetween } from './inform.service.ts'

const day_ms = 86_400_000
const class_type = 4
const instant = z.date().transform(at => at.toISOString())

/** Minutes of homework that are due in each class on each day, against its limit (chapter 60 rule 20). @throws Refusal rangeTooLong, rangeReversed; 404 */
export async function readLoad(
  ctx: PublishingCtx,
  { dept_id, begin_date, end_date }: Input<typeof homeworkApi.load>,
): Promise<Reply<typeof homeworkApi.load>> {
  const { db, school_id } = ctx
  const { student } = await scopesOf(ctx)
  const span = Math.round((Date.parse(end_date) - Date.parse(begin_date)) / day_ms)
  if (span < 0) throw fail(commonErrors.rangeReversed, { errors: [{ field: 'end_date', msg: commonErrors.rangeReversed.msg }] })
  if (span >= most_load_days) throw fail(commonErrors.rangeTooLong, { params: { n: most_load_days } })
  const below = dept_id === undefined ? sql`true` : sql`d.id = any(${await deptsBelow(ctx, [dept_id])}::bigint[])`
  const { rows: classes } = await sql<{ dept_id: string; dept_name: string; grade: string | null; stage: string | null }>`
    select d.id::text as dept_id, d.dept_name, d.grade, d.stage from dept_now d
    where d.school_id = ${school_id} and d.dept_type = ${class_type} and ${inScope('d.id', student)} and ${below} order by d.node_path,
      d.show_order`.execute(
    db,
  )
  const loads = await db
    .selectFrom('publishing_homework_day')
    .select(['dept_id', 'day', 'minutes'])
    .where('school_id', '=', school_id)
    .where('day', '>=', begin_date)
    .where('day', '<=', end_date)
    .execute()
  const found = new Map(loads.map(row => [`${row.dept_id} ${row.day}`, row.minutes]))
  const days = Array.from({ length: span + 1 }, (_, at) => addDays(begin_date, at))
  return {
    days,
    classes: classes.map(({ grade, stage, ...one }) => ({
      ...one,
      limit: minutesAllowed(stage, grade),
      minutes: days.map(day => found.get(`${one.dept_id} ${day}`) ?? 0),
    })),
  }
}

/** How homework was read and handed in, by subject and class. */
export async function reportHomework(
  ctx: PublishingCtx,
  query: Input<typeof homeworkApi.report>,
): Promise<Reply<typeof homeworkApi.report>> {
  const { db, school_id } = ctx
  const parts = [sentBetween(ctx, await scopesOf(ctx), query), sql`p.kind = ${homework_kind}`]
  if (query.subject !== undefined) parts.push(sql`p.subject = ${query.subject}`)
  const names = async (ids: string[]) => {
    const rows =
      ids.length === 0
        ? []
        : await db.selectFrom('dept_now').select(['id', 'dept_name']).where('school_id', '=', school_id).where('id', 'in', ids).execute()
    return new Map(rows.map(row => [row.id, row.dept_name]))
  }
  return readReport(
    db,
    homeworkReport,
    {
      rows: sql`from (${units(school_id, sql.join(parts, sql` and `))}) u join publishing_post q on q.school_id = ${school_id}
        and q.post_id = u.post_id`,
      keys: { subject: sql`q.subject`, row_dept_id: sql`coalesce(u.dept_id, 0)::text` },
      measures: {
        posts: sql`count(distinct u.post_id)`,
        expected: sql`count(*)`,
        read: sql`count(*) filter (where u.read)`,
        submitted: sql`count(*) filter (where u.submitted)`,
        late: sql`count(*) filter (where u.late)`,
      },
      labels: { dept_name: { of: 'row_dept_id', names } },
      order: '-expected',
    },
    query,
  )
}

/** Every homework of every class with what it added to the day; those that went over the limit have their reason. */
export async function listHomework(ctx: PublishingCtx, query: Input<typeof homeworkApi.list>): Promise<Reply<typeof homeworkApi.list>> {
  const { db, school_id, me } = ctx
  const { student } = await scopesOf(ctx)
  const parts = [sql`h.school_id = ${school_id}`, sql`(p.created_by = ${me.user_id} or ${inScope('h.dept_id', student)})`]
  if (query.over !== undefined) parts.push(query.over ? sql`h.over_by > 0` : sql`h.over_by = 0`)
  if (query.keyword !== undefined)
    parts.push(
      sql`(strpos(v.title, ${query.keyword}) > 0 or strpos(d.dept_name, ${query.keyword}) > 0 or strpos(coalesce(a.display_name, ''),
        ${query.keyword}) > 0)`,
    )
  const page = (limit: number, offset: number) =>
    sql<{ total: number }>`
    select h.post_id::text || ' ' || h.dept_id::text as key, h.post_id::text as post_id, v.title, p.subject,
      a.display_name as author_name, d.dept_name, h.day::text as day, h.minutes::int as minutes,
      coalesce(t.minutes, 0)::int as day_minutes, h.over_by::int as over_by, p.override_reason, p.sent_at, (count(*) over ())::int as total
    from publishing_homework_hold h
    join publishing_post p on p.school_id = ${school_id} and p.post_id = h.post_id
    join publishing_post_rev v on v.school_id = ${school_id} and v.post_id = p.post_id and v.rev = p.rev
    join dept_now d on d.school_id = ${school_id} and d.id = h.dept_id
    left join publishing_homework_day t on t.school_id = ${school_id} and t.dept_id = h.dept_id and t.day = h.day
    left join person_label a on a.school_id = ${school_id} and a.user_id = p.created_by
    where ${sql.join(parts, sql` and `)} order by h.day desc, h.post_id desc, h.dept_id limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const list = z
    .array(z.looseObject({ sent_at: instant.nullable() }))
    .parse(rows)
    .map(row => HomeworkRow.parse(row))
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}
