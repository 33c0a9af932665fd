import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { cameraApi, deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db.ts'

const school_id = test_schools.a
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.camera.view', 'devices.camera.edit']
const [room_kind, toilet_kind] = [4, 23]
const stream_url = 'rtsp://admin:Geheim-4711@10.1.2.3:554/ch1'
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

async function aPlace(place_kind = room_kind) {
  made += 1
  return dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `房间${made}`, place_kind }, { token: me.token })).place
}

async function aDevice(device_type: '01' | '07' | '15' | '16', model_code: string) {
  made += 1
  return dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `CD${made}`, device_name: `设备${made}`, device_type, model_code, place_id: campus }, { token: me.token })).device
}

const create = (more: Partial<Request<typeof cameraApi.create>> = {}) => {
  made += 1
  return app.call(cameraApi.create, { device_sn: `CAM${made}`, device_name: `摄像机${made}`, place_id: campus, ...more }, { token: me.token })
}
const aCamera = async (more: Partial<Request<typeof cameraApi.create>> = {}) => dataOf(cameraApi.create, await create(more)).camera
const bind = (input: Request<typeof cameraApi.bind>) => app.call(cameraApi.bind, input, { token: me.token })
const unbind = (input: Request<typeof cameraApi.unbind>) => app.call(cameraApi.unbind, input, { token: me.token })
const detail = async (id: string) => dataOf(cameraApi.detail, await app.call(cameraApi.detail, { id }, { token: me.token }))
const watched = async (id: string) => (await detail(id)).camera.bindings.map(one => [one.bind_kind, one.target_id])
const tenant = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant(school_id, work)

test('a camera is registered 未激活 on a channel of its recorder, changed and taken out; its channel and its name are free again', async () => {
  const recorder = await aDevice('07', 'NVR-32')
  const camera = await aCamera({ nvr_device_id: recorder.device_id, channel: 3, device_name: '南门全景', stream_url })
  expect(camera).toMatchObject({ device_state: '5', channel: 3, nvr_name: recorder.device_name, has_stream: true })
  const taken = await create({ nvr_device_id: recorder.device_id, channel: 3 })
  expect([taken.status, taken.body.msg]).toEqual([409, '通道3已被“南门全景”使用，请换一个通道'])
  expect((await create({ nvr_device_id: recorder.device_id, channel: 33 })).body.msg).toBe(`“${recorder.device_name}”只有32个通道`)
  expect((await create({ channel: 1 })).status).toBe(422)
  expect((await create({ nvr_device_id: (await aDevice('16', 'READER-1')).device_id })).status).toBe(422)
  const update = (row_version: number, more: Partial<Request<typeof cameraApi.update>>) => app.call(cameraApi.update, { id: camera.device_id, row_version, ...more }, { token: me.token })
  const changed = dataOf(cameraApi.update, await update(camera.row_version, { channel: 4, ptz: true, codec: 'h265' })).camera
  expect(changed).toMatchObject({ channel: 4, ptz: true, codec: 'h265', has_stream: true })
  expect((await update(camera.row_version, { channel: 5 })).status).toBe(409)
  expect(dataOf(cameraApi.update, await update(changed.row_version, { stream_url: null })).camera.has_stream).toBe(false)
  const { row_version } = (await detail(camera.device_id)).camera
  expect(dataOf(cameraApi.remove, await app.call(cameraApi.remove, { id: camera.device_id, row_version }, { token: me.token })).camera.lifecycle).toBe('retired')
  expect((await create({ nvr_device_id: recorder.device_id, channel: 4, device_name: '南门全景' })).status).toBe(200)
  expect((await app.call(cameraApi.detail, { id: recorder.device_id }, { token: me.token })).status).toBe(404)
})

test('30-A34 the address of a stream stands in no answer, no log and no table but sealed', async () => {
  const camera = await aCamera({ stream_url })
  const answers = [await app.call(cameraApi.detail, { id: camera.device_id }, { token: me.token }), await app.call(cameraApi.list, {}, { token: me.token }), await app.call(deviceApi.detail, { id: camera.device_id }, { token: me.token }), await create({ stream_url: 'ftp://admin:Geheim-4711@10.1.2.3' })]
  expect(answers.map(one => JSON.stringify(one.body).includes('Geheim-4711'))).toEqual([false, false, false, false])
  const tables = await tenant(db => sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db))
  for (const { name } of tables.rows) {
    const { rows } = await tenant(db => sql`select 1 from ${sql.table(name)} t where strpos(t::text, 'Geheim-4711') > 0 or strpos(t::text, ${Buffer.from('Geheim-4711').toString('hex')}) > 0 limit 1`.execute(db))
    expect([name, rows.length]).toEqual([name, 0])
  }
})

test('a camera watches one gate or place and feeds one box; the same again writes nothing, another one is refused with the name of the first', async () => {
  const [camera, gate, other, box, room] = [await aCamera(), await aDevice('01', 'JD-F10'), await aDevice('01', 'JD-F10'), await aDevice('15', 'JD-A6'), await aPlace()]
  dataOf(cameraApi.bind, await bind({ camera_id: camera.device_id, device_id: gate.device_id, box_id: box.device_id }))
  app.clock.advance(1000)
  expect((await bind({ camera_id: camera.device_id, device_id: gate.device_id })).status).toBe(200)
  expect((await detail(camera.device_id)).history).toHaveLength(2)
  for (const more of [{ device_id: other.device_id }, { place_id: room.place_id }]) {
    const refused = await bind({ camera_id: camera.device_id, ...more })
    expect([refused.status, refused.body.msg]).toEqual([409, `摄像机已绑定到${gate.device_name}`])
  }
  dataOf(cameraApi.unbind, await unbind({ camera_id: camera.device_id, device_id: gate.device_id }))
  expect(await watched(camera.device_id)).toEqual([['box', box.device_id]])
  dataOf(cameraApi.bind, await bind({ camera_id: camera.device_id, place_id: room.place_id }))
  expect(await watched(camera.device_id)).toEqual([['box', box.device_id], ['room', room.place_id]])
  const { history } = await detail(camera.device_id)
  expect(history.map(one => [one.target_name, one.valid_to !== null])).toEqual(expect.arrayContaining([[gate.device_name, true], [box.device_name, false], [room.node_path_name, false]]))
  for (const wrong of [{ camera_id: camera.device_id }, { camera_id: camera.device_id, device_id: gate.device_id, place_id: room.place_id }]) expect((await bind(wrong)).status).toBe(400)
  expect((await bind({ camera_id: (await aCamera()).device_id, device_id: box.device_id })).status).toBe(422)
})

test('a gate has two cameras at a time, also when three come at once', async () => {
  const gate = await aDevice('01', 'JD-F10')
  const cameras = [await aCamera(), await aCamera(), await aCamera()]
  const answers = await Promise.all(cameras.map(camera => bind({ camera_id: camera.device_id, device_id: gate.device_id })))
  expect(answers.map(one => one.status).toSorted()).toEqual([200, 200, 409])
  expect(answers.find(one => one.status === 409)?.body.msg).toBe(`“${gate.device_name}”已绑定2台摄像机，请先解绑一台`)
  const [first, third] = [cameras[answers.findIndex(one => one.status === 200)], cameras[answers.findIndex(one => one.status === 409)]]
  app.clock.advance(1000)
  dataOf(cameraApi.unbind, await unbind({ camera_id: first?.device_id ?? '' }))
  expect((await bind({ camera_id: third?.device_id ?? '', device_id: gate.device_id })).status).toBe(200)
})

test('30-A25 no camera stands in or watches a private zone, and a place with one becomes none', async () => {
  const toilet = await aPlace(toilet_kind)
  const refused = await create({ place_id: toilet.place_id })
  expect([refused.status, refused.body.msg]).toEqual([422, '该场所为私密区域，不能绑定摄像机或人脸设备'])
  const camera = await aCamera()
  expect((await bind({ camera_id: camera.device_id, place_id: toilet.place_id })).status).toBe(422)
  const room = await aPlace()
  dataOf(cameraApi.bind, await bind({ camera_id: camera.device_id, place_id: room.place_id }))
  const changed = await app.call(placeApi.update, { id: room.place_id, row_version: room.row_version, place_kind: toilet_kind }, { token: me.token })
  expect([changed.status, changed.body.msg?.includes('绑定的摄像机1台')]).toEqual([409, true])
  expect((await app.call(placeApi.remove, { id: room.place_id, row_version: room.row_version }, { token: me.token })).status).toBe(409)
  app.clock.advance(1000)
  dataOf(cameraApi.unbind, await unbind({ camera_id: camera.device_id }))
  expect((await app.call(placeApi.remove, { id: room.place_id, row_version: room.row_version }, { token: me.token })).status).toBe(200)
})

test('a retired gate lets its cameras go; a replaced camera hands on channel, address and what it watches', async () => {
  const [gate, recorder] = [await aDevice('01', 'JD-F10'), await aDevice('07', 'NVR-32')]
  const camera = await aCamera({ nvr_device_id: recorder.device_id, channel: 7, stream_url })
  dataOf(cameraApi.bind, await bind({ camera_id: camera.device_id, device_id: gate.device_id }))
  app.clock.advance(1000)
  const replaced = dataOf(deviceApi.replace, await app.call(deviceApi.replace, { device_id: camera.device_id, row_version: camera.row_version, device_sn: `NEW${made}`, reason: '镜头破裂' }, { token: me.token })).device
  expect((await detail(replaced.device_id)).camera).toMatchObject({ channel: 7, has_stream: true, bindings: [{ target_id: gate.device_id }] })
  expect(await watched(camera.device_id)).toEqual([])
  app.clock.advance(1000)
  dataOf(deviceApi.retire, await app.call(deviceApi.retire, { device_id: gate.device_id, row_version: gate.row_version, reason: '拆除' }, { token: me.token }))
  expect(await watched(replaced.device_id)).toEqual([])
})
