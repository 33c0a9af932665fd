import { informReport, NOTICE_KIND, post_state } from '@campus/publishing/contract'
import type { informApi, InformGroup } from '@campus/publishing/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { readReport } from '@kit/server/report'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PublishingCtx } from '../db.ts'
import { scopesOf } from '../depts.ts'
import type { Scopes } from '../depts.ts'
import { units } from '../post/post.queries.ts'

const { sent, expired } = post_state
const day_ms = 86_400_000
const kind_names: Readonly<Record<string, string>> = NOTICE_KIND.names
type Names = (ids: string[]) => Promise<ReadonlyMap<string, string>>

/** Recipients (`r`) of posts (`p`) sent between two days: everything of one's own posts, of others one's own classes alone (chapter 60 rule 6). */
export function sentBetween(
  ctx: PublishingCtx,
  { student, staff }: Scopes,
  { from, to }: { from: string; to: string },
): RawBuilder<unknown> {
  const [begin, end] = [new Date(`${from}T00:00:00+08:00`), new Date(Date.parse(`${to}T00:00:00+08:00`) + day_ms)]
  if (Number.isNaN(begin.getTime()) || Number.isNaN(end.getTime()))
    throw fail(commonErrors.malformed, { errors: [{ field: 'from', msg: '请选择日期' }] })
  const slice = (scene: number, scope: Scopes['student']) =>
    scope === 'all' ? sql`p.scene = ${scene}` : sql`(p.scene = ${scene} and r.dept_id = any(${[...scope]}::bigint[]))`
  return sql`p.school_id = ${ctx.school_id} and p.state in (${sent}, ${expired}) and p.sent_at >= ${begin}::timestamptz and p.sent_at < ${end}::timestamptz
    and r.sent_month = p.sent_month and (p.created_by = ${ctx.me.user_id} or ${slice(1, student)} or ${slice(2, staff)})`
}

/** 通知统计, grouped as it is asked for. */
export async function reportNotices(ctx: PublishingCtx, query: Input<typeof informApi.notice>): Promise<Reply<typeof informApi.notice>> {
  const { db, school_id } = ctx
  const parts = [sentBetween(ctx, await scopesOf(ctx), query), sql`p.kind <> '6'`]
  if (query.scene !== undefined) parts.push(sql`p.scene = ${Number(query.scene)}`)
  if (query.kind !== undefined) parts.push(sql`p.kind = ${query.kind}`)
  const by = groupOf(query.by)
  const rows = sql`from (${units(school_id, sql.join(parts, sql` and `))}) u join publishing_post q on q.school_id = ${school_id}
    and q.post_id = u.post_id`
  return readReport(
    db,
    informReport,
    {
      rows,
      keys: { group_id: keys[by] },
      measures: {
        posts: sql`count(distinct u.post_id)`,
        expected: sql`count(*)`,
        read: sql`count(*) filter (where u.read)`,
        submitted: sql`count(*) filter (where u.submitted)`,
        unreachable: sql`count(*) filter (where u.unreachable)`,
        median: sql`round((percentile_cont(0.5) within group (order by extract(epoch
          from u.read_at - q.sent_at) / 60) filter (where u.read))::numeric)`,
      },
      labels: { group_name: { of: 'group_id', names: namesOf(ctx, by) } },
      order: by === 'week' ? 'group_id' : '-expected',
    },
    query,
  )
}

/** The group of a query; by week without one. */
function groupOf(by: string | undefined): InformGroup {
  return by === 'kind' || by === 'author' || by === 'dept' ? by : 'week'
}

const keys: Readonly<Record<InformGroup, RawBuilder<unknown>>> = {
  week: sql`date_trunc('week', q.sent_at at time zone 'Asia/Shanghai')::date::text`,
  kind: sql`q.kind`,
  author: sql`q.created_by::text`,
  dept: sql`coalesce(u.dept_id, 0)::text`,
}

function namesOf({ db, school_id }: PublishingCtx, by: InformGroup): Names {
  if (by === 'week') return ids => Promise.resolve(new Map(ids.map(day => [day, `${day} 起的一周`])))
  if (by === 'kind') return ids => Promise.resolve(new Map(ids.map(kind => [kind, kind_names[kind] ?? kind])))
  return async ids => {
    const found =
      by === 'author'
        ? sql<{
            id: string
            name: string
          }>`select a.user_id::text as id, a.display_name as name from person_label a where a.school_id = ${school_id} and a.user_id = any(${ids}::bigint[])`
        : sql<{
            id: string
            name: string
          }>`select d.id::text as id, d.dept_name as name from dept_now d where d.school_id = ${school_id} and d.id = any(${ids}::bigint[])`
    const { rows } = await found.execute(db)
    return new Map([{ id: '0', name: '未分班级' }, ...rows].map(row => [row.id, row.name]))
  }
}
