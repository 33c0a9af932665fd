import { AiPoint, AiRule } from '@campus/devices/contract'
import { isInPlaces } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

const counted_days = 30
const day_ms = 86_400_000

const Camera = z.object({ camera_device_id: z.string(), camera_name: z.string(), node_path: z.string().nullable(), node_path_name: z.string().nullable(), box_name: z.string().nullable(), online: z.boolean(), roi: z.array(AiPoint).nullable() })
/** A rule as it is kept, with its cameras. */
const Row = AiRule.omit({ cameras: true, boxes: true, last_hit_at: true }).extend({ cameras: z.array(Camera), last_hit_at: z.coerce.date().nullable() })
export type AiRuleRecord = z.output<typeof Row>
type Asked = { school_id: number; now: Date; rule_ids?: readonly string[] }

/** The rules of a school, each with its cameras and what the last thirty days made of it. */
export async function readAiRules(db: Db, { school_id, now, rule_ids }: Asked): Promise<AiRuleRecord[]> {
  const since = new Date(now.getTime() - counted_days * day_ms)
  const { rows } = await sql`
    select r.rule_id::text, r.rule_name, r.warn_kind, r.windows, r.sensitivity, r.dwell_sec, r.merge_sec, r.enabled, r.row_version,
      coalesce(c.cameras, '[]') as cameras, coalesce(n.roles, '[]') as notify_roles,
      coalesce(w.warnings, 0)::int as warnings_30d, coalesce(w.decided, 0)::int as decided_30d, coalesce(w.ignored, 0)::int as ignored_30d, w.last_hit_at
    from ai_rule r
    left join lateral (
      select jsonb_agg(jsonb_build_object('camera_device_id', c.camera_device_id::text, 'camera_name', d.device_name, 'node_path', p.node_path, 'node_path_name', p.node_path_name, 'box_name', x.device_name, 'online', d.online, 'roi', c.roi) order by p.node_path_name, d.device_name) as cameras
      from ai_rule_camera c
      join device d on d.school_id = c.school_id and d.device_id = c.camera_device_id
      left join device_place s on s.school_id = c.school_id and s.device_id = c.camera_device_id and s.valid_to is null
      left join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id
      left join camera_binding b on b.school_id = c.school_id and b.camera_device_id = c.camera_device_id and b.bind_kind = 'box' and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now})
      left join device x on x.school_id = b.school_id and x.device_id = b.target_device_id
      where c.school_id = ${school_id} and c.rule_id = r.rule_id) c on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('role_id', v.role_id::text, 'role_name', v.name) order by v.name) as roles from role_v v where v.school_id = ${school_id} and v.role_id = any(r.notify_role_ids)) n on true
    left join lateral (
      select count(*) as warnings, count(*) filter (where state <> 0) as decided, count(*) filter (where state = 1) as ignored, max(end_at) as last_hit_at
      from ai_warning w where w.school_id = ${school_id} and w.rule_id = r.rule_id and w.begin_at > ${since} and w.merged_into is null) w on true
    where r.school_id = ${school_id} and r.deleted_at is null and ${rule_ids === undefined ? sql`true` : sql`r.rule_id = any(${[...rule_ids]}::bigint[])`}
    order by r.enabled desc, r.rule_name`.execute(db)
  return z.array(Row).parse(rows)
}

/** A rule as it is told, without its boxes. */
export function toldAiRule({ cameras, last_hit_at, ...rule }: AiRuleRecord): Omit<AiRule, 'boxes'> {
  return { ...rule, last_hit_at: last_hit_at?.toISOString() ?? null, cameras: cameras.map(({ node_path: _path, ...camera }) => camera) }
}

/** Does any of its cameras (`every`: all of them) stand in these places? */
export function isAiRuleIn({ cameras }: Pick<AiRuleRecord, 'cameras'>, scope: PlaceScope, which: 'some' | 'every'): boolean {
  if (scope === 'all') return true
  const lies = ({ node_path }: { node_path: string | null }) => node_path !== null && isInPlaces(node_path, scope)
  return which === 'some' ? cameras.some(lies) : cameras.every(lies)
}
