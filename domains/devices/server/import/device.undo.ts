import { undoByImage } from '@kit/server/excel'
import type { ApplyStep, ImportUndo } from '@kit/server/excel'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { DevicesDb } from '../db.ts'
import { dueWhole } from '../sync/due.ts'
import { DeviceBefore, markOf, readImages } from './device.image.ts'

type Step = ApplyStep<DevicesDb>
const deviceKey = (id: string) => `d:${id}`
const idOf = (key: string) => key.slice('d:'.length)

/** 设备导入 is taken back device by device; what has connected, was moved or was changed since stays and is named. */
export const deviceUndo: ImportUndo<DevicesDb> = {
  async marks({ db, school_id }, keys, lock) {
    const device_ids = keys.map(idOf)
    if (lock) await sql`select from device where school_id = ${school_id} and device_id = any(${device_ids}::bigint[]) order by device_id for update`.execute(db)
    return new Map((await readImages(db, school_id, { device_ids })).map(image => [deviceKey(image.device_id), markOf(image)]))
  },
  reason: () => '设备在导入后已连接、移动或被修改',
  undo: (step, rows, kept) => undoByImage(rows, kept, { image: DeviceBefore, key: deviceKey, remove: ids => removeNew(step, ids), restore: image => restore(step, image) }),
}

/** Everything that a registration has written; a device that never connected has nothing else. */
export async function removeNew({ db, school_id }: Step, device_ids: readonly string[]): Promise<void> {
  await sql`delete from camera_binding where school_id = ${school_id} and (camera_device_id = any(${[...device_ids]}::bigint[]) or target_device_id = any(${[...device_ids]}::bigint[]))`.execute(db)
  for (const table of ['device_place', 'device_client', 'device_serial', 'device_rule_plan', 'device_rule_target', 'device_password', 'camera', 'sync_due', 'sync_row', 'device_counter', 'device'] as const) {
    await sql`delete from ${sql.table(table)} where school_id = ${school_id} and device_id = any(${[...device_ids]}::bigint[])`.execute(db)
  }
}

/** A device as it was, its standing too. */
export async function restore(step: Step, before: z.output<typeof DeviceBefore>): Promise<void> {
  const { db, school_id } = step
  const { device_id, device_name, parent_device_id, ip, mac, note, row_version, updated_at, placed_id } = before
  await sql`
    update device set device_name = ${device_name}, parent_device_id = ${parent_device_id}, ip = ${ip}::inet, mac = ${mac}, note = ${note}, row_version = ${row_version}, updated_at = ${updated_at}::timestamptz
    where school_id = ${school_id} and device_id = ${device_id}`.execute(db)
  const { rows } = await sql<{ id: string }>`delete from device_place where school_id = ${school_id} and device_id = ${device_id} and valid_to is null and id is distinct from ${placed_id}::bigint returning id`.execute(db)
  if (rows.length === 0) return
  if (placed_id !== null) await sql`update device_place set valid_to = null where school_id = ${school_id} and id = ${placed_id}`.execute(db)
  await dueWhole(step, [device_id])
}

