import { undoByImage } from '@kit/server/excel'
import type { ApplyStep, ImportUndo } from '@kit/server/excel'
import { sql } from 'kysely'
import type { z } from 'zod'
import { writeExtras } from '../camera/camera.queries.ts'
import type { DevicesDb } from '../db.ts'
import { cameraKey } from './camera.apply.ts'
import { CameraBefore, markOf, readCameraImages } from './camera.image.ts'
import { removeNew, restore } from './device.undo.ts'

const idOf = (key: string) => key.slice('c:'.length)

/** 摄像机导入 is taken back camera by camera; what was seen, moved, bound or changed since stays and is named. */
export const cameraUndo: ImportUndo<DevicesDb> = {
  async marks({ db, school_id }, keys, lock) {
    const device_ids = keys.map(idOf)
    if (lock) await sql`select from device where school_id = ${school_id} and device_id = any(${device_ids}::bigint[]) order by device_id for update`.execute(db)
    return new Map((await readCameraImages(db, school_id, { device_ids })).map(image => [cameraKey(image.device_id), markOf(image)]))
  },
  reason: () => '摄像机在导入后已连接、移动、绑定或被修改',
  undo: (step, rows, kept) => undoByImage(rows, kept, { image: CameraBefore, key: cameraKey, remove: ids => removeNew(step, ids), restore: image => giveBack(step, image) }),
}

async function giveBack(step: ApplyStep<DevicesDb>, { channel, stream, has_camera, bindings: _bindings, ...device }: z.output<typeof CameraBefore>): Promise<void> {
  const { db, school_id } = step
  await restore(step, device)
  if (has_camera) await writeExtras(db, school_id, device.device_id, { channel, stream_sealed: stream === null ? null : Buffer.from(stream, 'base64') })
  else await db.deleteFrom('camera').where('school_id', '=', school_id).where('device_id', '=', device.device_id).execute()
}
