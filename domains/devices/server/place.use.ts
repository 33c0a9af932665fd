import { DEVICE_TYPE, rule_kinds, watching_types } from '@campus/devices/contract'
import type { PlaceAsked, PlaceUseFound } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import type { Db, DevicesDb } from './db.ts'

const Type = z.enum(DEVICE_TYPE.codes)
/** What somebody does about what uses a place. */
const ways = { device: '请在“设备”页签移到别处，或在设备管理中退役', camera: '请在视频监控的“摄像机”页签解绑', profile: '请在设备配置的配置方案里，从适用范围中去掉这个场所' } as const
const rule_way = sql.join(Object.entries(rule_kinds).map(([kind, name]) => sql`when ${kind} then ${`请在${name}里，从适用范围中去掉这个场所`}::text`), sql` `)

/** The devices that stand in places which are to be closed or to become something else (chapter 30 rules 21, 23). */
export async function devicesIn(db: QueryExecutorProvider, { school_id, place_ids, change }: PlaceAsked): Promise<PlaceUseFound[]> {
  if (change.to === 'forget') return everIn(asTables<DevicesDb>(db), { school_id, place_ids })
  const rows = await asTables<DevicesDb>(db)
    .selectFrom('device_live_v')
    .select(['place_id', 'device_type', sql<number>`count(*)::int`.as('count')])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`place_id = any(${[...place_ids]}::bigint[])`)
    .groupBy(['place_id', 'device_type'])
    .orderBy('device_type')
    .execute()
  const is_private = change.to === 'kind' && change.private_zone
  const bound = change.to === 'close' || is_private ? await boundCameras(asTables<DevicesDb>(db), { school_id, place_ids }) : []
  const matters = change.to === 'close' ? rows : rows.filter(row => is_private && watching_types.includes(row.device_type))
  const aims = change.to === 'close' ? await aimedAt(asTables<DevicesDb>(db), { school_id, place_ids }) : []
  return [...matters.flatMap(({ place_id, device_type, count }) => (place_id === null ? [] : [{ place_id, title: `${DEVICE_TYPE.names[Type.parse(device_type)]}${count}台`, way: ways.device }])), ...bound, ...aims]
}

/** What ever stood in these places, watched them, was ruled there or is drawn on a floor plan: all of it names them. */
async function everIn(db: Db, { school_id, place_ids }: Pick<PlaceAsked, 'school_id' | 'place_ids'>): Promise<PlaceUseFound[]> {
  const ids = [...place_ids]
  const { rows } = await sql<{ place_id: string }>`
    select place_id::text as place_id from device_place where school_id = ${school_id} and place_id = any(${ids}::bigint[])
    union select place_id::text from camera_binding where school_id = ${school_id} and place_id = any(${ids}::bigint[])
    union select place_id::text from device_rule_target where school_id = ${school_id} and place_id = any(${ids}::bigint[])
    union select place_id::text from config_profile_target where school_id = ${school_id} and place_id = any(${ids}::bigint[])
    union select place_id::text from floor_plan where school_id = ${school_id} and place_id = any(${ids}::bigint[])
    union select pinned_place_id::text from floor_pin where school_id = ${school_id} and pinned_place_id = any(${ids}::bigint[])
    union select place_id::text from subject_grant where school_id = ${school_id} and place_id = any(${ids}::bigint[])`.execute(db)
  return rows.map(({ place_id }) => ({ place_id, title: '设备' }))
}

/** Rules and profiles that are for these places themselves. */
async function aimedAt(db: Db, { school_id, place_ids }: Pick<PlaceAsked, 'school_id' | 'place_ids'>): Promise<PlaceUseFound[]> {
  const ids = [...place_ids]
  const { rows } = await sql<PlaceUseFound>`
    select t.place_id::text as place_id, '规则“' || r.rule_name || '”的适用范围' as title, case r.rule_kind::text ${rule_way} end as way from device_rule_target t join device_rule r on r.school_id = t.school_id and r.rule_id = t.rule_id
      where t.school_id = ${school_id} and t.place_id = any(${ids}::bigint[]) and t.valid_to is null
    union select t.place_id::text, '配置方案“' || p.profile_name || '”的适用范围', ${ways.profile}::text from config_profile_target t join config_profile p on p.school_id = t.school_id and p.profile_id = t.profile_id
      where t.school_id = ${school_id} and t.place_id = any(${ids}::bigint[]) and t.valid_to is null
    order by title`.execute(db)
  return rows
}

/** Cameras that stand elsewhere and watch these places. */
async function boundCameras(db: Db, { school_id, place_ids }: Pick<PlaceAsked, 'school_id' | 'place_ids'>): Promise<PlaceUseFound[]> {
  const rows = await db
    .selectFrom('camera_binding')
    .select(['place_id', sql<number>`count(*)::int`.as('count')])
    .where('school_id', '=', school_id)
    .where(sql<boolean>`place_id = any(${[...place_ids]}::bigint[])`)
    .where('valid_to', 'is', null)
    .groupBy('place_id')
    .execute()
  return rows.flatMap(({ place_id, count }) => (place_id === null ? [] : [{ place_id, title: `绑定的摄像机${count}台`, way: ways.camera }]))
}
