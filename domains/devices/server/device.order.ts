import { gate_types } from '@campus/devices/contract'
import type { DeviceSort } from '@campus/devices/contract'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { deviceState } from './device.state.ts'
import { nextWait } from './state/state.queries.ts'

/** In which order devices come; `unmissed`: those whose silence is no trouble, since their rule has switched them off or somebody works at them. */
export type DeviceOrder = { sort: DeviceSort; unmissed: readonly string[] }

const by_place = sql`p.node_path nulls last, d.device_type, d.device_id`

/** `order by` of a list of devices `d` that stand in places `p`; the last one decides, so that every device stands on one page. */
export function deviceOrder(school_id: number, { sort, unmissed }: DeviceOrder): RawBuilder<unknown> {
  if (sort === 'name') return sql`d.device_name, d.device_id`
  if (sort === 'seen') return sql`d.last_seen_at nulls first, d.device_id`
  return sort === 'place' ? by_place : byTrouble(school_id, unmissed)
}

/**
 * Gates in trouble, then others: broken, silent, other than they are to be, waiting for a signature, waiting for the longest; then by kind and place. One that has never come or that somebody has stopped is no trouble.
 * What few devices have is read once for all of them, and the state and the wait of each once.
 */
function byTrouble(school_id: number, unmissed: readonly string[]): RawBuilder<unknown> {
  const differs = sql`array(select x.device_id from sync_drift x where x.school_id = ${school_id} and x.resolved_at is null)`
  const held = sql`array(select h.device_id from sync_plan h where h.school_id = ${school_id} and h.state = 'held')`
  const trouble = sql`case when w.state = '2' then 1 when w.state = '0' and d.device_id <> all(${[...unmissed]}::bigint[]) then 2 when d.device_id = any(${differs}) then 3 when d.device_id = any(${held}) then 4 when w.at is not null then 5 end`
  const later = sql`case when d.device_type = any(${[...gate_types]}::text[]) then 0 else 10 end`
  const ranked = sql`select ${trouble} as rank, w.at from (select ${deviceState(school_id)} as state, ${nextWait(school_id)} as at offset 0) w offset 0`
  return sql`case when d.lifecycle = 'active' then (select array[t.rank + ${later}, extract(epoch from t.at)] from (${ranked}) t where t.rank is not null) end nulls last, d.device_type, ${by_place}`
}
