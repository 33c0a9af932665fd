import { CameraView } from '@campus/devices/contract'
import { inPlaces } from '@campus/places/server'
import type { PlaceScope } from '@campus/places/server'
import { nameHas, nameKeyOf } from '@kit/server/db'
import { sql } from 'kysely'
import type { Db } from '../db.ts'

type Who = { school_id: number; device_id: string; user_id: string }

/** Somebody goes on watching, or begins: within `grace_ms` of the last sign of it, it is the same look. */
export async function noteView(db: Db, { school_id, device_id, user_id }: Who, { kind, now, grace_ms }: { kind: CameraView['kind']; now: Date; grace_ms: number }): Promise<void> {
  if (await moveView(db, { school_id, device_id, user_id }, { now, grace_ms })) return
  await db.insertInto('camera_view').values({ school_id, begin_at: now, device_id, user_id, kind, seen_until: now }).execute()
}

/** Moves the end of a look that is going on. @returns how long it has been, in whole seconds; undefined when there is none */
export async function moveView(db: Db, { school_id, device_id, user_id }: Who, { now, grace_ms }: { now: Date; grace_ms: number }): Promise<number | undefined> {
  const { rows: [look] } = await sql<{ begin_at: Date; seen_until: Date }>`
    update camera_view set seen_until = greatest(seen_until, ${now}::timestamptz)
    where school_id = ${school_id} and user_id = ${user_id} and device_id = ${device_id} and seen_until >= ${new Date(now.getTime() - grace_ms)}
    returning begin_at, seen_until`.execute(db)
  return look && Math.round((look.seen_until.getTime() - look.begin_at.getTime()) / 1000)
}

export type ViewFilter = { school_id: number; scope: PlaceScope; now: Date; camera_id?: string | undefined; keyword?: string | undefined; from?: string | undefined; to?: string | undefined }

function selectViews(db: Db, { school_id, scope, now, camera_id, keyword, from, to }: ViewFilter) {
  return db
    .selectFrom('camera_view as v')
    .innerJoin('device as d', join => join.onRef('d.school_id', '=', 'v.school_id').onRef('d.device_id', '=', 'v.device_id'))
    .leftJoin('device_place as dp', join => join.onRef('dp.school_id', '=', 'd.school_id').onRef('dp.device_id', '=', 'd.device_id').on('dp.valid_from', '<=', now).on(eb => eb.or([eb('dp.valid_to', 'is', null), eb('dp.valid_to', '>', now)])))
    .leftJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .leftJoin('person_label as u', join => join.onRef('u.school_id', '=', 'v.school_id').onRef('u.user_id', '=', 'v.user_id'))
    .where('v.school_id', '=', school_id)
    .where(inPlaces('p.node_path', scope))
    .$if(camera_id !== undefined, query => query.where('v.device_id', '=', camera_id ?? ''))
    .$if(keyword !== undefined, query => query.where(sql<boolean>`(${nameHas(nameKeyOf('d.device_name'), keyword ?? '')} or ${nameHas(nameKeyOf('u.display_name'), keyword ?? '')})`))
    .$if(from !== undefined, query => query.where(sql<boolean>`v.begin_at >= (${from ?? ''}::date)::timestamp at time zone 'Asia/Shanghai'`))
    .$if(to !== undefined, query => query.where(sql<boolean>`v.begin_at < (${to ?? ''}::date + 1)::timestamp at time zone 'Asia/Shanghai'`))
}

/** Who has watched what, the newest first. */
export async function readViews(db: Db, filter: ViewFilter, { limit, offset }: { limit: number; offset: number }): Promise<{ list: CameraView[]; total: number }> {
  const { total } = await selectViews(db, filter).select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow()
  const rows = await selectViews(db, filter)
    .select(['v.view_id', 'v.device_id as camera_id', 'd.device_name', 'p.node_path_name', 'u.display_name as user_name', 'v.kind', 'v.begin_at', sql<number>`extract(epoch from v.seen_until - v.begin_at)::int`.as('seconds')])
    .orderBy('v.begin_at', 'desc')
    .orderBy('v.view_id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { list: rows.map(row => CameraView.parse({ ...row, begin_at: row.begin_at.toISOString() })), total }
}
