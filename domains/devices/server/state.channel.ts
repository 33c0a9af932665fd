import type { deviceStatesChannel } from '@campus/devices/contract'
import { inPlaces, visiblePlaces } from '@campus/places/server'
import { asTables } from '@kit/server/db'
import type { ChannelDesk } from '@kit/server/http'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { DevicesDb } from './db.ts'

type Row = z.output<typeof deviceStatesChannel.row>

/** Those whose devices stand in places that the watcher sees. */
export async function seenStates(desk: ChannelDesk, rows: readonly Row[]): Promise<readonly Row[]> {
  const scope = await visiblePlaces(desk)
  if (scope === 'all') return rows
  const seen = await asTables<DevicesDb>(desk.db)
    .selectFrom('device_live_v as d')
    .innerJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'd.school_id').onRef('p.place_id', '=', 'd.place_id'))
    .select('d.device_id')
    .where('d.school_id', '=', desk.school_id)
    .where(sql<boolean>`d.device_id = any(${rows.map(row => row.device_id)}::bigint[])`)
    .where(inPlaces('p.node_path', scope))
    .execute()
  const ids = new Set(seen.map(row => row.device_id))
  return rows.filter(row => ids.has(row.device_id))
}
