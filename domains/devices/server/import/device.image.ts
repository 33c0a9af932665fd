import { serialKey } from '@kit/contract/checks'
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** A device as an import finds it and leaves it; `placed` = its open standing. Instants are texts to the microsecond. */
const Image = z.object({
  device_id: z.string(),
  device_sn: z.string(),
  device_name: z.string(),
  device_type: z.string(),
  model_code: z.string(),
  lifecycle: z.string(),
  parent_device_id: z.string().nullable(),
  parent_sn: z.string().nullable(),
  ip: z.string().nullable(),
  mac: z.string().nullable(),
  note: z.string().nullable(),
  row_version: z.number(),
  updated_at: z.string(),
  is_new: z.boolean(),
  placed_id: z.string().nullable(),
  direction: z.number().nullable(),
  node_path: z.string().nullable(),
  node_path_name: z.string().nullable(),
})
export type DeviceImage = z.output<typeof Image>
export const DeviceBefore = Image

/** Devices by number or by id, retired ones too. */
export async function readImages(db: Db, school_id: number, { device_sns = [], device_ids = [] }: { device_sns?: readonly string[]; device_ids?: readonly string[] }): Promise<DeviceImage[]> {
  const { rows } = await sql`
    select d.device_id::text as device_id, d.device_sn, d.device_name, d.device_type, d.model_code, d.lifecycle, d.parent_device_id::text as parent_device_id, up.device_sn as parent_sn,
      host(d.ip) as ip, d.mac, d.note, d.row_version, d.updated_at::text as updated_at, d.last_seen_at is null and d.lifecycle = 'pending' as is_new,
      s.id::text as placed_id, s.direction, p.node_path, p.node_path_name
    from device d
    left join device up on up.school_id = d.school_id and up.device_id = d.parent_device_id
    left join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    left join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
    where d.school_id = ${school_id} and (upper(d.device_sn) = any(${device_sns.map(serialKey)}::text[]) or d.device_id = any(${[...device_ids]}::bigint[]))`.execute(db)
  return z.array(Image).parse(rows)
}

/** How an import has left a device: another mark means that it has connected, was moved or was changed since. */
export function markOf({ node_path: _path, node_path_name: _name, ...image }: DeviceImage): string {
  return createHash('sha256').update(JSON.stringify(image)).digest('base64url').slice(0, 22)
}
