import { boardChannel, devicesEvents } from '@campus/devices/contract'
import type { BoardState } from '@kit/terminal-protocol'
import { publish } from '@kit/server/event'
import { push } from '@kit/server/realtime'
import { sql } from 'kysely'
import type { Line } from '../link/line.ts'

/** Whoever follows boards is told at least so often, and at once when anything but the clock and the free space has turned (chapter 60 §4.8). */
export const told_every_ms = 10 * 60_000

/** What of a board's state is worth telling at once. */
export function boardText({ storage_free: _free, skew_ms: _skew, ...state }: BoardState): string {
  return JSON.stringify(state)
}

/** Keeps what a board says of itself, and tells others. */
export async function followBoard(line: Line, state: BoardState): Promise<void> {
  const { db, school_id, device_id, now } = line
  const { orientation, resolution, storage_free, storage_total, player_ver, secure_context, inventory_hash, brightness, volume } = state
  await sql`
    insert into board (school_id, device_id, orientation, resolution, storage_free_mb, storage_total_mb, player_version, secure_context, inventory_hash, brightness, volume, power_state, reported_at, told_at)
    values (${school_id}, ${device_id}, ${orientation ?? null}, ${resolution ?? null}, ${storage_free ?? null}, ${storage_total ?? null}, ${player_ver ?? null}, ${secure_context ?? null}, ${inventory_hash ?? null}, ${brightness ?? null}, ${volume ?? null}, ${brightness === 0 ? 'dark' : 'on'}, ${now}, ${now})
    on conflict (school_id, device_id) do update set orientation = coalesce(excluded.orientation, board.orientation), resolution = coalesce(excluded.resolution, board.resolution), storage_free_mb = coalesce(excluded.storage_free_mb, board.storage_free_mb),
      storage_total_mb = coalesce(excluded.storage_total_mb, board.storage_total_mb), player_version = coalesce(excluded.player_version, board.player_version), secure_context = coalesce(excluded.secure_context, board.secure_context),
      inventory_hash = coalesce(excluded.inventory_hash, board.inventory_hash), brightness = coalesce(excluded.brightness, board.brightness), volume = coalesce(excluded.volume, board.volume),
      power_state = excluded.power_state, reported_at = excluded.reported_at, told_at = excluded.told_at`.execute(db)
  const { orientation: _o, resolution: _r, brightness: _b, volume: _v, ...told } = state
  await publish(line, devicesEvents.boardStatus, { device_id, ...told })
  await push(line, boardChannel, [{ device_id, what: 'state' }], { of: device_id })
}
