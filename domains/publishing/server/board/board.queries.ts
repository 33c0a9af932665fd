import { BoardPreview, BoardRow, delivery, fault_texts, publishingErrors, resolvePlan, usual_name } from '@campus/publishing/contract'
import type { BoardPlan, classBoardApi, PlanItem, Shown } from '@campus/publishing/contract'
import { addressOf } from '@campus/files/server'
import { inPlaces, isInPlaces, placeScope } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { nameHas, nameKeyOf, pageTotal } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import type { PublishingCtx } from '../db.ts'
import { contact_ms, readDeliveries } from './content.queries.ts'
import { board_types, Files } from './facts.ts'
import { requireBoards } from './scope.ts'

const instant = z.date().transform(at => at.toISOString())
const Raw = z.array(
  z.looseObject({
    fault_code: z.string().nullable(),
    screenshot_key: z.string().nullable(),
    last_contact_at: instant.nullable(),
    plan_at: instant.nullable(),
    reported_at: instant.nullable(),
  }),
)

/** Boards as they last reported themselves, those with a fault first, then by where they stand. */
export async function listBoards(ctx: PublishingCtx, query: Input<typeof classBoardApi.list>): Promise<Reply<typeof classBoardApi.list>> {
  const { app, db, school_id, now, me } = ctx
  const scope = await scopeOf(ctx, query)
  const online = sql`(v.online or coalesce(b.contact_at > ${new Date(now.getTime() - contact_ms)}, false))`
  const plan_state = sql`case when b.plan_hash is null then '3' when b.plan_hash = n.hash then '1' else '2' end`
  const parts = [sql`v.school_id = ${school_id} and v.device_type = any(${[...board_types]}::text[])`, inPlaces('p.node_path', scope)]
  if (query.keyword !== undefined)
    parts.push(
      sql`(${nameHas(nameKeyOf('v.device_name'), query.keyword)} or strpos(coalesce(p.node_path_name, ''), ${query.keyword}) > 0 or strpos(coalesce(c.dept_name, ''), ${query.keyword}) > 0)`,
    )
  if (query.plan_state !== undefined) parts.push(sql`${plan_state} = ${query.plan_state}`)
  if (query.online !== undefined) parts.push(sql`${online} = ${query.online}`)
  if (query.fault !== undefined) parts.push(sql`(b.fault_code is not null) = ${query.fault}`)
  if (query.template_id !== undefined) parts.push(sql`u.template_id = ${query.template_id}`)
  if (query.place_id !== undefined)
    parts.push(
      sql`exists (select 1 from place_live_v r where r.school_id = ${school_id} and r.place_id = ${query.place_id} and p.node_path >= r.node_path and p.node_path < left(r.node_path, -1) || '0')`,
    )
  const page = (limit: number, offset: number) =>
    sql<{ total: number }>`
    select v.device_id::text as device_id, v.device_name, v.device_type, p.place_id::text as place_id, p.node_path_name, c.dept_name as class_name, ${online} as online, greatest(v.last_seen_at, b.contact_at, b.reported_at) as last_contact_at,
      u.template_id::text as template_id, coalesce(t.name, ${usual_name}) as template_name, coalesce(b.name_mode, 1)::int as name_mode, n.version::int as plan_version, n.compiled_at as plan_at, b.plan_version::int as playing_version, b.reported_at, ${plan_state} as plan_state,
      coalesce(now.title, case when d.playing > 0 then d.first_title end) as now_title, b.fault_code, coalesce(b.secure_context, h.secure_context) as secure_context, h.storage_free_mb, h.storage_total_mb, coalesce(b.player_ver, h.player_version) as player_version, h.screenshot_key,
      d.playing, d.loading, d.faulty, d.stopping, b.paired_at is not null as is_paired, (count(*) over ())::int as total
    from device_live_v v
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = v.place_id
    left join dept_now c on c.school_id = ${school_id} and c.id = p.dept_id
    left join board_v h on h.school_id = ${school_id} and h.device_id = v.device_id
    left join publishing_board b on b.school_id = ${school_id} and b.device_id = v.device_id
    left join publishing_plan n on n.school_id = ${school_id} and n.device_id = v.device_id and n.superseded_at is null
    left join publishing_template_use u on u.school_id = ${school_id} and u.device_id = v.device_id and u.valid_to is null
    left join publishing_template t on t.school_id = ${school_id} and t.template_id = u.template_id
    left join publishing_content now on now.school_id = ${school_id} and now.content_id = b.now_content_id
    cross join lateral (select count(*) filter (where x.state = ${delivery.playing})::int as playing, count(*) filter (where x.state in (${delivery.queued}, ${delivery.loading}, ${delivery.ready}))::int as loading,
      count(*) filter (where x.state in (${delivery.no_space}, ${delivery.fault}))::int as faulty, count(*) filter (where x.state = ${delivery.stopping})::int as stopping, min(y.title) filter (where x.state = ${delivery.playing}) as first_title
      from publishing_delivery x join publishing_content y on y.school_id = ${school_id} and y.content_id = x.content_id where x.school_id = ${school_id} and x.device_id = v.device_id) d
    where ${sql.join(parts, sql` and `)} order by (b.fault_code is null), p.node_path nulls last, v.device_name, v.device_id limit ${limit} offset ${offset}`.execute(
      db,
    )
  const { rows } = await page(query.page_size, (query.page_index - 1) * query.page_size)
  const list = Raw.parse(rows).map(({ fault_code, screenshot_key, total: _total, ...row }) =>
    BoardRow.parse({
      ...row,
      fault_text: fault_code === null ? null : (fault_texts[fault_code] ?? fault_code),
      screenshot_url:
        screenshot_key === null ? null : addressOf(app, now, { school_id, file_key: screenshot_key, visibility: 'school' }, me),
    }),
  )
  return { list, total: await pageTotal(rows, query.page_index, async () => (await page(1, 0)).rows) }
}

/** The caller's places; what a filter names has to be there. @throws Refusal 404 */
async function scopeOf(ctx: PublishingCtx, { place_id, template_id }: Input<typeof classBoardApi.list>): Promise<PlaceScope> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const place =
    place_id === undefined
      ? { node_path: '' }
      : await db.selectFrom('place_live_v').select('node_path').where('school_id', '=', school_id).where('place_id', '=', place_id).executeTakeFirst()
  if (!place || (place_id !== undefined && !isInPlaces(place.node_path, scope))) throw fail(commonErrors.notFound)
  if (template_id === undefined) return scope
  const found = await db
    .selectFrom('publishing_template')
    .select('template_id')
    .where('school_id', '=', school_id)
    .where('template_id', '=', template_id)
    .executeTakeFirst()
  if (!found) throw fail(commonErrors.notFound)
  return scope
}

/** @throws Refusal 404 */
export async function listBoardDeliveries(
  ctx: PublishingCtx,
  { id, ...page }: Input<typeof classBoardApi.deliveries>,
): Promise<Reply<typeof classBoardApi.deliveries>> {
  await requireBoards(ctx, [id])
  return readDeliveries(ctx, sql`d.device_id = ${id}`, page)
}

/** The last plans of a board and which of them it says it plays. @throws Refusal 404 */
export async function listPlans(ctx: PublishingCtx, { id }: Input<typeof classBoardApi.plans>): Promise<Reply<typeof classBoardApi.plans>> {
  const { db, school_id } = ctx
  await requireBoards(ctx, [id])
  const { rows } = await sql<{
    version: number
    hash: string
    reason: string
    compiled_at: Date
    superseded_at: Date | null
    items: number
    files: number
    bytes_total: number
    is_playing: boolean
  }>`
    select n.version::int as version, n.hash, n.reason, n.compiled_at, n.superseded_at, jsonb_array_length(n.body->'items') as items, jsonb_array_length(n.files) as files, n.bytes_total::float8 as bytes_total, coalesce(b.plan_version = n.version, false) as is_playing
    from publishing_plan n left join publishing_board b on b.school_id = ${school_id} and b.device_id = n.device_id where n.school_id = ${school_id} and n.device_id = ${id} order by n.version desc limit 20`.execute(
    db,
  )
  return {
    list: rows.map(row => ({
      ...row,
      compiled_at: row.compiled_at.toISOString(),
      superseded_at: row.superseded_at?.toISOString() ?? null,
    })),
  }
}

/** 此刻此屏: what a board shows at an instant and why, by the plan that it says it plays, or by the newest (chapter 60 §10). @throws Refusal 404 */
export async function previewBoard(ctx: PublishingCtx, { id, at, newest }: Input<typeof classBoardApi.preview>): Promise<BoardPreview> {
  const { app, db, school_id, now, me } = ctx
  await requireBoards(ctx, [id])
  const { rows } = await sql<{ version: number; body: BoardPlan; is_newest: boolean; is_playing: boolean }>`
    select n.version::int as version, n.body, n.superseded_at is null as is_newest, coalesce(b.plan_version = n.version, false) as is_playing from publishing_plan n left join publishing_board b on b.school_id = ${school_id} and b.device_id = n.device_id
    where n.school_id = ${school_id} and n.device_id = ${id} and (n.superseded_at is null or b.plan_version = n.version) order by n.version desc`.execute(
    db,
  )
  const plan = (newest === '1' ? undefined : rows.find(row => row.is_playing)) ?? rows.find(row => row.is_newest)
  if (!plan) throw fail(publishingErrors.planNotYet)
  const { body, version, is_newest } = plan
  const screen = resolvePlan(body, Date.parse(at))
  const titles = new Map(body.template.zones.map(zone => [zone.zone, zone.title]))
  const shown = (one: Shown | null) => one && zoneOf(one, titles.get(one.zone) ?? '全屏')
  const keys = await db
    .selectFrom('publishing_content')
    .select('files')
    .where('school_id', '=', school_id)
    .where(sql<boolean>`content_id = any(${body.items.map((item: PlanItem) => item.content_id)}::bigint[])`)
    .execute()
  const urls = Object.fromEntries(
    keys
      .flatMap(row => Files.parse(row.files))
      .map(file => [file.sha256, addressOf(app, now, { school_id, file_key: file.file_key, visibility: 'school' }, me)]),
  )
  return BoardPreview.parse({
    at,
    plan_version: version,
    is_newest,
    orientation: body.board.orientation,
    zones: body.template.zones,
    urgent: shown(screen.urgent),
    full: shown(screen.full),
    ticker: shown(screen.ticker),
    shown: screen.zones.map(one => shown(one)),
    urls,
    modules: body.modules,
    class_name: body.board.class_name,
  })
}

function zoneOf({ zone, module, item, frame, until, why, waiting }: Shown, title: string) {
  return {
    zone,
    title,
    module,
    content_id: item?.content_id ?? null,
    content_title: item?.title ?? null,
    frame,
    body: item?.body ?? null,
    why,
    until: until === null ? null : new Date(until).toISOString(),
    waiting,
  }
}
