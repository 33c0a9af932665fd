import { AiBox } from '@campus/devices/contract'
import type { aiRuleApi } from '@campus/devices/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import type { Reply } from '@kit/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { DevicesCtx } from '../db.ts'
import { schoolDay } from '@campus/school/server'
import { warnRuleKey } from './rule.plan.ts'

const lately_days = 90
const day_ms = 86_400_000
const Instant = z.coerce.date().nullable().transform(at => at?.toISOString() ?? null)
const Box = AiBox.extend({ last_seen_at: Instant, last_hit_at: Instant, cameras: z.array(AiBox.shape.cameras.element.extend({ last_hit_at: Instant })) })

/** The boxes in the places that the reader may see, with the cameras that feed them and the rules that look through those. */
export async function listBoxes(ctx: DevicesCtx): Promise<Reply<typeof aiRuleApi.boxes>> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const today = new Date(`${schoolDay(now)}T00:00:00+08:00`)
  const lately = new Date(now.getTime() - lately_days * day_ms)
  const { rows } = await sql`
    select x.device_id::text, x.device_name, x.model_code, p.node_path_name, v.device_state, x.last_seen_at, coalesce(m.capabilities -> 'algorithms', '[]') as algorithms,
      (select count(*)::int from sync_row r where r.school_id = ${school_id} and r.device_id = x.device_id and r.kind = 'rule' and r.row_key like ${warnRuleKey('%')} and r.want_op = 'put') as rules_wanted,
      (select count(*)::int from sync_row r where r.school_id = ${school_id} and r.device_id = x.device_id and r.kind = 'rule' and r.row_key like ${warnRuleKey('%')} and r.want_op = 'put' and r.state in ('applied', 'proven')) as rules_applied,
      (select max(w.end_at) from ai_warning w where w.school_id = ${school_id} and w.box_device_id = x.device_id and w.begin_at > ${lately}) as last_hit_at,
      (select count(*)::int from ai_hit h where h.school_id = ${school_id} and h.device_id = x.device_id and h.received_at >= ${today} and h.dropped is null) as hits_today,
      (select count(*)::int from ai_hit h where h.school_id = ${school_id} and h.device_id = x.device_id and h.received_at >= ${today} and h.dropped is not null) as dropped_today,
      coalesce((
        select jsonb_agg(jsonb_build_object('device_id', c.device_id::text, 'device_name', c.device_name, 'node_path_name', cp.node_path_name, 'online', c.online,
          'last_hit_at', (select max(w.end_at) from ai_warning w where w.school_id = ${school_id} and w.camera_device_id = c.device_id and w.begin_at > ${lately}),
          'rules', coalesce((select jsonb_agg(jsonb_build_object('rule_id', r.rule_id::text, 'rule_name', r.rule_name, 'warn_kind', r.warn_kind, 'enabled', r.enabled) order by r.rule_name)
            from ai_rule_camera rc join ai_rule r on r.school_id = rc.school_id and r.rule_id = rc.rule_id and r.deleted_at is null where rc.school_id = ${school_id} and rc.camera_device_id = c.device_id), '[]')) order by cp.node_path_name, c.device_name)
        from camera_binding b
        join device c on c.school_id = b.school_id and c.device_id = b.camera_device_id and c.lifecycle <> 'retired'
        left join device_place cs on cs.school_id = c.school_id and cs.device_id = c.device_id and cs.valid_to is null
        left join place_live_v cp on cp.school_id = cs.school_id and cp.place_id = cs.place_id
        where b.school_id = ${school_id} and b.target_device_id = x.device_id and b.bind_kind = 'box' and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now}) and ${inPlaces('cp.node_path', scope)}), '[]') as cameras
    from device x
    join device_live_v v on v.school_id = x.school_id and v.device_id = x.device_id
    join device_model m on m.model_code = x.model_code
    left join place_live_v p on p.school_id = v.school_id and p.place_id = v.place_id
    where x.school_id = ${school_id} and x.device_type = '15' and ${inPlaces('p.node_path', scope)}
    order by p.node_path_name nulls last, x.device_name`.execute(db)
  return { list: z.array(Box).parse(rows) }
}
