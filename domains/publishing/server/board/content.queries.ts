import { content_state, ContentRow, delivery, DeliveryRow, fault_texts } from '@campus/publishing/contract'
import type { contentApi } from '@campus/publishing/contract'
import { addDays } from '@campus/calendar/contract'
import { addressOf } from '@campus/files/server'
import { inPlaces, placeScope } from '@campus/places/server'
import { startOf } from '@campus/publishing/contract'
import type { Input, Reply } from '@kit/contract'
import { pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { requireContent } from './content.service.ts'
import { Files } from './facts.ts'

const instant = z.date().transform(at => at.toISOString())
const hour_ms = 3_600_000
const Raw = z.array(z.looseObject({ files: Files, valid_from: instant, valid_to: instant.nullable() }))

/** Contents that reach a board of these places, or that the caller has made. */
async function mayBeSeen(ctx: PublishingCtx): Promise<RawBuilder<boolean>> {
  const scope = await placeScope(ctx)
  if (scope === 'all') return sql<boolean>`true`
  return sql<boolean>`(c.created_by = ${ctx.me.user_id} or exists (select 1 from publishing_delivery d join device_live_v v on v.school_id = ${ctx.school_id} and v.device_id = d.device_id join place_live_v p on p.school_id = ${ctx.school_id} and p.place_id = v.place_id
    where d.school_id = ${ctx.school_id} and d.content_id = c.content_id and ${inPlaces('p.node_path', scope)}))`
}

/** One page of contents, the newest first; how far each has come is counted from what boards have said. */
export async function listContents(ctx: PublishingCtx, query: Input<typeof contentApi.list>): Promise<Reply<typeof contentApi.list>> {
  const { app, db, school_id, now, me } = ctx
  const over = sql`(c.state = ${content_state.live} and c.valid_to is not null and c.valid_to <= ${now})`
  const parts = [sql`c.school_id = ${school_id}`, await mayBeSeen(ctx)]
  if (query.keyword !== undefined) parts.push(sql`strpos(c.title, ${query.keyword}) > 0`)
  if (query.source_kind !== undefined) parts.push(sql`c.source_kind = ${Number(query.source_kind)}`)
  if (query.state !== undefined) parts.push(sql`case when ${over} then ${content_state.over} else c.state end = ${Number(query.state)}`)
  const page = (limit: number, offset: number) =>
    sql<{ id: string; total: number }>`
    select c.content_id::text as id, c.title, c.source_kind::int as source_kind, c.source_id::text as source_id, c.text, c.files, c.zone, c.rule_id::text as rule_id, r.name as rule_name, c.priority::int as priority, c.weight::int as weight, c.valid_from, c.valid_to,
      c.offline_ttl_hours::int as offline_ttl_hours, c.urgent, c.resource_id::text as resource_id, case when ${over} then ${content_state.over} else c.state end::int as state, c.take_reason, c.row_version, n.boards, n.playing, n.loading, n.faulty, n.stopping, n.stopped, n.erased, (count(*) over ())::int as total
    from publishing_content c left join publishing_play_rule r on r.school_id = ${school_id} and r.rule_id = c.rule_id
    cross join lateral (select count(*)::int as boards, count(*) filter (where d.state = ${delivery.playing})::int as playing, count(*) filter (where d.state in (${delivery.queued}, ${delivery.loading}, ${delivery.ready}))::int as loading,
      count(*) filter (where d.state in (${delivery.no_space}, ${delivery.fault}))::int as faulty, count(*) filter (where d.state = ${delivery.stopping})::int as stopping, count(*) filter (where d.state = ${delivery.stopped})::int as stopped, count(*) filter (where d.state = ${delivery.erased})::int as erased
      from publishing_delivery d where d.school_id = ${school_id} and d.content_id = c.content_id) n
    where ${sql.join(parts, sql` and `)} order by c.content_id desc limit ${limit} offset ${offset}`.execute(db)
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const targets = await targetNames(
    ctx,
    rows.map(row => row.id),
  )
  const address = (file_key: string) => addressOf(app, now, { school_id, file_key, visibility: 'school' }, me)
  const list = Raw.parse(rows).map(({ total: _total, ...row }) =>
    ContentRow.parse({
      ...row,
      files: row.files.map(file => ({ ...file, url: address(file.file_key) })),
      targets: targets.get(String(row['id'])) ?? [],
    }),
  )
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

type NamedTarget = ContentRow['targets'][number]

/** Where contents go, in words. */
export async function targetNames(
  { db, school_id }: Pick<PublishingCtx, 'db' | 'school_id'>,
  content_ids: readonly string[],
): Promise<Map<string, NamedTarget[]>> {
  const { rows } = await sql<NamedTarget & { content_id: string }>`
    select t.content_id::text as content_id, t.mode::int as mode, t.target::int as target, t.target_id::text as target_id,
      case when t.target = 4 then '全部班牌' else coalesce(p.place_name, d.dept_name, '已撤销') || case when t.target = 2 then '及下级' else '' end end as name
    from publishing_content_target t left join place_live_v p on p.school_id = ${school_id} and t.target in (1, 2) and p.place_id = t.target_id left join dept_now d on d.school_id = ${school_id} and t.target = 3 and d.id = t.target_id
    where t.school_id = ${school_id} and t.content_id = any(${[...content_ids]}::bigint[]) order by t.content_id, t.line_no`.execute(db)
  return new Map(
    [...Map.groupBy(rows, row => row.content_id)].map(([content_id, own]) => [
      content_id,
      own.map(({ content_id: _content_id, ...target }) => target),
    ]),
  )
}

const deliveryFields = (school_id: number, now: Date) => sql`
  d.device_id::text as device_id, v.device_name, p.node_path_name, (v.online or coalesce(b.contact_at > ${new Date(now.getTime() - contact_ms)}, false)) as online, greatest(v.last_seen_at, b.reported_at) as last_contact_at, d.content_id::text as content_id, c.title, d.state::int as state,
  d.bytes_done::float8 as bytes_done, d.bytes_total::float8 as bytes_total, d.fault_code, d.first_played_at, d.last_played_at, d.stop_requested_at, d.stopped_at, d.erased_at, c.offline_ttl_hours::int as offline_ttl_hours, (count(*) over ())::int as total
  from publishing_delivery d join publishing_content c on c.school_id = ${school_id} and c.content_id = d.content_id
  join device_live_v v on v.school_id = ${school_id} and v.device_id = d.device_id
  left join place_live_v p on p.school_id = ${school_id} and p.place_id = v.place_id
  left join publishing_board b on b.school_id = ${school_id} and b.device_id = d.device_id`
/** A player page that has asked within this time is there. */
export const contact_ms = 90_000
const Delivered = z.array(
  z.looseObject({
    online: z.boolean(),
    state: z.number(),
    offline_ttl_hours: z.number(),
    fault_code: z.string().nullable(),
    last_contact_at: instant.nullable(),
    first_played_at: instant.nullable(),
    last_played_at: instant.nullable(),
    stop_requested_at: instant.nullable(),
    stopped_at: instant.nullable(),
    erased_at: instant.nullable(),
  }),
)

/** Deliveries of a content or of a board, what needs somebody first. */
export async function readDeliveries(
  { db, school_id, now }: Pick<PublishingCtx, 'db' | 'school_id' | 'now'>,
  of: RawBuilder<unknown>,
  { page_index, page_size }: { page_index: number; page_size: number },
): Promise<{ list: DeliveryRow[]; total: number }> {
  const page = (limit: number, offset: number) =>
    sql<{ total: number }>`
    select ${deliveryFields(school_id, now)} where d.school_id = ${school_id} and ${of}
    order by case when d.state in (${delivery.fault}, ${delivery.no_space}) then 0 when d.state = ${delivery.stopping} then 1 when d.state = ${delivery.playing} then 3 when d.state >= ${delivery.stopped} then 4 else 2 end, v.device_name, d.device_id, d.content_id limit ${limit} offset ${offset}`.execute(
      db,
    )
  const { rows } = await page(page_size, (page_index - 1) * page_size)
  const list = Delivered.parse(rows).map(({ offline_ttl_hours, fault_code, ...row }) => {
    const may_still_show = !row.online && row.last_contact_at !== null && row.state < delivery.stopped
    return DeliveryRow.parse({
      ...row,
      fault_text: fault_code === null ? null : (fault_texts[fault_code] ?? fault_code),
      lease_until:
        may_still_show && row.last_contact_at !== null
          ? new Date(Date.parse(row.last_contact_at) + offline_ttl_hours * hour_ms).toISOString()
          : null,
    })
  })
  return { list, total: await pageTotal(rows, page_index, async () => (await page(1, 0)).rows) }
}

export async function listDeliveries(
  ctx: PublishingCtx,
  { id, page_index, page_size }: Input<typeof contentApi.delivery>,
): Promise<Reply<typeof contentApi.delivery>> {
  await requireContent(ctx, id, false)
  return readDeliveries(ctx, sql`d.content_id = ${id}`, { page_index, page_size })
}

/** Living contents of a week, for its timeline. */
export async function listWeek(ctx: PublishingCtx, { from }: Input<typeof contentApi.week>): Promise<Reply<typeof contentApi.week>> {
  const { db, school_id } = ctx
  const [begin, end] = [new Date(startOf(from)), new Date(startOf(addDays(from, 7)))]
  const { rows } = await sql<{ valid_from: Date; valid_to: Date | null }>`
    select c.content_id::text as id, c.title, c.priority::int as priority, c.zone, c.valid_from, c.valid_to, r.name as rule_name
    from publishing_content c left join publishing_play_rule r on r.school_id = ${school_id} and r.rule_id = c.rule_id
    where c.school_id = ${school_id} and c.state = ${content_state.live} and c.valid_from < ${end} and (c.valid_to is null or c.valid_to > ${begin}) and ${await mayBeSeen(ctx)} order by c.zone, c.priority desc, c.content_id limit 300`.execute(
    db,
  )
  return {
    list: rows.map(row => ({
      ...z
        .looseObject({ id: z.string(), title: z.string(), priority: z.number(), zone: z.string(), rule_name: z.string().nullable() })
        .parse(row),
      valid_from: row.valid_from.toISOString(),
      valid_to: row.valid_to?.toISOString() ?? null,
    })),
  }
}
