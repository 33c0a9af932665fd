import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { boxApi, deviceApi, placeDeviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const school_id = test_schools.a
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit']
let app: TestApp
let me: TestUser
let campus: string
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes, places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterAll(() => app.close())

async function aRoom() {
  made += 1
  return dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `房间${made}`, place_kind: 4 }, { token: me.token })).place
}

async function aDevice(place_id: string, device_type: '01' | '07' = '01', model_code = 'JD-F10') {
  made += 1
  return dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `PD${made}`, device_name: `设备${made}`, device_type, model_code, place_id }, { token: me.token })).device
}

const names = async (asked: Request<typeof placeDeviceApi.list>, user = me) => dataOf(placeDeviceApi.list, await app.call(placeDeviceApi.list, asked, { token: user.token })).list.map(one => one.device_name)

const counted = async (place_id: string, at?: string) => dataOf(placeDeviceApi.counts, await app.call(placeDeviceApi.counts, at === undefined ? {} : { at }, { token: me.token })).list.find(row => row.place_id === place_id)

test('what stands in a place is told, alone and with everything below, now and at an instant before it was moved; a closed place tells of its past', async () => {
  const [room, other] = [await aRoom(), await aRoom()]
  const device = await aDevice(room.place_id)
  expect([await names({ id: room.place_id }), await names({ id: campus }), (await names({ id: campus, subtree: '1' })).includes(device.device_name)]).toEqual([[device.device_name], [], true])
  const before = app.clock.now().toISOString()
  dataOf(deviceApi.place, await app.call(deviceApi.place, { device_id: device.device_id, place_id: other.place_id, direction: 1 }, { token: me.token }))
  expect([await names({ id: room.place_id }), await names({ id: room.place_id, at: before }), await names({ id: other.place_id })]).toEqual([[], [device.device_name], [device.device_name]])
  expect([await counted(room.place_id), await counted(room.place_id, before), await counted(other.place_id)]).toEqual([undefined, { place_id: room.place_id, total: 1, online: 0 }, { place_id: other.place_id, total: 1, online: 0 }])
  dataOf(placeApi.remove, await app.call(placeApi.remove, { id: room.place_id, row_version: room.row_version }, { token: me.token }))
  expect(await names({ id: room.place_id, at: before })).toEqual([device.device_name])
  const stranger = await app.as({ school_id, codes, places: [other.place_id] })
  expect(dataOf(placeDeviceApi.counts, await app.call(placeDeviceApi.counts, {}, { token: stranger.token })).list.map(row => row.place_id)).toEqual([other.place_id])
  expect([(await app.call(placeDeviceApi.list, { id: campus }, { token: stranger.token })).status, await names({ id: other.place_id }, stranger)]).toEqual([404, [device.device_name]])
})

test('a box tells how it is, what hangs below it and when its line was there', async () => {
  const { device_id } = await aDevice(campus, '07', 'NVR-32')
  const now = app.clock.now()
  const hours_ago = (hours: number) => new Date(now.getTime() - hours * 3_600_000)
  await app.running.database.tenant(school_id, async db => {
    for (const [at, kind] of [[hours_ago(10), 'online'], [hours_ago(4), 'offline']] as const) await sql`insert into device_link_event (school_id, at, device_id, kind) values (${school_id}, ${at}, ${device_id}, ${kind})`.execute(db)
    for (const [at, cpu] of [[hours_ago(9), 11], [hours_ago(5), 64]] as const) await sql`insert into device_metric (school_id, device_id, bucket, cpu_pct, mem_pct, temp_c, disk_free_mb) values (${school_id}, ${device_id}, ${at}, ${cpu}, 40, 51, 9000)`.execute(db)
  })
  const { list } = dataOf(boxApi.list, await app.call(boxApi.list, {}, { token: me.token }))
  const box = list.find(one => one.device_id === device_id)
  expect(box).toMatchObject({ metric: { cpu_pct: 64, temp_c: 51 }, children: [] })
  expect(box?.ribbon.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 3_600_000)).toEqual([6])
})
