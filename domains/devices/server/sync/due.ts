import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { wakePlanner } from '../notice.ts'

/** More people than this, and the devices are derived whole. */
const most_single = 200
/** Stand for everybody, and for the rules alone. */
export const [everybody, rules_alone] = ['0', '-1'] as const

type Asker = { db: QueryExecutorProvider; school_id: number; now: Date }

/** Devices at which these people may pass, or that still hold them, are to be derived again, in the caller's transaction: whoever derives meanwhile takes other lines than its own. */
export async function dueOf({ db, school_id, now }: Asker, user_ids: readonly string[]): Promise<void> {
  const users = [...new Set(user_ids)]
  if (users.length === 0) return
  const who = users.length <= most_single ? sql`user_id` : sql`${everybody}::bigint`
  const { rows } = await sql`
    with working as materialized (
      select d.device_id, p.node_path from device d
      join device_model m on m.model_code = d.model_code and m.driver in ('jdev', 'vf105')
      join device_place dp on dp.school_id = d.school_id and dp.device_id = d.device_id and dp.valid_to is null
      join place_live_v p on p.school_id = dp.school_id and p.place_id = dp.place_id
      where d.school_id = ${school_id} and d.lifecycle in ('active', 'disabled')),
    granted as materialized (
      select distinct g.place_id, g.device_id, ${who} as user_id from subject_grant g where g.school_id = ${school_id} and g.user_id = any(${users}::bigint[]) and exists (select from working)),
    there as (
      select g.user_id, g.device_id, p.node_path from granted g join place_live_v p on p.school_id = ${school_id} and p.place_id = g.place_id)
    insert into sync_due (school_id, device_id, user_id, due_at)
    select ${school_id}::int, w.device_id, t.user_id, ${now}::timestamptz from there t join working w on w.node_path >= t.node_path and w.node_path < left(t.node_path, -1) || '0' and (t.device_id is null or t.device_id = w.device_id)
    union
    select ${school_id}::int, device_id, ${who}, ${now}::timestamptz from sync_row where school_id = ${school_id} and user_id = any(${users}::bigint[]) and (want_op = 'put' or reason_code = 'held')
    returning device_id`.execute(db)
  if (rows.length > 0) await wakePlanner({ db, school_id })
}

/** These devices are to be derived whole, their rules too. */
export async function dueWhole(asker: Asker, device_ids: readonly string[]): Promise<void> {
  await due(asker, device_ids, everybody)
}

/** The rules of these devices may have changed. */
export async function dueRules(asker: Asker, device_ids: readonly string[]): Promise<void> {
  await due(asker, device_ids, rules_alone)
}

async function due({ db, school_id, now }: Asker, device_ids: readonly string[], what: string): Promise<void> {
  if (device_ids.length === 0) return
  await sql`
    insert into sync_due (school_id, device_id, user_id, due_at)
    select ${school_id}::int, device_id, ${what}::bigint, ${now}::timestamptz from unnest(${[...device_ids]}::bigint[]) u(device_id)`.execute(db)
  await wakePlanner({ db, school_id })
}
