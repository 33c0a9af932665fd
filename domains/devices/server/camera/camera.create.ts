import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { DevicesDb } from '../db.ts'

/** A camera of a plan: its channel below its recorder, and what it watches. */
export type PlannedCamera = { device_id: string; channel: number | null; watches: { bind_kind: 'gate'; target_device_id: string; gate_slot: 1 | 2 } | { bind_kind: 'room'; place_id: string } | null; box_id: string | null }

const most_rows = 1000

/** Gives cameras that are registered already their channels and bindings in bulk, without a word in the journal. */
export async function createCameras(db: QueryExecutorProvider, school_id: number, rows: readonly PlannedCamera[], valid_from: Date): Promise<void> {
  const own = asTables<DevicesDb>(db)
  const bindings = rows.flatMap(({ device_id, watches, box_id }) => [
    ...(watches === null ? [] : [{ school_id, camera_device_id: device_id, ...watches, valid_from }]),
    ...(box_id === null ? [] : [{ school_id, camera_device_id: device_id, bind_kind: 'box', target_device_id: box_id, valid_from }]),
  ])
  for (let at = 0; at < rows.length; at += most_rows) await own.insertInto('camera').values(rows.slice(at, at + most_rows).map(({ device_id, channel }) => ({ school_id, device_id, channel, codec: 'h265' }))).execute()
  for (let at = 0; at < bindings.length; at += most_rows) await own.insertInto('camera_binding').values(bindings.slice(at, at + most_rows)).execute()
}
