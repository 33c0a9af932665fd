import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A camera through which a box looks: where it stands, and whether people undress there. */
export type CameraFact = { camera_device_id: string; device_sn: string; place_id: string; node_path: string; private_zone: boolean }
/** What is to be warned of through a camera. */
export type RuleFact = { rule_id: string; warn_kind: string; merge_sec: number; camera_device_id: string }

/** Of these serial numbers the cameras that stand somewhere and look through this box. */
export async function camerasOf(db: Db, school_id: number, box_device_id: string, serials: readonly string[]): Promise<CameraFact[]> {
  const { rows } = await sql<CameraFact>`
    select d.device_id::text as camera_device_id, d.device_sn, p.place_id::text, p.node_path, p.private_zone
    from device d
    join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
    where d.school_id = ${school_id} and d.device_sn = any(${[...serials]}::text[]) and d.device_type = '06' and d.lifecycle in ('active', 'pending')
      and ${box_device_id}::bigint is not null`.execute(db)
  return rows
}

/** The rules in force that look through these cameras, oldest first. */
export async function rulesThrough(db: Db, school_id: number, camera_ids: readonly string[]): Promise<RuleFact[]> {
  if (camera_ids.length === 0) return []
  return db
    .selectFrom('ai_rule as r')
    .innerJoin('ai_rule_camera as c', join => join.onRef('c.school_id', '=', 'r.school_id').onRef('c.rule_id', '=', 'r.rule_id'))
    .select(['r.rule_id', 'r.warn_kind', 'r.merge_sec', 'c.camera_device_id'])
    .where('r.school_id', '=', school_id)
    .where('r.enabled', '=', true)
    .where('r.deleted_at', 'is', null)
    .where('c.camera_device_id', 'in', [...camera_ids])
    .orderBy('r.rule_id')
    .execute()
}
