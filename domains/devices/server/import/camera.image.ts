import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { DeviceBefore, markOf as deviceMark, readImages } from './device.image.ts'

/** A camera as an import finds it and leaves it: the device, and what only cameras have; the stream address sealed, in base64. `bindings`: what it ever watched. */
export const CameraBefore = DeviceBefore.extend({ channel: z.number().nullable(), stream: z.string().nullable(), has_camera: z.boolean(), bindings: z.array(z.string()) })
export type CameraImage = z.output<typeof CameraBefore>
const Own = z.object({ device_id: z.string(), channel: z.number().nullable(), stream: z.string().nullable(), bindings: z.array(z.string()) })

/** Devices by number or by id with what they have of cameras, retired ones too. */
export async function readCameraImages(db: Db, school_id: number, which: Parameters<typeof readImages>[2]): Promise<CameraImage[]> {
  const devices = await readImages(db, school_id, which)
  const { rows } = await sql`
    select c.device_id::text as device_id, c.channel, translate(encode(c.stream_sealed, 'base64'), E'\n', '') as stream,
      coalesce((select json_agg(b.id::text order by b.id) from camera_binding b where b.school_id = ${school_id} and b.camera_device_id = c.device_id), '[]') as bindings
    from camera c where c.school_id = ${school_id} and c.device_id = any(${devices.map(device => device.device_id)}::bigint[])`.execute(db)
  const own = new Map(z.array(Own).parse(rows).map(row => [row.device_id, row]))
  return devices.map(device => {
    const { channel = null, stream = null, bindings = [] } = own.get(device.device_id) ?? {}
    return { ...device, channel, stream, bindings, has_camera: own.has(device.device_id) }
  })
}

/** How an import has left a camera: another mark means that it was seen, moved, bound or changed since. */
export function markOf({ channel, stream, has_camera, bindings, ...device }: CameraImage): string {
  return createHash('sha256').update(JSON.stringify([deviceMark(device), channel, stream, has_camera, bindings])).digest('base64url').slice(0, 22)
}
