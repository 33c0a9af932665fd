import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { wakePlanner } from '../notice.ts'

/** More people than this, and the devices are derived whole. */
const most_single = 200
/** Stands for everybody. */
const everybody = '0'

type Asker = { db: QueryExecutorProvider; school_id: number; now: Date }

/** Devices at which these people may pass are to be derived again, in the caller's transaction. */
export async function dueOf({ db, school_id, now }: Asker, user_ids: readonly string[]): Promise<void> {
  const users = [...new Set(user_ids)]
  if (users.length === 0) return
  const single = users.length <= most_single
  await sql`
    insert into sync_due (school_id, device_id, user_id, due_at)
    select distinct ${school_id}::int, d.device_id, ${single ? sql`g.user_id` : sql`0::bigint`}, ${now}::timestamptz
    from subject_grant g
    join place_live_v gp on gp.school_id = g.school_id and gp.place_id = g.place_id
    join place_live_v p on p.school_id = g.school_id and p.node_path >= gp.node_path and p.node_path < left(gp.node_path, -1) || '0'
    join device_place dp on dp.school_id = g.school_id and dp.place_id = p.place_id and dp.valid_to is null
    join device d on d.school_id = g.school_id and d.device_id = dp.device_id and d.lifecycle in ('active', 'disabled')
    join device_model m on m.model_code = d.model_code and m.driver in ('jdev', 'vf105')
    where g.school_id = ${school_id} and g.user_id = any(${users}::bigint[]) and (g.device_id is null or g.device_id = d.device_id)
    union
    select ${school_id}::int, r.device_id, ${single ? sql`r.user_id` : sql`0::bigint`}, ${now}::timestamptz
    from sync_row r where r.school_id = ${school_id} and r.user_id = any(${users}::bigint[]) and r.want_op = 'put'
    on conflict do nothing`.execute(db)
  await wakePlanner({ db, school_id })
}

/** These devices are to be derived whole. */
export async function dueWhole({ db, school_id, now }: Asker, device_ids: readonly string[]): Promise<void> {
  if (device_ids.length === 0) return
  await sql`
    insert into sync_due (school_id, device_id, user_id, due_at)
    select ${school_id}::int, device_id, ${everybody}::bigint, ${now}::timestamptz from unnest(${[...device_ids]}::bigint[]) u(device_id) on conflict do nothing`.execute(db)
  await wakePlanner({ db, school_id })
}
