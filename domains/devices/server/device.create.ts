import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from './db.ts'
import { claimSerials } from './serial.queries.ts'

/** A device of a plan: `key` names it there, `parent` is an earlier key. */
export type PlannedDevice = { key: string; device_sn: string; device_name: string; device_type: string; model_code: string; parent: string | null; place_id: string | null; direction: 1 | 2 | 3 }

const most_rows = 1000

/** Registers devices in bulk, 未激活, without a word in the journal and without a way into the broker. @returns the id of every key */
export async function createDevices(db: QueryExecutorProvider, school_id: number, rows: readonly PlannedDevice[], from: Date): Promise<Map<string, string>> {
  const own = asTables<DevicesDb>(db)
  const ids = new Map<string, string>()
  for (const level of [rows.filter(row => row.parent === null), rows.filter(row => row.parent !== null)]) {
    for (let at = 0; at < level.length; at += most_rows) {
      const part = level.slice(at, at + most_rows)
      const values = part.map(({ device_sn, device_name, device_type, model_code, parent }) => ({ school_id, device_sn, device_name, device_type, model_code, parent_device_id: parent === null ? null : (ids.get(parent) ?? null) }))
      const made = await own.insertInto('device').values(values).returning('device_id').execute()
      await claimSerials(db, school_id, made.map(({ device_id }, n) => ({ device_id, device_sn: part[n]?.device_sn ?? '' })))
      made.forEach(({ device_id }, n) => ids.set(part[n]?.key ?? '', device_id))
    }
  }
  const placed = rows.flatMap(({ key, place_id, direction }) => (place_id === null ? [] : [{ school_id, device_id: ids.get(key) ?? '', place_id, direction, valid_from: from }]))
  for (let at = 0; at < placed.length; at += most_rows) await own.insertInto('device_place').values(placed.slice(at, at + most_rows)).execute()
  return ids
}
