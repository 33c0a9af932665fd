import { DEVICE_DIRECTION, DEVICE_TYPE, rule_kinds } from '@campus/devices/contract'
import type { PlaceEra } from '@campus/places/contract'
import { inPlaces } from '@campus/places/server'
import type { HistoryAsked } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Db, DevicesDb } from './db.ts'

type Row = { kind: PlaceEra['kind']; title: string; note: string | null; valid_from: Date; valid_to: Date | null }
const types = Object.entries(DEVICE_TYPE.names)
const directions = Object.entries(DEVICE_DIRECTION.names)
const named = (list: readonly [string, string][], column: string) => sql`case ${sql.ref(column)}::text ${sql.join(list.map(([code, name]) => sql`when ${code} then ${name}::text`), sql` `)} end`

/**
 * What stood in a place, watched it, or was for it or for something it lies in: each as far as the reader may see it (chapter 30 §5). Whoever looks after this place alone is told that something above decides here, and not its name: the rule itself
 * is not his to see.
 */
export async function erasOf(handle: QueryExecutorProvider, asked: HistoryAsked): Promise<PlaceEra[]> {
  const db = asTables<DevicesDb>(handle)
  const { codes } = asked
  const parts = [
    ...(codes.has('devices.device.view') ? [devicesOf] : []), ...(codes.has('devices.camera.view') ? [camerasOf] : []),
    ...(codes.has('devices.rule.view') ? [rulesOf] : []), ...(codes.has('devices.config.view') ? [profilesOf] : []),
  ]
  const rows: Row[] = []
  for (const part of parts) rows.push(...(await part(db, asked)))
  return rows.map(({ valid_from, valid_to, ...row }) => ({ ...row, from: valid_from.toISOString(), to: valid_to?.toISOString() ?? null }))
}

type Part = (db: Db, asked: HistoryAsked) => Promise<Row[]>
const own = (ids: readonly string[]) => ids.at(-1) ?? ''

const devicesOf: Part = async (db, { school_id, ids }) =>
  (await sql<Row>`
    select 'device' as kind, d.device_name as title, ${named(types, 'd.device_type')} || ' · ' || ${named(directions, 'p.direction')} as note, p.valid_from, p.valid_to
    from device_place p join device d on d.school_id = p.school_id and d.device_id = p.device_id where p.school_id = ${school_id} and p.place_id = ${own(ids)}`.execute(db)).rows

const camerasOf: Part = async (db, { school_id, ids }) =>
  (await sql<Row>`
    select 'camera' as kind, d.device_name as title, '拍摄这里' as note, b.valid_from, b.valid_to
    from camera_binding b join device d on d.school_id = b.school_id and d.device_id = b.camera_device_id where b.school_id = ${school_id} and b.place_id = ${own(ids)}`.execute(db)).rows

const rulesOf: Part = async (db, { school_id, ids, scope }) =>
  (await sql<Row>`
    select distinct 'rule' as kind, ${seen('r.rule_name', scope)} as title, ${named(Object.entries(rule_kinds), 'r.rule_kind')} || ${above(ids, scope)} as note, t.valid_from, t.valid_to
    from device_rule_target t join device_rule r on r.school_id = t.school_id and r.rule_id = t.rule_id join place_path_v p on p.school_id = t.school_id and p.place_id = t.place_id
    where t.school_id = ${school_id} and t.place_id = any(${[...ids]}::bigint[])`.execute(db)).rows

const profilesOf: Part = async (db, { school_id, ids, scope }) =>
  (await sql<Row>`
    select distinct 'profile' as kind, ${seen('f.profile_name', scope)} as title, '配置方案' || ${above(ids, scope)} as note, t.valid_from, t.valid_to
    from config_profile_target t join config_profile f on f.school_id = t.school_id and f.profile_id = t.profile_id join place_path_v p on p.school_id = t.school_id and p.place_id = t.place_id
    where t.school_id = ${school_id} and t.place_id = any(${[...ids]}::bigint[])`.execute(db)).rows

/** The name of what is for a place, where that place is the reader's to see. */
function seen(column: string, scope: HistoryAsked['scope']) {
  return sql`case when ${inPlaces('p.node_path', scope)} then ${sql.ref(column)} else '上级场所统一设置' end`
}

/** What is for a place is for everything below it: said by the name of that place. */
function above(ids: readonly string[], scope: HistoryAsked['scope']) {
  return sql`case when p.place_id = ${own(ids)} then '' when ${inPlaces('p.node_path', scope)} then '（适用于' || p.place_name || '）' else '（由上级场所的负责人管理）' end`
}
