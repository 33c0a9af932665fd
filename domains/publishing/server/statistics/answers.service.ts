import type { checkinApi, checkinReport } from '@campus/publishing/contract'
import type { Input, Reply } from '@kit/contract'
import { readReport } from '@kit/server/report'
import { sql } from 'kysely'
import type { PublishingCtx } from '../db.ts'
import { scopesOf } from '../depts.ts'
import { listPosts, units } from '../post/post.queries.ts'
import { sentBetween } from './inform.service.ts'

type ReportQuery = Input<typeof checkinApi.report>
type Read = (ctx: PublishingCtx, query: ReportQuery) => Promise<Reply<typeof checkinApi.report>>

/** The posts of one kind, with the figures that the acting identity may see. */
export function listOf(
  ctx: PublishingCtx,
  kind: Input<typeof checkinApi.list>['kind'],
  query: Input<typeof checkinApi.list>,
): Promise<Reply<typeof checkinApi.list>> {
  return listPosts(ctx, { noun: 'publishing.notice', has: one => one === kind }, { ...query, kind })
}

/** How the posts of one kind were read and answered, by post and class. */
export function reportOf(kind: string, of: typeof checkinReport): Read {
  return async (ctx, query) => {
    const { db, school_id } = ctx
    const parts = [sentBetween(ctx, await scopesOf(ctx), query), sql`p.kind = ${kind}`]
    if (query.scene !== undefined) parts.push(sql`p.scene = ${Number(query.scene)}`)
    const rows = sql`from (${units(school_id, sql.join(parts, sql` and `))}) u`
    return readReport(
      db,
      of,
      {
        rows,
        keys: { post_id: sql`u.post_id::text`, row_dept_id: sql`coalesce(u.dept_id, 0)::text` },
        measures: {
          posts: sql`count(distinct u.post_id)`,
          expected: sql`count(*)`,
          read: sql`count(*) filter (where u.read)`,
          submitted: sql`count(*) filter (where u.submitted)`,
          late: sql`count(*) filter (where u.late)`,
        },
        labels: {
          title: { of: 'post_id', names: ids => titlesOf(ctx, ids) },
          dept_name: { of: 'row_dept_id', names: ids => deptNames(ctx, ids) },
        },
        order: '-post_id',
      },
      query,
    )
  }
}

async function titlesOf({ db, school_id }: PublishingCtx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; title: string }>`
    select p.post_id::text as id, v.title from publishing_post p
    join publishing_post_rev v on v.school_id = ${school_id} and v.post_id = p.post_id and v.rev = p.rev
    where p.school_id = ${school_id} and p.post_id = any(${ids}::bigint[])`.execute(db)
  return new Map(rows.map(row => [row.id, row.title]))
}

async function deptNames({ db, school_id }: PublishingCtx, ids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select d.id::text as id, d.dept_name as name from dept_now d
    where d.school_id = ${school_id} and d.id = any(${ids}::bigint[])`.execute(db)
  return new Map([{ id: '0', name: '未分班级' }, ...rows].map(row => [row.id, row.name]))
}
