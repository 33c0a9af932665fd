import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { boxApi, cameraApi, deviceApi, overviewApi, placeDeviceApi, ruleApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'

const school_id = test_schools.a
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.camera.view', 'devices.camera.edit', 'devices.rule.view', 'devices.rule.edit']
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

test('30-A22 before a place is closed its devices, cameras and the rules that are for it are named with what to do about each, and closing is refused until they are gone', async () => {
  const room = await aRoom()
  const device = await aDevice(room.place_id)
  const { camera } = dataOf(cameraApi.create, await app.call(cameraApi.create, { device_sn: `PC${made}`, device_name: `摄像机${made}`, place_id: campus }, { token: me.token }))
  dataOf(cameraApi.bind, await app.call(cameraApi.bind, { camera_id: camera.device_id, place_id: room.place_id }, { token: me.token }))
  const body = { kind: 1 as const, unlock_sec: 5, held_open_sec: 0, fire_opens: true, windows: [{ weekdays: Array.from({ length: 7 }, () => true), begin: '22:00', end: '23:00', mode: 'always_closed' as const, verify: [] }] }
  const { rule } = dataOf(ruleApi.add, await app.call(ruleApi.add, { rule_name: '晚间锁门', priority: 50, valid_from: '2026-01-01', valid_to: null, calendar_mode: 'every_day', enabled: false, device_ids: [], place_ids: [room.place_id], body }, { token: me.token }))
  const closing = async () => dataOf(placeApi.closing, await app.call(placeApi.closing, { id: room.place_id }, { token: me.token })).held.map(one => one.title)
  const close = () => app.call(placeApi.remove, { id: room.place_id, row_version: room.row_version }, { token: me.token })
  const held = ['人脸识别终端1台', '绑定的摄像机1台', '规则“晚间锁门”的适用范围']
  expect(await closing()).toEqual(held)
  const { held: told } = dataOf(placeApi.closing, await app.call(placeApi.closing, { id: room.place_id }, { token: me.token }))
  expect(told.map(one => one.way)).toEqual(['请在“设备”页签移到别处，或在设备管理中退役', '请在视频监控的“摄像机”页签解绑', '请在门禁规则里，从适用范围中去掉这个场所'])
  const refused = await close()
  expect([refused.status, refused.body.msg]).toEqual([409, `该场所正在被使用：${held.join('、')}，不能删除`])
  dataOf(deviceApi.place, await app.call(deviceApi.place, { device_id: device.device_id, place_id: campus, direction: 1 }, { token: me.token }))
  dataOf(cameraApi.unbind, await app.call(cameraApi.unbind, { camera_id: camera.device_id, place_id: room.place_id }, { token: me.token }))
  dataOf(ruleApi.delete, await app.call(ruleApi.delete, { id: rule.rule_id }, { token: me.token }))
  // What happened there two months ago keeps its name.
  const happened = new Date(app.clock.now().getTime() - 60 * 86_400_000)
  await app.running.database.tenant(school_id, db => sql`
    insert into pass_event (school_id, event_date, device_id, device_seq, device_time, received_at, event_time, time_state, body_hash, verify_mode, pass_state, place_id)
    values (${school_id}, ${happened.toISOString().slice(0, 10)}, ${device.device_id}, 'old:1', ${happened}, ${happened}, ${happened}, 0, '0123456789abcdef', 2, 1, ${room.place_id})`.execute(db))
  expect([await closing(), (await close()).status]).toEqual([[], 200])
  const picked = JSON.stringify([dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })), dataOf(placeApi.addable, await app.call(placeApi.addable, { purpose: 'device' }, { token: me.token }))])
  expect(picked.includes(room.place_name)).toBe(false)
  const named = await app.running.database.tenant(school_id, db => sql<{ place_name: string; status: string }>`select p.place_name, p.status from pass_event e join place p on p.school_id = e.school_id and p.place_id = e.place_id where e.school_id = ${school_id} and e.device_id = ${device.device_id}`.execute(db))
  expect(named.rows).toEqual([{ place_name: room.place_name, status: 'closed' }])
})

test('the overview of a device tells when its line was there and what waits for it by kind and age, however often it was tried; it is for its place alone', async () => {
  const { device_id } = await aDevice(campus)
  const now = app.clock.now()
  const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  await app.running.database.tenant(school_id, async db => {
    for (const [at, kind] of [[ago(600), 'online'], [ago(240), 'offline']] as const) await sql`insert into device_link_event (school_id, at, device_id, kind) values (${school_id}, ${at}, ${device_id}, ${kind})`.execute(db)
    const rows = [['person', 'pending', ago(3000)], ['person', 'pending', ago(30)], ['person', 'unknown', ago(30)], ['rule', 'pending', ago(90)], ['rule', 'applied', ago(9000)]] as const
    for (const [at, [kind, state, since]] of rows.entries()) await sql`insert into sync_row (school_id, device_id, kind, row_key, want_op, want_hash, want_version, prio, state, next_at, sent_at, wanted_at) values (${school_id}, ${device_id}, ${kind}, ${`overview ${at}`}, 'put', '0123456789abcdef', 1, 5, ${state}, ${now}, ${now}, ${since})`.execute(db)
  })
  const told = dataOf(overviewApi.read, await app.call(overviewApi.read, { id: device_id }, { token: me.token }))
  expect(told.ribbon.map(({ from, to }) => (Date.parse(to) - Date.parse(from)) / 3_600_000)).toEqual([6])
  expect(told.queue.filter(one => ['person', 'rule'].includes(one.kind)).map(({ kind, ages }) => [kind, ages])).toEqual([['person', [0, 2, 0, 1]], ['rule', [0, 0, 1, 0]]])
  const stranger = await app.as({ school_id, codes, places: [(await aRoom()).place_id] })
  expect((await app.call(overviewApi.read, { id: device_id }, { token: stranger.token })).status).toBe(404)
})
