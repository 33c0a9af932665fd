import type { Driver, Limits } from '@kit/terminal-protocol'
import type { Line } from '../link/line.ts'
import { modelLimits } from '../model.limits.ts'

/** What a device takes at once: what its driver knows, and where its model says otherwise, that. @throws Error when the limits of its model cannot be read */
export async function limitsOf({ db, school_id, device_id }: Pick<Line, 'db' | 'school_id' | 'device_id'>, driver: Driver): Promise<Limits> {
  const row = await db.selectFrom('device as d').innerJoin('device_model as m', 'm.model_code', 'd.model_code').select(['m.model_code', 'm.limits']).where('d.school_id', '=', school_id).where('d.device_id', '=', device_id).executeTakeFirstOrThrow()
  const base = driver.limits('')
  const { rows_per_command = base.rows_per_command, photo_max_bytes = base.photo_bytes, packet_max_bytes = base.packet_bytes } = modelLimits(row)
  return { ...base, rows_per_command, photo_bytes: photo_max_bytes, packet_bytes: Math.min(base.packet_bytes, packet_max_bytes) }
}
