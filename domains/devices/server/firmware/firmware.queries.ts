import { Firmware, FirmwareTask, UpgradeLine } from '@campus/devices/contract'
import type { PlaceScope } from '@campus/places/server'
import { inPlaces } from '@campus/places/server'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** States in which a device is under way. */
export const under_way = ['INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING'] as const
export const open_states = ['QUEUED', ...under_way] as const

/** The packages of a school that are there, the latest first; or one. */
export async function readPackages(db: Db, school_id: number, firmware_id?: string): Promise<Firmware[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select f.firmware_id::text as firmware_id, f.model_codes, f.kind, f.version, f.file_name, f.size::float8 as size, f.sha256, f.md5, f.notes, f.allow_downgrade, f.signature is not null as is_signed, f.uploaded_at, l.display_name as uploaded_by_name,
      (select count(*)::int from firmware_task t where t.school_id = ${school_id} and t.firmware_id = f.firmware_id) as tasks
    from firmware f left join person_label l on l.school_id = f.school_id and l.user_id = f.uploaded_by
    where f.school_id = ${school_id} and f.deleted_at is null and (${firmware_id === undefined} or f.firmware_id = ${firmware_id ?? '0'})
    order by f.uploaded_at desc, f.firmware_id desc`.execute(db)
  return z.array(Firmware).parse(rows.map(dated))
}

/** Tasks of a school, the latest first: those with a device in the reader's places; or one. */
export async function readTasks(db: Db, school_id: number, scope: PlaceScope, task_id?: string): Promise<FirmwareTask[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select t.task_id::text as task_id, t.firmware_id::text as firmware_id, f.version, f.kind, t.state, t.wave, t.window_from, t.window_to, t.held_reason, t.created_at, l.display_name as created_by_name, t.ended_at,
      c.devices, c.updated, c.failed, c.running, c.queued
    from firmware_task t
    join firmware f on f.school_id = t.school_id and f.firmware_id = t.firmware_id
    left join person_label l on l.school_id = t.school_id and l.user_id = t.created_by
    cross join lateral (
      select count(*)::int as devices, count(*) filter (where d.state = 'UPDATED')::int as updated, count(*) filter (where d.state = 'FAILED')::int as failed,
        count(*) filter (where d.state in ('INITIATED', 'DOWNLOADING', 'DOWNLOADED', 'VERIFIED', 'UPDATING'))::int as running, count(*) filter (where d.state = 'QUEUED')::int as queued,
        count(*) filter (where ${inScope(scope)})::int as seen
      from firmware_task_device d
      left join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
      left join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
      where d.school_id = ${school_id} and d.task_id = t.task_id) c
    where t.school_id = ${school_id} and c.seen > 0 and (${task_id === undefined} or t.task_id = ${task_id ?? '0'})
    order by t.created_at desc, t.task_id desc`.execute(db)
  return z.array(FirmwareTask).parse(rows.map(dated))
}

type LineFilter = { task_id?: string; device_id?: string; state?: string | undefined }

/** Devices of a task, or the tasks of a device; who is in the reader's places. */
export async function readLines(db: Db, school_id: number, scope: PlaceScope, { task_id, device_id, state }: LineFilter): Promise<UpgradeLine[]> {
  const { rows } = await sql<Record<string, unknown>>`
    select f.task_id::text as task_id, f.device_id::text as device_id, d.device_name, p.node_path_name, d.online, f.wave, f.from_version, f.to_version, f.state, f.progress, f.error, f.changed_at
    from firmware_task_device f
    join device d on d.school_id = f.school_id and d.device_id = f.device_id
    left join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    left join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
    where f.school_id = ${school_id} and (${task_id === undefined} or f.task_id = ${task_id ?? '0'}) and (${device_id === undefined} or f.device_id = ${device_id ?? '0'}) and (${state === undefined} or f.state = ${state ?? ''}) and ${inScope(scope)}
    order by ${task_id === undefined ? sql`f.changed_at desc` : sql`f.wave, d.device_name`}, f.device_id`.execute(db)
  return z.array(UpgradeLine).parse(rows.map(dated))
}

function inScope(scope: PlaceScope): RawBuilder<unknown> {
  return sql`${inPlaces('p.node_path', scope)}`
}

/** Instants as the wire has them. */
function dated(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]))
}
