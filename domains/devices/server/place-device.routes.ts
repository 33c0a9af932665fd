import { PlaceDevice, placeDeviceApi, PlaceDeviceCount } from '@campus/devices/contract'
import { inPlaces, isInPlaces, placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { implement } from './db.ts'
import type { DevicesCtx } from './db.ts'
import { deviceState } from './device.state.ts'

/** More than any campus has. */
const most_rows = 2000

export const placeDeviceRoutes = implement(placeDeviceApi, { counts: (ctx, asked) => countsAt(ctx, asked), list: (ctx, asked) => devicesAt(ctx, asked) })

/** Living devices by the place they stood in at an instant. */
async function countsAt(ctx: DevicesCtx, { at }: Input<typeof placeDeviceApi.counts>): Promise<Reply<typeof placeDeviceApi.counts>> {
  const scope = await placeScope(ctx)
  const rows = await standing(ctx, at)
    .select(['dp.place_id', sql<number>`count(*)::int`.as('total'), sql<number>`count(*) filter (where ${deviceState(ctx.school_id)} = '1')::int`.as('online')])
    .where(inPlaces('p.node_path', scope))
    .where('d.lifecycle', '<>', 'retired')
    .groupBy('dp.place_id')
    .execute()
  return { list: rows.map(row => PlaceDeviceCount.parse(row)) }
}

/** Which device stood where at an instant. */
function standing({ db, school_id, now }: DevicesCtx, at: string | undefined) {
  const when = at === undefined ? now : new Date(at)
  return db
    .selectFrom('device_place as dp')
    .innerJoin('device as d', join => join.onRef('d.school_id', '=', 'dp.school_id').onRef('d.device_id', '=', 'dp.device_id'))
    .innerJoin('place_path_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .where('dp.school_id', '=', school_id)
    .where('dp.valid_from', '<=', when)
    .where(eb => eb.or([eb('dp.valid_to', 'is', null), eb('dp.valid_to', '>', when)]))
}

/** What stood in a place at an instant; a closed place tells of its past too. @throws Refusal 404 for a place out of sight */
async function devicesAt(ctx: DevicesCtx, { id, subtree = false, at }: Input<typeof placeDeviceApi.list>): Promise<Reply<typeof placeDeviceApi.list>> {
  const { db, school_id } = ctx
  const scope = await placeScope(ctx)
  const { rows: [place] } = await sql<{ node_path: string }>`select node_path from place_path_v where school_id = ${school_id} and place_id = ${id}`.execute(db)
  if (!place || !isInPlaces(place.node_path, scope)) throw fail(commonErrors.notFound)
  const rows = await standing(ctx, at)
    .select(['d.device_id', 'd.device_sn', 'd.device_name', 'd.device_type', 'd.model_code', 'd.lifecycle', 'd.last_seen_at', deviceState(school_id).as('device_state'), 'p.node_path_name', 'dp.place_id', 'dp.direction', 'dp.valid_from', 'dp.valid_to'])
    .where(subtree ? inPlaces('p.node_path', [place.node_path]) : sql<boolean>`dp.place_id = ${id}`)
    .where(inPlaces('p.node_path', scope))
    .orderBy('p.node_path')
    .orderBy('d.device_type')
    .orderBy('d.device_id')
    .limit(most_rows)
    .execute()
  return { list: rows.map(({ last_seen_at, valid_from, valid_to, ...row }) => PlaceDevice.parse({ ...row, last_seen_at: last_seen_at?.toISOString() ?? null, valid_from: valid_from.toISOString(), valid_to: valid_to?.toISOString() ?? null })) }
}
