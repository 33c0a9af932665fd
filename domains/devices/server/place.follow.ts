import { placesEvents } from '@campus/places/contract'
import { asTables } from '@kit/server/db'
import { consume } from '@kit/server/event'
import type { EventDesk } from '@kit/server/http'
import { inPlaces } from '@campus/places/server'
import { sql } from 'kysely'
import type { DevicesDb } from './db.ts'
import { dueWhole } from './sync/due.ts'

const { placeMoved } = placesEvents

/** Who may pass a door depends on where its place lies in the tree: what stands in a place that was moved is derived again (chapter 30 rule 21). */
export const placeConsumers = [consume('devices.place.moved', placeMoved.name, placeMoved.payload, (desk, { place_ids }) => follow(desk, place_ids))]

async function follow(desk: EventDesk, place_ids: readonly string[]): Promise<void> {
  const { db, school_id } = desk
  const own = asTables<DevicesDb>(db)
  const places = await own.selectFrom('place_live_v').select('node_path').where('school_id', '=', school_id).where(sql<boolean>`place_id = any(${[...place_ids]}::bigint[])`).execute()
  if (places.length === 0) return
  const devices = await own
    .selectFrom('device_place as dp')
    .innerJoin('place_live_v as p', join => join.onRef('p.school_id', '=', 'dp.school_id').onRef('p.place_id', '=', 'dp.place_id'))
    .innerJoin('device as d', join => join.onRef('d.school_id', '=', 'dp.school_id').onRef('d.device_id', '=', 'dp.device_id'))
    .select('dp.device_id')
    .where('dp.school_id', '=', school_id)
    .where('dp.valid_to', 'is', null)
    .where('d.lifecycle', 'in', ['active', 'disabled'])
    .where(inPlaces('p.node_path', places.map(place => place.node_path)))
    .execute()
  await dueWhole(desk, devices.map(device => device.device_id))
}
