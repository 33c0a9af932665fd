import { dataOf, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { cameraApi, deviceApi, placeDeviceApi, ruleApi } from '@campus/devices/contract'
import { AddableDevice, placeApi } from '@campus/places/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDevices } from './testing/start.ts'

const { a: school_id, b: other_school } = test_schools
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.camera.view', 'devices.camera.edit', 'devices.rule.view', 'devices.rule.edit']
let app: TestApp
let me: TestUser
let campus: string
let made = 0

beforeAll(async () => {
  ;({ app, me, campus } = await startDevices({ codes }))
})
afterAll(() => app.close())

const as = (who: TestUser = me) => ({ token: who.token })

async function aPlace(place_kind: number, place_name = `场所${(made += 1)}`) {
  return dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name, place_kind }, as())).place
}

async function aDevice(device_type: '01' | '03', model_code: string, place_id: string | null, device_name = `设备${(made += 1)}`) {
  made += 1
  return dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `PP${made}`, device_name, device_type, model_code, place_id }, as())).device
}

async function aCamera(place_id: string) {
  made += 1
  return dataOf(cameraApi.create, await app.call(cameraApi.create, { device_sn: `PPC${made}`, device_name: `摄像机${made}`, place_id }, as())).camera
}

const addable = async (purpose: 'device' | 'camera', who: TestUser = me) => AddableDevice.parse(dataOf(placeApi.addable, await app.call(placeApi.addable, { purpose }, as(who))))
const list = async (id: string) => dataOf(placeDeviceApi.list, await app.call(placeDeviceApi.list, { id }, as())).list.map(one => one.device_name)

test('待创建的场所: a device that stands nowhere is proposed a place that lacks one, is bound by one call and taken back by the next', async () => {
  const [room, toilet] = [await aPlace(4, '三年级1班教室'), await aPlace(23, '一层卫生间')]
  const board = await aDevice('03', 'JD-B32', null, '班牌新到')
  const face = await aDevice('01', 'JD-F10', null, '一层卫生间终端')
  const before = await addable('device')
  expect([before.devices.map(one => one.device_id).toSorted(), before.pairs.find(pair => pair.device_id === board.device_id)?.place_id]).toEqual([[board.device_id, face.device_id].toSorted(), room.place_id])
  expect(before.pairs.some(pair => pair.place_id === toilet.place_id)).toBe(false)
  const put = (place_id: string | null) => app.call(deviceApi.place, { device_id: board.device_id, place_id, direction: 3 }, as())
  expect([(await put(room.place_id)).status, await list(room.place_id), (await addable('device')).devices.map(one => one.device_id)]).toEqual([200, ['班牌新到'], [face.device_id]])
  expect([(await put(null)).status, await list(room.place_id), (await addable('device')).pairs.find(pair => pair.device_id === board.device_id)?.place_id]).toEqual([200, [], room.place_id])
  await app.call(deviceApi.place, { device_id: board.device_id, place_id: room.place_id, direction: 3 }, as())
})

test('待创建的场所: a camera that watches nothing is proposed the place where it stands; bound it is gone from the list, unbound it is there again', async () => {
  const room = await aPlace(4)
  const camera = await aCamera(room.place_id)
  const pair = { camera_id: camera.device_id, place_id: room.place_id }
  const proposed = async () => (await addable('camera')).pairs.find(one => one.device_id === camera.device_id)?.place_id
  expect(await proposed()).toBe(room.place_id)
  expect([(await app.call(cameraApi.bind, pair, as())).status, await proposed()]).toEqual([200, undefined])
  expect([(await app.call(cameraApi.unbind, pair, as())).status, await proposed()]).toEqual([200, room.place_id])
  await aCamera(room.place_id)
  expect((await addable('camera')).pairs.filter(one => one.place_id === room.place_id)).toHaveLength(1)
})

test('待创建的场所 asks for the right to move what it lists, tells of the own places alone and of no other school', async () => {
  const room = await aPlace(4)
  const camera = await aCamera(room.place_id)
  await aDevice('03', 'JD-B32', null)
  const reader = await app.as({ school_id, codes: ['places.place.edit', 'devices.device.view'], places: 'all' })
  expect([(await app.call(placeApi.addable, { purpose: 'device' }, as(reader))).status, (await app.call(placeApi.addable, { purpose: 'camera' }, as(reader))).status]).toEqual([403, 403])
  const keeper = await app.as({ school_id, codes, places: [room.place_id] })
  const [devices, cameras] = [await addable('device', keeper), await addable('camera', keeper)]
  expect([devices.devices, cameras.devices.map(one => one.device_id), cameras.rooms.map(one => one.place_id)]).toEqual([[], [camera.device_id], [room.place_id]])
  const stranger = await app.as({ school_id: other_school, codes, places: 'all' })
  expect([(await addable('device', stranger)).devices, (await addable('camera', stranger)).devices]).toEqual([[], []])
})

test('使用记录 of a place tells devices, cameras and rules from when until when, what is for everything above it, and only what the reader may see: of a rule that is not his that there is one', async () => {
  const building = await aPlace(2)
  const room = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: building.place_id, place_name: '101', place_kind: 4 }, as())).place
  const device = await aDevice('01', 'JD-F10', room.place_id, '门口终端')
  const camera = await aCamera(campus)
  await app.call(cameraApi.bind, { camera_id: camera.device_id, place_id: room.place_id }, as())
  const body = { kind: 1 as const, unlock_sec: 5, held_open_sec: 0, fire_opens: true, windows: [{ weekdays: Array.from({ length: 7 }, () => true), begin: '22:00', end: '23:00', mode: 'always_closed' as const, verify: [] }] }
  dataOf(ruleApi.add, await app.call(ruleApi.add, { rule_name: '晚间锁楼', priority: 50, valid_from: '2026-01-01', valid_to: null, calendar_mode: 'every_day', enabled: false, device_ids: [], place_ids: [building.place_id], body }, as()))
  const history = async (who: TestUser = me, at?: string) => dataOf(placeApi.history, await app.call(placeApi.history, { id: room.place_id, ...(at === undefined ? {} : { at }) }, as(who))).list
  const from = app.clock.now().toISOString().slice(0, 10)
  expect((await history()).map(({ kind, title, note, to }) => [kind, title, note, to]).toSorted()).toEqual([
    ['camera', camera.device_name, '拍摄这里', null], ['device', '门口终端', '人脸识别终端 · 双向', null], ['rule', '晚间锁楼', `门禁规则（适用于${building.place_name}）`, null],
  ])
  dataOf(deviceApi.place, await app.call(deviceApi.place, { device_id: device.device_id, place_id: campus, direction: 1 }, as()))
  const [gone] = (await history()).filter(era => era.kind === 'device')
  expect([gone?.from.slice(0, 10), gone?.to?.slice(0, 10)]).toEqual([from, from])
  expect(await history(me, '2026-01-02')).toEqual([])
  const plain = await app.as({ school_id, codes: ['places.place.view'], places: 'all' })
  expect(await history(plain)).toEqual([])
  const keeper = await app.as({ school_id, codes, places: [room.place_id] })
  expect((await history(keeper)).flatMap(({ kind, title, note }) => (kind === 'rule' ? [[title, note]] : []))).toEqual([['上级场所统一设置', '门禁规则（由上级场所的负责人管理）']])
  const elsewhere = await app.as({ school_id, codes, places: [(await aPlace(4)).place_id] })
  expect((await app.call(placeApi.history, { id: room.place_id }, as(elsewhere))).status).toBe(404)
})
