import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { wakePlanner } from '../notice.ts'

/** More people than this, and the devices are derived whole. */
const most_single = 200
/** Stand for everything of a device, for its rules alone, for its settings alone and for all of its people alone. */
export const [everything, rules_alone, config_alone, people_alone] = ['0', '-1', '-2', '-3'] as const

type Asker = { db: QueryExecutorProvider; school_id: number; now: Date }

/** Devices at which these people may pass, or that still hold them, are to be derived again, in the caller's transaction: whoever derives meanwhile takes other lines than its own. */
export async function dueOf({ db, school_id, now }: Asker, user_ids: readonly string[]): Promise<void> {
  const users = [...new Set(user_ids)]
  if (users.length === 0) return
  const are_single = users.length <= most_single
  const who = are_single ? sql`user_id` : sql`${people_alone}::bigint`
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
    select ${school_id}::int, h.device_id, ${who}, ${now}::timestamptz from ${are_single ? holding(school_id, users) : holdingAny(school_id, users)} h
    returning device_id`.execute(db)
  if (rows.length > 0) await wakePlanner({ db, school_id })
}

/** Devices that hold these people, with whom. */
function holding(school_id: number, users: readonly string[]) {
  return sql`(select device_id, user_id from sync_row where school_id = ${school_id} and user_id = any(${[...users]}::bigint[]) and (want_op = 'put' or reason_code = 'held'))`
}

/** Devices that hold any of so many people: each is looked through until the first of them is found. By the people, all rows of all of them would be read. */
function holdingAny(school_id: number, users: readonly string[]) {
  return sql`(select d.device_id from device d where d.school_id = ${school_id} and exists (
    select from sync_row r where r.school_id = ${school_id} and r.device_id = d.device_id and r.user_id + 0 = any(${[...users]}::bigint[]) and (r.want_op = 'put' or r.reason_code = 'held') limit 1))`
}

/** These devices are to be derived whole, their rules too. */
export async function dueWhole(asker: Asker, device_ids: readonly string[]): Promise<void> {
  await due(asker, device_ids, everything)
}

/** The rules of these devices may have changed. */
export async function dueRules(asker: Asker, device_ids: readonly string[]): Promise<void> {
  await due(asker, device_ids, rules_alone)
}

/** The settings of these devices may have changed. */
export async function dueConfig(asker: Asker, device_ids: readonly string[]): Promise<void> {
  await due(asker, device_ids, config_alone)
}

/** What was taken of these devices is due once more: it was more than goes together. It keeps its turn. */
export async function dueLater({ db, school_id }: Pick<Asker, 'db' | 'school_id'>, lines: readonly { device_id: string; due_at: Date }[]): Promise<void> {
  if (lines.length === 0) return
  await sql`
    insert into sync_due (school_id, device_id, user_id, due_at)
    select ${school_id}::int, l.device_id, ${people_alone}::bigint, l.due_at from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) l(device_id bigint, due_at timestamptz) returning 1`.execute(db)
}

async function due({ db, school_id, now }: Asker, device_ids: readonly string[], what: string): Promise<void> {
  if (device_ids.length === 0) return
  await sql`
    insert into sync_due (school_id, device_id, user_id, due_at)
    select ${school_id}::int, device_id, ${what}::bigint, ${now}::timestamptz from unnest(${[...device_ids]}::bigint[]) u(device_id) returning 1`.execute(db)
  await wakePlanner({ db, school_id })
}
