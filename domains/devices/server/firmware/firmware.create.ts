import type { Firmware, FirmwareTask, UpgradeState } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'
import { assignWaves } from './waves.ts'

/** A package of a plan, and the tasks that brought it to devices: `fate`: what became of those of a wave. */
export type PlannedFirmware = Pick<Firmware, 'model_codes' | 'kind' | 'version' | 'file_name' | 'size' | 'sha256' | 'md5' | 'notes'> & { file_key: string; uploaded_at: Date; tasks: readonly PlannedTask[] }
type PlannedTask = Pick<FirmwareTask, 'state' | 'wave' | 'window_from' | 'window_to' | 'held_reason'> & { device_ids: readonly string[]; from_version: string; at: Date; fate(wave: number): { state: UpgradeState; error: string | null } }

const [whole, hour_ms] = [100, 3_600_000]

/** Writes packages and what was done with them, in bulk; no device is told anything. */
export async function createFirmware(handle: QueryExecutorProvider, school_id: number, planned: readonly PlannedFirmware[], by: string): Promise<void> {
  const db = asTables<DevicesDb>(handle)
  for (const { tasks, size, ...facts } of planned) {
    const { firmware_id } = await db.insertInto('firmware').values({ school_id, ...facts, size: String(size), uploaded_by: by }).returning('firmware_id').executeTakeFirstOrThrow()
    for (const { device_ids, from_version, at, fate, ...task } of tasks) {
      const ended_at = task.state === 'done' || task.state === 'canceled' ? new Date(at.getTime() + hour_ms) : null
      const { task_id } = await db.insertInto('firmware_task').values({ school_id, firmware_id, ...task, created_by: by, created_at: at, ended_at }).returning('task_id').executeTakeFirstOrThrow()
      const waves = assignWaves(device_ids.map(device_id => ({ device_id, online: true })))
      const rows = device_ids.map(device_id => {
        const wave = waves.get(device_id) ?? 1
        const { state, error } = fate(wave)
        return { school_id, task_id, device_id, wave, from_version, to_version: facts.version, state, error, progress: state === 'UPDATED' ? whole : 0, attempts: state === 'UPDATED' || state === 'FAILED' ? 1 : 0, changed_at: ended_at ?? at }
      })
      await db.insertInto('firmware_task_device').values(rows).execute()
    }
  }
}
