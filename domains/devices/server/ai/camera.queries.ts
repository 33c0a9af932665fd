import { AiRule } from '@campus/devices/contract'
import type { AiCamera } from '@campus/devices/contract'
import { inPlaces } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

/** A camera through which a box looks: where it stands, and whether people undress there. */
export type CameraFact = { camera_device_id: string; device_sn: string; place_id: string; node_path: string; private_zone: boolean }
const Rule = AiRule.pick({ rule_id: true, warn_kind: true, merge_sec: true, windows: true }).extend({ camera_device_id: z.string() })
/** What is to be warned of through a camera, and when. */
export type RuleFact = z.output<typeof Rule>

/** Boxes whose model knows an algorithm of a kind say so in their capabilities. */
const knows = (warn_kind: string) => sql<boolean>`m.capabilities -> 'algorithms' ? ${warn_kind}`

/** Of these serial numbers the cameras that stand somewhere and feed this box at a moment. */
export async function camerasOf(db: Db, { school_id, device_id, now }: { school_id: number; device_id: string; now: Date }, serials: readonly string[]): Promise<CameraFact[]> {
  const { rows } = await sql<CameraFact>`
    select d.device_id::text as camera_device_id, d.device_sn, p.place_id::text, p.node_path, p.private_zone
    from device d
    join camera_binding b on b.school_id = d.school_id and b.camera_device_id = d.device_id and b.bind_kind = 'box' and b.target_device_id = ${device_id} and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now})
    join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
    where d.school_id = ${school_id} and d.device_sn = any(${[...serials]}::text[]) and d.lifecycle <> 'retired'`.execute(db)
  return rows
}

/** The rules in force that look through these cameras, oldest first. */
export async function rulesThrough(db: Db, school_id: number, camera_ids: readonly string[]): Promise<RuleFact[]> {
  if (camera_ids.length === 0) return []
  const rows = await db
    .selectFrom('ai_rule as r')
    .innerJoin('ai_rule_camera as c', join => join.onRef('c.school_id', '=', 'r.school_id').onRef('c.rule_id', '=', 'r.rule_id'))
    .select(['r.rule_id', 'r.warn_kind', 'r.merge_sec', 'r.windows', 'c.camera_device_id'])
    .where('r.school_id', '=', school_id)
    .where('r.enabled', '=', true)
    .where('r.deleted_at', 'is', null)
    .where('c.camera_device_id', 'in', [...camera_ids])
    .orderBy('r.rule_id')
    .execute()
  return z.array(Rule).parse(rows)
}

/** A camera that feeds a box, with where it stands. */
export type SeeingCamera = { camera_device_id: string; box_device_id: string; place_id: string; node_path_name: string }

/** The cameras of a school that feed boxes at a moment and stand where people may be watched, by place. */
export async function seeingCameras(db: QueryExecutorProvider, school_id: number, now: Date): Promise<SeeingCamera[]> {
  const { rows } = await sql<SeeingCamera>`
    select b.camera_device_id::text, b.target_device_id::text as box_device_id, p.place_id::text, p.node_path_name
    from camera_binding b
    join device_place s on s.school_id = b.school_id and s.device_id = b.camera_device_id and s.valid_to is null
    join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id and not p.private_zone
    where b.school_id = ${school_id} and b.bind_kind = 'box' and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now})
    order by p.node_path_name, b.camera_device_id`.execute(db)
  return rows
}

type Sought = { school_id: number; now: Date; scope: PlaceScope; warn_kind: AiRule['warn_kind']; /** these may be away at the moment */ away?: readonly string[] }

/** The cameras that are there, feed a box that knows this kind, and stand where people may be watched (chapter 30 §4). */
export async function readValidCameras(db: Db, { school_id, now, scope, warn_kind, away = [] }: Sought): Promise<Omit<AiCamera, 'snapshot_url'>[]> {
  const { rows } = await sql<Omit<AiCamera, 'snapshot_url' | 'snapshot_at'> & { snapshot_at: Date | string | null }>`
    select d.device_id::text as camera_device_id, d.device_name as camera_name, p.place_id::text, p.node_path_name, x.device_id::text as box_device_id, x.device_name as box_name, c.snapshot_at
    from device d
    left join camera c on c.school_id = d.school_id and c.device_id = d.device_id
    join camera_binding b on b.school_id = d.school_id and b.camera_device_id = d.device_id and b.bind_kind = 'box' and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now})
    join device x on x.school_id = b.school_id and x.device_id = b.target_device_id and x.lifecycle = 'active'
    join device_model m on m.model_code = x.model_code and ${knows(warn_kind)}
    join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id and not p.private_zone
    where d.school_id = ${school_id} and d.lifecycle = 'active' and (d.online or d.device_id = any(${[...away]}::bigint[])) and ${inPlaces('p.node_path', scope)}
    order by p.node_path_name, d.device_name`.execute(db)
  return rows.map(row => ({ ...row, snapshot_at: row.snapshot_at === null ? null : new Date(row.snapshot_at).toISOString() }))
}
