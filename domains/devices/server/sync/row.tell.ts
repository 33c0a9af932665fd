import { devicesEvents } from '@campus/devices/contract'
import { runKept } from '@kit/server/db'
import { publishEach } from '@kit/server/event'
import type { App } from '@kit/server/http'
import type { RowKind } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { tellRefused } from '../state/row.sentence.ts'
import { tellRevoked } from './revoked.ts'
import { settledSources } from './row.source.ts'
import type { AtRow } from './rows.queries.ts'

type Desk = { app: App; db: Db; school_id: number; now: Date }
type Failed = { device_id: string; kind: RowKind; row_key: string; user_id: string | null; reason_code: string | null; reason_text: string | null }
const right_kinds: readonly string[] = ['permission', 'person']

/**
 * Devices have said what became of these rows: whoever listens hears what failed, which of the devices have nothing left to be told, up to which version their rights are acknowledged, and which credentials and grants are
 * on every device that is to have them, or gone from every one that had them (chapter 30 §7). Where nobody listens nothing is asked of the database.
 */
export async function tellSettled(desk: Desk, rows: readonly AtRow[]): Promise<void> {
  if (rows.length === 0) return
  const { rowFailed, caughtUp, rightsAcked, rowAcked } = devicesEvents
  const isHeard = ({ name }: { name: string }) => (desk.app.consumers.get(name) ?? []).length > 0
  if (isHeard(rowFailed)) await tellFailed(desk, rows)
  if (isHeard(rightsAcked)) await tellRights(desk, rows.filter(row => right_kinds.includes(row.kind)))
  if (isHeard(rowAcked)) await publishEach(desk, rowAcked, await settledSources(desk.db, desk.school_id, rows))
  await tellRevoked(desk, rows)
  if (isHeard(caughtUp)) await tellCaughtUp(desk, [...new Set(rows.map(row => row.device_id))])
}

async function tellFailed(desk: Desk, rows: readonly AtRow[]): Promise<void> {
  const { db, school_id } = desk
  const { rows: failed } = await runKept(db, 'devices.failed_rows', sql<Failed>`
    select r.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) k(device_id bigint, kind text, row_key text, want_version bigint)
    cross join lateral (select device_id::text as device_id, kind, row_key, user_id::text as user_id, reason_code, reason_text from sync_row
      where school_id = ${school_id} and device_id = k.device_id and kind = k.kind and row_key = k.row_key and want_version = k.want_version and state = 'refused' limit 1) r`.compile(db))
  await publishEach(desk, devicesEvents.rowFailed, failed.map(({ device_id, kind, row_key, user_id, ...why }) => ({ device_id, kind, row_key, ...(user_id === null ? {} : { user_id }), sentence: tellRefused({ kind, row_key, ...why }).sentence })))
}

/** Tells how far a device has acknowledged people and permissions, where that has moved: up to the row before the first that is still open. */
async function tellRights(desk: Desk, rows: readonly AtRow[]): Promise<void> {
  const { db, school_id } = desk
  const settled = [...Map.groupBy(rows, row => row.device_id)].map(([device_id, of_device]) => ({ device_id, first: String(Math.min(...of_device.map(row => Number(row.want_version)))) }))
  if (settled.length === 0) return
  const { rows: acked } = await runKept(db, 'devices.rights_acked', sql<{ device_id: string; version: string }>`
    select k.device_id::text as device_id, v.version::text as version from jsonb_to_recordset(${JSON.stringify(settled)}::jsonb) k(device_id bigint, first bigint)
    join device_counter c on c.school_id = ${school_id} and c.device_id = k.device_id
    cross join lateral (select coalesce(min(want_version) - 1, c.row_version) as version from sync_row where school_id = ${school_id} and device_id = k.device_id and kind in ('permission', 'person') and state in ('pending', 'sent', 'unknown')) v
    where v.version >= k.first`.compile(db))
  await publishEach(desk, devicesEvents.rightsAcked, acked.map(({ device_id, version }) => ({ device_id, version: Number(version) })))
}

async function tellCaughtUp(desk: Desk, device_ids: readonly string[]): Promise<void> {
  const { db, school_id } = desk
  const { rows } = await runKept(db, 'devices.caught_up', sql<{ device_id: string }>`
    select u.device_id::text as device_id from unnest(${[...device_ids]}::bigint[]) u(device_id)
    where not exists (select from sync_row where school_id = ${school_id} and device_id = u.device_id and state in ('pending', 'sent', 'unknown'))`.compile(db))
  await publishEach(desk, devicesEvents.caughtUp, rows)
}
