import { devicesEvents } from '@campus/devices/contract'
import type { WorkKind } from '@campus/jobs/server'
import { asTables } from '@kit/server/db'
import { publishEach } from '@kit/server/event'
import type { DevicesDb } from '../db.ts'

/** What a model takes has turned: a model is of the installation, so each school tells of its own devices of it. `ref` = the model's code. */
export const profileWork: WorkKind = {
  kind: 'device_profile',
  async run(handle, { app, school_id, ref: model_code, now }) {
    const db = asTables<DevicesDb>(handle)
    const alike = await db.selectFrom('device').select('device_id').where('school_id', '=', school_id).where('model_code', '=', model_code).where('lifecycle', '<>', 'retired').orderBy('device_id').execute()
    await publishEach({ app, db, school_id, now }, devicesEvents.profileChanged, alike.map(({ device_id }) => ({ device_id, model_code, at: now.toISOString() })))
  },
}
