import { CardSighting } from '@campus/devices/contract'
import type { readerApi } from '@campus/devices/contract'
import { inPlaces, placeScope } from '@campus/places/server'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { DevicesCtx } from '../db.ts'

/**
 * Cards that devices in the reader's places have seen: those that nobody knows, or those that are known but written otherwise. What has become known since, or is known no more, is left out.
 */
export async function listSightings(ctx: DevicesCtx, { kind, page_index, page_size }: Input<typeof readerApi.sightings>): Promise<Reply<typeof readerApi.sightings>> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const is_kind = kind === 'unknown' ? sql<boolean>`g.credential_id is null` : sql<boolean>`c.credential_id is not null`
  const from = sql`
    from card_sighting g
    join device d on d.school_id = g.school_id and d.device_id = g.device_id and d.lifecycle <> 'retired'
    left join device_place dp on dp.school_id = g.school_id and dp.device_id = g.device_id and dp.valid_to is null
    left join place_live_v p on p.school_id = dp.school_id and p.place_id = dp.place_id
    left join subject_credential c on c.school_id = g.school_id and c.credential_id = g.credential_id and c.usable
    left join subject s on s.school_id = c.school_id and s.user_id = c.user_id
    where g.school_id = ${school_id} and ${is_kind} and ${inPlaces('p.node_path', scope)}
      and not exists (select from subject_credential k where k.school_id = ${school_id} and k.cred_kind = 'card' and k.usable and k.code_digest = g.code_ref)`
  const { rows } = await sql<Record<string, unknown>>`
    select g.device_id || ' ' || g.code_ref as sighting_id, g.device_id::text, d.device_name, dp.place_id::text, p.node_path_name, g.code_masked, g.heard_input, g.heard_order, s.user_name, s.dept_name, g.times, g.first_at, g.last_at
    ${from} order by g.last_at desc, g.device_id, g.code_ref limit ${page_size} offset ${(page_index - 1) * page_size}`.execute(db)
  const counted = await sql<{ total: number }>`select count(*)::int as total ${from}`.execute(db)
  return { list: rows.map(row => CardSighting.parse(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value])))), total: counted.rows[0]?.total ?? 0 }
}
