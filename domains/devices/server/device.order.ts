import { gate_types } from '@campus/devices/contract'
import type { DeviceSort } from '@campus/devices/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { device_state } from './device.state.ts'
import { has_drift } from './proof/drift.queries.ts'
import { has_queue, next_wait } from './state/state.queries.ts'

/** In which order devices come; `planned_off`: those that their rule has switched off, which nobody misses. */
export type DeviceOrder = { sort: DeviceSort; planned_off: readonly string[] }

const by_place = sql`p.node_path nulls last, d.device_type, d.device_id`
const is_held = sql`exists (select from sync_plan h where h.school_id = d.school_id and h.device_id = d.device_id and h.state = 'held')`

/** `order by` of a list of devices `d` that stand in places `p`; the last one decides, so that every device stands on one page. */
export function deviceOrder({ sort, planned_off }: DeviceOrder): RawBuilder<unknown> {
  if (sort === 'name') return sql`d.device_name, d.device_id`
  if (sort === 'seen') return sql`d.last_seen_at nulls first, d.device_id`
  return sort === 'place' ? by_place : byTrouble(planned_off)
}

/** Gates in trouble, then others: broken, silent, other than they are to be, waiting for a signature, waiting for the longest; then by kind and place. One that has never come or that somebody has stopped is no trouble. */
function byTrouble(planned_off: readonly string[]): RawBuilder<unknown> {
  const trouble = sql`case when d.lifecycle <> 'active' then 9 when ${device_state} = '2' then 1 when ${device_state} = '0' and d.device_id <> all(${[...planned_off]}::bigint[]) then 2 when ${has_drift} then 3 when ${is_held} then 4 when ${has_queue} then 5 else 9 end`
  return sql`(select case when t.rank = 9 then 90 when d.device_type = any(${[...gate_types]}::text[]) then t.rank else t.rank + 10 end from (select ${trouble} as rank) t), ${next_wait} nulls last, d.device_type, ${by_place}`
}
