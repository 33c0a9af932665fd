import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { endBindings } from './binding.queries.ts'

type Of = { db: Db; school_id: number }

/** A device has been taken out: nothing watches it, and it watches nothing from here on. */
export async function endBindingsOf({ db, school_id }: Of, device_id: string, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id::text from camera_binding where school_id = ${school_id} and (camera_device_id = ${device_id} or target_device_id = ${device_id}) and (valid_to is null or valid_to > ${now})`.execute(db)
  await endBindings(db, school_id, rows.map(row => row.id), now)
}

/** A new piece of hardware stands for an old one: it has its channel and address, watches what it watched and is watched by what watched it. */
export async function inheritCamera({ db, school_id }: Of, { old_id, new_id, now }: { old_id: string; new_id: string; now: Date }): Promise<void> {
  await sql`
    insert into camera (school_id, device_id, channel, stream_sealed, codec, ptz)
    select school_id, ${new_id}::bigint, channel, stream_sealed, codec, ptz from camera where school_id = ${school_id} and device_id = ${old_id}`.execute(db)
  await sql`
    insert into camera_binding (school_id, camera_device_id, bind_kind, target_device_id, place_id, gate_slot, bound_by, valid_from)
    select school_id, case when camera_device_id = ${old_id} then ${new_id}::bigint else camera_device_id end, bind_kind, case when target_device_id = ${old_id} then ${new_id}::bigint else target_device_id end, place_id, gate_slot, bound_by, ${now}
    from camera_binding where school_id = ${school_id} and (camera_device_id = ${old_id} or target_device_id = ${old_id}) and valid_to = ${now}`.execute(db)
}
