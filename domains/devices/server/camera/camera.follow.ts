import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { dueBoxes } from '../ai/rule.boxes.ts'
import { dueRules } from '../sync/due.ts'
import { endBindings } from './binding.queries.ts'

type Of = { db: Db; school_id: number }

/** A device has been taken out: nothing watches it, and it watches nothing from here on; the boxes that it fed are told. */
export async function endBindingsOf({ db, school_id }: Of, device_id: string, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string; box_id: string | null }>`
    select id::text, case when bind_kind = 'box' and target_device_id <> ${device_id} then target_device_id::text end as box_id from camera_binding where school_id = ${school_id} and (camera_device_id = ${device_id} or target_device_id = ${device_id}) and (valid_to is null or valid_to > ${now})`.execute(db)
  await endBindings(db, school_id, rows.map(row => row.id), now)
  await dueRules({ db, school_id, now }, rows.flatMap(row => row.box_id ?? []))
}

/** A new piece of hardware stands for an old one: it has its channel and address, watches what it watched and is watched by what watched it, and the rules of boxes that looked through the old one look through it. */
export async function inheritCamera({ db, school_id }: Of, { old_id, new_id, now }: { old_id: string; new_id: string; now: Date }): Promise<void> {
  await sql`
    insert into camera (school_id, device_id, channel, stream_sealed, codec, ptz)
    select school_id, ${new_id}::bigint, channel, stream_sealed, codec, ptz from camera where school_id = ${school_id} and device_id = ${old_id} returning 1`.execute(db)
  await sql`
    insert into camera_binding (school_id, camera_device_id, bind_kind, target_device_id, place_id, gate_slot, bound_by, valid_from)
    select school_id, case when camera_device_id = ${old_id} then ${new_id}::bigint else camera_device_id end, bind_kind, case when target_device_id = ${old_id} then ${new_id}::bigint else target_device_id end, place_id, gate_slot, bound_by, ${now}
    from camera_binding where school_id = ${school_id} and (camera_device_id = ${old_id} or target_device_id = ${old_id}) and valid_to = ${now} returning 1`.execute(db)
  await sql`
    insert into ai_rule_camera (school_id, rule_id, camera_device_id, roi)
    select c.school_id, c.rule_id, ${new_id}::bigint, c.roi from ai_rule_camera c join ai_rule r on r.school_id = c.school_id and r.rule_id = c.rule_id and r.deleted_at is null where c.school_id = ${school_id} and c.camera_device_id = ${old_id} returning 1`.execute(db)
  await sql`delete from ai_rule_camera c using ai_rule r where r.school_id = c.school_id and r.rule_id = c.rule_id and r.deleted_at is null and c.school_id = ${school_id} and c.camera_device_id = ${old_id}`.execute(db)
  await dueBoxes({ db, school_id, now }, { camera_ids: [new_id] })
}
