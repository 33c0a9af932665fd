import { Board, board_types, BoardContentRow } from '@campus/devices/contract'
import { addressOf } from '@campus/files/server'
import { inPlaces } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { serialKey } from '@kit/contract/checks'
import type { App } from '@kit/server/http'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { deviceState } from '../device.state.ts'
import { plannedOff } from '../event/offline-alarm.ts'

export type BoardFilter = { school_id: number; scope: PlaceScope; below?: string; device_id?: string; device_state?: string | undefined; fault?: boolean | undefined; keyword?: string | undefined }
type Most = { limit: number; offset: number }
type Desk = { app: App; db: Db; now: Date; me: { user_id: string } }

const offline = '0'
const counts = (school_id: number) => sql`(select count(*)::int as total, count(*) filter (where reported in ('staged', 'playing'))::int as ready, count(*) filter (where reported = 'fault')::int as fault, count(*) filter (where reported is null or reported in ('accepted', 'downloading'))::int as moving
  from board_content_row r where r.school_id = ${school_id} and r.device_id = d.device_id and r.is_declared)`

/** Boards and screens, those with a fault first: they are what somebody has to go to. */
export async function readBoards(desk: Desk, filter: BoardFilter, { limit, offset }: Most): Promise<{ list: Board[]; total: number }> {
  const { db, now } = desk
  const from = fromOf(filter)
  const state = deviceState(filter.school_id)
  const { rows } = await sql<Record<string, unknown>>`
    select d.device_id::text, d.device_name, d.device_type, p.place_id::text, p.node_path_name, ${state} as device_state, d.last_seen_at, b.orientation, b.resolution, b.storage_free_mb, b.storage_total_mb, b.player_version,
      b.secure_context, b.screenshot_key, b.screenshot_at, b.brightness, b.volume, coalesce(b.power_state, 'on') as power_state, to_jsonb(c) as content
    ${from} order by case when ${state} = '2' or c.fault > 0 then 0 when ${state} = '0' then 1 else 2 end, p.node_path nulls last, d.device_name, d.device_id limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(db)
  const off = await plannedOff(db, filter.school_id, rows.flatMap(row => (row['device_state'] === offline ? [String(row['device_id'])] : [])), now)
  return { list: rows.map(row => told(desk, filter.school_id, row, off)), total: counted.rows[0]?.total ?? 0 }
}

function fromOf({ school_id, scope, below, device_id, device_state: state, fault, keyword }: BoardFilter) {
  const has_fault = sql`(${deviceState(school_id)} = '2' or c.fault > 0)`
  return sql`
    from device d
    left join device_place dp on dp.school_id = d.school_id and dp.device_id = d.device_id and dp.valid_to is null
    left join place_live_v p on p.school_id = dp.school_id and p.place_id = dp.place_id
    left join board b on b.school_id = d.school_id and b.device_id = d.device_id
    cross join lateral ${counts(school_id)} c
    where d.school_id = ${school_id} and d.lifecycle <> 'retired' and d.device_type = any(${[...board_types]}::text[]) and ${inPlaces('p.node_path', scope)} and ${inPlaces('p.node_path', below === undefined ? 'all' : [below])}
      and (${device_id ?? null}::bigint is null or d.device_id = ${device_id ?? null}::bigint) and (${state ?? null}::text is null or ${deviceState(school_id)} = ${state ?? null}::text)
      and (${fault ?? null}::boolean is null or ${has_fault} = ${fault ?? null}::boolean)
      and (${keyword ?? null}::text is null or ${nameHas(nameKeyOf('d.device_name'), keyword ?? '')} or strpos(upper(d.device_sn), ${serialKey(keyword ?? '')}) > 0)`
}

function told({ app, now, me }: Desk, school_id: number, { screenshot_key, ...row }: Record<string, unknown>, off: ReadonlySet<string>): Board {
  const screenshot_url = typeof screenshot_key === 'string' ? addressOf(app, now, { school_id, file_key: screenshot_key, visibility: 'school' }, me) : null
  return Board.parse({ ...withInstants(row), screenshot_url, is_planned_off: off.has(String(row['device_id'])) })
}

/** The rows of a board, what is wrong and what is under way first. */
export async function readContentRows(db: Db, { school_id, device_id, reported }: { school_id: number; device_id: string; reported?: string | undefined }, { limit, offset }: Most): Promise<{ list: BoardContentRow[]; total: number }> {
  const which = sql`r.school_id = ${school_id} and r.device_id = ${device_id} and (${reported ?? null}::text is null or r.reported = ${reported ?? null}::text)`
  const { rows } = await sql<Record<string, unknown>>`
    select r.row_key, r.source, r.is_declared, s.state, r.bytes_total::float8 as bytes_total, r.bytes_done::float8 as bytes_done, r.reported, r.fault_code, r.detail, r.reported_at
    from board_content_row r left join sync_row s on s.school_id = r.school_id and s.device_id = r.device_id and s.kind = 'content' and s.row_key = r.row_key
    where ${which} order by case when r.reported = 'fault' then 0 when r.reported is null or r.reported in ('accepted', 'downloading') then 1 else 2 end, r.row_key like 'file:%', r.row_key limit ${limit} offset ${offset}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total from board_content_row r where ${which}`.execute(db)
  return { list: rows.map(row => BoardContentRow.parse(withInstants(row))), total: counted.rows[0]?.total ?? 0 }
}

function withInstants(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]))
}
