import { devicesErrors, recorder_types } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { modelLimits } from '../model.limits.ts'
import { findOnChannel } from './camera.queries.ts'

type Wanted = { device_id: string; nvr_device_id: string | null; channel: number | null }

/** Nobody else uses this channel of the recorder, and it has so many. The recorder is locked: two cameras do not come to one channel at once. @throws Refusal 409, 422 */
export async function refuseChannel({ db, school_id }: { db: Db; school_id: number }, { device_id, nvr_device_id, channel }: Wanted): Promise<void> {
  if (nvr_device_id === null) {
    if (channel !== null) throw fail(devicesErrors.cameraChannelAlone)
    return
  }
  await sql`select from device where school_id = ${school_id} and device_id = ${nvr_device_id} for update`.execute(db)
  const recorder = await db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .select(['d.device_name', 'd.device_type', 'm.model_code', 'm.limits'])
    .where('d.school_id', '=', school_id)
    .where('d.device_id', '=', nvr_device_id)
    .where('d.lifecycle', '<>', 'retired')
    .executeTakeFirst()
  if (!recorder || !recorder_types.includes(recorder.device_type)) throw fail(devicesErrors.cameraRecorder)
  if (channel === null) return
  const { channels } = modelLimits(recorder)
  if (channels !== undefined && channel > channels) throw fail(devicesErrors.cameraChannel, { params: { name: recorder.device_name, n: channels } })
  const holder = await findOnChannel(db, school_id, { nvr_device_id, channel })
  if (holder && holder.device_id !== device_id) throw fail(devicesErrors.cameraChannelTaken, { params: { channel, name: holder.device_name } })
}
