import { cardReadApi, deviceApi, syncApi } from '@campus/devices/contract'
import { createDevices } from '@campus/devices/server'
import { placeApi } from '@campus/places/contract'
import { dataOf } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import pg from 'pg'
import { send } from '../client.ts'
import { barePasses, fillPasses, fillRows } from '../device-sql.ts'
import { atMost, milliseconds, reported, seconds, times } from '../figure.ts'
import type { Bench, Figure, Line } from '../figure.ts'
import { poolQuery } from '../query.ts'
import { compare, median, timed, timedEach } from '../measure.ts'
import { startProduct } from '../product.ts'
import { install, settleStatistics } from '../school.ts'

const school_id = 1001
const [all_devices, gates, floors, per_floor, room, day_ms] = [617, 46, 5, 11, 9, 86_400_000]

/** What the pages of devices ask for, at a school of full size. */
export const deviceLists: Figure = {
  name: 'device-lists',
  title: 'Lists of devices, their rows and what they saw',
  how: 'Over HTTP on PostgreSQL: 3,500,000 passes of a year, 617 devices of which 46 hold 12,600 rows each, 700 places. The latest passes of one door with their curve against the same two statements written by hand, sent by a superuser through pg. The list of devices comes in its largest pages of 300 with the counts of their rows.',
  run,
}

async function run(bench: Bench): Promise<Line[]> {
  const [passes, people] = bench.quick ? [200_000, 1000] : [3_500_000, 4200]
  const installed = await install('postgres', bench)
  const { app } = installed
  const { token } = await app.as({ school_id, codes: 'all', scope: 'all', places: 'all' })
  const places = await makePlaces(app, token)
  const devices = await makeDevices(app, places)
  const [door = ''] = places
  const now = app.clock.now()
  const filled_ms = await timed(async () => {
    await installed.exec(fillPasses({ school_id, device_ids: devices.slice(0, gates), place_ids: places.slice(0, gates), rows: passes, until: now.toISOString() }))
    await installed.exec(fillRows({ school_id, device_ids: devices.slice(0, gates), people }))
    await settleStatistics(installed)
  })
  bench.say(`${passes.toLocaleString('en')} passes and ${(gates * people * 3).toLocaleString('en')} rows of devices loaded in ${seconds(filled_ms)}`)
  await app.running.close()
  const product = await startProduct(installed.settings)
  const pool = new pg.Pool({ connectionString: installed.admin_url ?? '', max: 1 })
  const asked = async (path: string) => {
    const { status, text, ms } = await send(`${product.url}${path}`, { token })
    if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 200)}`)
    return ms
  }
  const each = bench.quick ? 5 : 15
  const middle = async (path: string) => median((await timedEach(each, () => asked(path))).slice(2))
  const recent = `${cardReadApi.recent.paths[0]}?place_id=${door}`
  const seen = await compare(bench.quick ? 2 : 5, () => middle(recent), async () => median(await timedEach(each, () => barePasses(poolQuery(pool), { school_id, place_id: door, since: new Date(now.getTime() - day_ms).toISOString() }))))
  const pages: number[] = []
  for (const page of [1, 2, 3]) pages.push(await middle(`${deviceApi.list.paths[0]}?page_index=${page}&page_size=300`))
  const tree_ms = await middle(`${placeApi.tree.paths[0]}?lazy=0`)
  const rows_path = `${syncApi.state_rows.paths[0]}`.replace(':id', devices[0] ?? '')
  const rows_ms = await middle(`${rows_path}?page_size=300`)
  const deep_ms = await middle(`${rows_path}?page_size=300&page_index=${Math.floor((people * 3) / 300)}`)
  await Promise.all([product.stop(), pool.end()])
  return [
    atMost('latest passes of a door: HTTP ÷ bare keyset SQL', seen.ratio, 3, times, '30-A18'),
    reported('the same: product, bare SQL', `${milliseconds(seen.subject_median)}, ${milliseconds(seen.baseline_median)}`),
    atMost(`list of ${all_devices} devices with the counts of their rows: the slowest page of 300`, Math.max(...pages), 200, milliseconds, '30-A18'),
    reported('its three pages', pages.map(milliseconds).join(', ')),
    atMost(`tree of ${places.length} places`, tree_ms, 100, milliseconds, '30-A18'),
    atMost(`rows of a device that holds ${(people * 3).toLocaleString('en')}: a page of 300`, rows_ms, 200, milliseconds, '30-A18'),
    atMost('the same, the last page', deep_ms, 200, milliseconds, '30-A18'),
  ]
}

/** Buildings with floors and rooms, about 700 places. @returns the rooms first */
async function makePlaces(app: TestApp, token: string): Promise<string[]> {
  const [campus] = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token })).list
  const superior_id = campus?.place_id ?? ''
  for (let n = 1; n <= 11; n += 1) dataOf(placeApi.batch, await app.call(placeApi.batch, { superior_id, building_name: `${n}号楼`, floors, per_floor, room_kind: room, name_pattern: '{floor}{nn}' }, { token }))
  const pages = await Promise.all([1, 2, 3].map(async page_index => dataOf(placeApi.list, await app.call(placeApi.list, { page_index, page_size: 300 }, { token })).list))
  return pages.flat().toSorted((a, b) => Number(b.is_leaf) - Number(a.is_leaf)).map(place => place.place_id)
}

async function makeDevices(app: TestApp, places: readonly string[]): Promise<string[]> {
  const planned = Array.from({ length: all_devices }, (_, n) => ({ key: String(n), device_sn: `LIST${n}`, device_name: `设备${n}`, device_type: n < gates ? '01' : '19', model_code: n < gates ? 'JD-F10' : 'LOCK-1', parent: null, place_id: places[n] ?? null, direction: 3 as const }))
  const ids = await app.running.database.tenant(school_id, db => createDevices(db, school_id, planned, new Date(app.clock.now().getTime() - day_ms)))
  return planned.map(one => ids.get(one.key) ?? '')
}
