import { playReport } from '@campus/publishing/contract'
import type { classBoardApi, PlayGroup, PlayLine } from '@campus/publishing/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { readReport } from '@kit/server/report'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PublishingCtx, Work } from '../db.ts'

const day_ms = 86_400_000

/** Keeps what a player has counted; of one hour the greater count is the later one. What was never meant for it is left out. */
export async function notePlays({ db, school_id, now }: Work, device_id: string, lines: readonly PlayLine[]): Promise<void> {
  const known = lines.filter(line => new Date(line.hour) <= now)
  if (known.length === 0) return
  await sql`
    insert into publishing_play_stat (school_id, device_id, hour, content_id, plays, seconds)
    select ${school_id}::int, ${device_id}::bigint, date_trunc('hour', r.hour), r.content_id, max(r.plays), max(r.seconds)
    from jsonb_to_recordset(${JSON.stringify(known)}::jsonb) r(hour timestamptz, content_id bigint, plays int, seconds int)
    join publishing_delivery d on d.school_id = ${school_id} and d.device_id = ${device_id} and d.content_id = r.content_id
    group by date_trunc('hour', r.hour), r.content_id
    on conflict (school_id, device_id, hour, content_id) do update set plays = greatest(publishing_play_stat.plays, excluded.plays),
      seconds = greatest(publishing_play_stat.seconds, excluded.seconds)`.execute(db)
}

const keys: Readonly<Record<PlayGroup, RawBuilder<unknown>>> = {
  content: sql`s.content_id::text`,
  board: sql`s.device_id::text`,
  day: sql`(s.hour at time zone 'Asia/Shanghai')::date::text`,
}

/** 播放统计 of the boards in the caller's places. */
export async function reportPlays(
  ctx: PublishingCtx,
  query: Input<typeof classBoardApi.playstat>,
): Promise<Reply<typeof classBoardApi.playstat>> {
  const { db, school_id } = ctx
  const by: PlayGroup = query.by === 'board' || query.by === 'day' ? query.by : 'content'
  const [begin, end] = [new Date(`${query.from}T00:00:00+08:00`), new Date(Date.parse(`${query.to}T00:00:00+08:00`) + day_ms)]
  if (Number.isNaN(begin.getTime()) || Number.isNaN(end.getTime()))
    throw fail(commonErrors.malformed, { errors: [{ field: 'from', msg: '请选择日期' }] })
  const scope = await placeScope(ctx)
  const rows = sql`from publishing_play_stat s join device_live_v v on v.school_id = ${school_id} and v.device_id = s.device_id
    left join place_live_v p on p.school_id = ${school_id} and p.place_id = v.place_id
    where s.school_id = ${school_id} and s.hour >= ${begin}::timestamptz and s.hour < ${end}::timestamptz
      and ${scope === 'all' ? sql`true` : inPlaces('p.node_path', scope)}`
  const measures = {
    plays: sql`coalesce(sum(s.plays), 0)`,
    minutes: sql`coalesce(round(sum(s.seconds) / 60.0), 0)`,
    boards: sql`count(distinct s.device_id)`,
    contents: sql`count(distinct s.content_id)`,
  }
  const labels = { group_name: { of: 'group_id' as const, names: (ids: string[]) => namesOf(ctx, by, ids) } }
  const order = by === 'day' ? 'group_id' : '-minutes'
  return readReport(db, playReport, { rows, keys: { group_id: keys[by] }, measures, labels, order }, query)
}

async function namesOf({ db, school_id }: PublishingCtx, by: PlayGroup, ids: string[]): Promise<ReadonlyMap<string, string>> {
  if (by === 'day') return new Map(ids.map(day => [day, day]))
  const found =
    by === 'board'
      ? sql<{ id: string; name: string }>`
          select d.device_id::text as id, d.device_name as name from device_live_v d
          where d.school_id = ${school_id} and d.device_id = any(${ids}::bigint[])`
      : sql<{ id: string; name: string }>`
          select c.content_id::text as id, c.title as name from publishing_content c
          where c.school_id = ${school_id} and c.content_id = any(${ids}::bigint[])`
  const { rows } = await found.execute(db)
  return new Map(rows.map(row => [row.id, row.name]))
}
