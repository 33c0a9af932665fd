import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** What a profile is for from now on; what it was for stays written. */
export async function writeTargets({ db, school_id, now }: { db: Db; school_id: number; now: Date }, profile_id: string, { device_ids, place_ids }: { device_ids: readonly string[]; place_ids: readonly string[] }): Promise<void> {
  await sql`
    update config_profile_target set valid_to = ${now} where school_id = ${school_id} and profile_id = ${profile_id} and valid_to is null
      and not coalesce(device_id = any(${[...device_ids]}::bigint[]), false) and not coalesce(place_id = any(${[...place_ids]}::bigint[]), false)`.execute(db)
  await sql`
    insert into config_profile_target (school_id, profile_id, device_id, place_id, valid_from)
    select ${school_id}::int, ${profile_id}::bigint, t.device_id, t.place_id, ${now}::timestamptz
    from (select distinct device_id, null::bigint as place_id from unnest(${[...device_ids]}::bigint[]) u(device_id) union select null::bigint, place_id from unnest(${[...place_ids]}::bigint[]) u(place_id)) t
    on conflict do nothing`.execute(db)
}
