import { dataOf, test_schools } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { aiRuleApi, cameraApi, deviceApi } from '@campus/devices/contract'
import type { CameraLive } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { drawJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startDevices } from '../testing/start.ts'
import type { DevicesTest } from '../testing/start.ts'
import { bringAddress } from './address.ts'

const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.camera.view', 'devices.camera.edit', 'devices.camera.live', 'devices.camera.audit', 'devices.ai.view']
const [room_kind, toilet_kind] = [4, 23]
const stream_url = 'rtsp://admin:Geheim-4711@10.1.2.3:554/ch1'
let d: DevicesTest
let made = 0
const recorders: JdevTerminal[] = []
beforeAll(async () => {
  d = await startDevices({ codes })
})
afterEach(() => Promise.all(recorders.splice(0).map(recorder => recorder.stop())))
afterAll(() => d.close())

async function aPlace(place_kind = room_kind) {
  made += 1
  return dataOf(placeApi.create, await d.app.call(placeApi.create, { superior_id: d.campus, place_name: `房间${made}`, place_kind }, { token: d.me.token })).place
}

const aDevice = async (device_type: '01' | '07' | '15' | '16', model_code: string) => (await d.detail((await d.aDevice({ device_type, model_code, place_id: d.campus })).device_id)).device

const create = (more: Partial<Request<typeof cameraApi.create>> = {}) => {
  made += 1
  return d.app.call(cameraApi.create, { device_sn: `CAM${made}`, device_name: `摄像机${made}`, place_id: d.campus, ...more }, { token: d.me.token })
}
const aCamera = async (more: Partial<Request<typeof cameraApi.create>> = {}) => dataOf(cameraApi.create, await create(more)).camera
const bind = (input: Request<typeof cameraApi.bind>) => d.app.call(cameraApi.bind, input, { token: d.me.token })
const unbind = (input: Request<typeof cameraApi.unbind>) => d.app.call(cameraApi.unbind, input, { token: d.me.token })
const detail = async (id: string) => dataOf(cameraApi.detail, await d.app.call(cameraApi.detail, { id }, { token: d.me.token }))
const watched = async (id: string) => (await detail(id)).camera.bindings.map(one => [one.bind_kind, one.target_id])

test('a camera is registered 未激活 on a channel of its recorder, changed and taken out; its channel and its name are free again', async () => {
  const recorder = await aDevice('07', 'NVR-32')
  const camera = await aCamera({ nvr_device_id: recorder.device_id, channel: 3, device_name: '南门全景', stream_url })
  expect(camera).toMatchObject({ device_state: '5', channel: 3, nvr_name: recorder.device_name, has_stream: true })
  const taken = await create({ nvr_device_id: recorder.device_id, channel: 3 })
  expect([taken.status, taken.body.msg]).toEqual([409, '通道3已被“南门全景”使用，请换一个通道'])
  expect((await create({ nvr_device_id: recorder.device_id, channel: 33 })).body.msg).toBe(`“${recorder.device_name}”只有32个通道`)
  expect((await create({ channel: 1 })).status).toBe(422)
  expect((await create({ nvr_device_id: (await aDevice('16', 'READER-1')).device_id })).status).toBe(422)
  const update = (row_version: number, more: Partial<Request<typeof cameraApi.update>>) => d.app.call(cameraApi.update, { id: camera.device_id, row_version, ...more }, { token: d.me.token })
  const changed = dataOf(cameraApi.update, await update(camera.row_version, { channel: 4, ptz: true, codec: 'h265' })).camera
  expect(changed).toMatchObject({ channel: 4, ptz: true, codec: 'h265', has_stream: true })
  expect((await update(camera.row_version, { channel: 5 })).status).toBe(409)
  expect(dataOf(cameraApi.update, await update(changed.row_version, { stream_url: null })).camera.has_stream).toBe(false)
  const { row_version } = (await detail(camera.device_id)).camera
  expect(dataOf(cameraApi.remove, await d.app.call(cameraApi.remove, { id: camera.device_id, row_version }, { token: d.me.token })).camera.lifecycle).toBe('retired')
  expect((await create({ nvr_device_id: recorder.device_id, channel: 4, device_name: '南门全景' })).status).toBe(200)
  expect((await d.app.call(cameraApi.detail, { id: recorder.device_id }, { token: d.me.token })).status).toBe(404)
})

test('30-A34 the address of a stream stands in no answer, no log and no table but sealed', async () => {
  const camera = await aCamera({ stream_url })
  const answers = [await d.app.call(cameraApi.detail, { id: camera.device_id }, { token: d.me.token }), await d.app.call(cameraApi.list, {}, { token: d.me.token }), await d.app.call(deviceApi.detail, { id: camera.device_id }, { token: d.me.token }), await create({ stream_url: 'ftp://admin:Geheim-4711@10.1.2.3' })]
  expect(answers.map(one => JSON.stringify(one.body).includes('Geheim-4711'))).toEqual([false, false, false, false])
  const tables = await d.tenant(db => sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(db))
  for (const { name } of tables.rows) {
    const { rows } = await d.tenant(db => sql`select 1 from ${sql.table(name)} t where strpos(t::text, 'Geheim-4711') > 0 or strpos(t::text, ${Buffer.from('Geheim-4711').toString('hex')}) > 0 limit 1`.execute(db))
    expect([name, rows.length]).toEqual([name, 0])
  }
})

test('a camera watches one gate or place and feeds one box; the same again writes nothing, another one is refused with the name of the first', async () => {
  const [camera, gate, other, box, room] = [await aCamera(), await aDevice('01', 'JD-F10'), await aDevice('01', 'JD-F10'), await aDevice('15', 'JD-A6'), await aPlace()]
  dataOf(cameraApi.bind, await bind({ camera_id: camera.device_id, device_id: gate.device_id, box_id: box.device_id }))
  d.app.clock.advance(1000)
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
  d.app.clock.advance(1000)
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
  const changed = await d.app.call(placeApi.update, { id: room.place_id, row_version: room.row_version, place_kind: toilet_kind }, { token: d.me.token })
  expect([changed.status, changed.body.msg?.includes('绑定的摄像机1台')]).toEqual([409, true])
  expect((await d.app.call(placeApi.remove, { id: room.place_id, row_version: room.row_version }, { token: d.me.token })).status).toBe(409)
  d.app.clock.advance(1000)
  dataOf(cameraApi.unbind, await unbind({ camera_id: camera.device_id }))
  expect((await d.app.call(placeApi.remove, { id: room.place_id, row_version: room.row_version }, { token: d.me.token })).status).toBe(200)
})

test('a retired gate lets its cameras go; a replaced camera hands on channel, address and what it watches', async () => {
  const [gate, recorder] = [await aDevice('01', 'JD-F10'), await aDevice('07', 'NVR-32')]
  const camera = await aCamera({ nvr_device_id: recorder.device_id, channel: 7, stream_url })
  dataOf(cameraApi.bind, await bind({ camera_id: camera.device_id, device_id: gate.device_id }))
  d.app.clock.advance(1000)
  const replaced = dataOf(deviceApi.replace, await d.app.call(deviceApi.replace, { device_id: camera.device_id, row_version: camera.row_version, device_sn: `NEW${made}`, reason: '镜头破裂' }, { token: d.me.token })).device
  expect((await detail(replaced.device_id)).camera).toMatchObject({ channel: 7, has_stream: true, bindings: [{ target_id: gate.device_id }] })
  expect(await watched(camera.device_id)).toEqual([])
  d.app.clock.advance(1000)
  dataOf(deviceApi.retire, await d.app.call(deviceApi.retire, { device_id: gate.device_id, row_version: gate.row_version, reason: '拆除' }, { token: d.me.token }))
  expect(await watched(replaced.device_id)).toEqual([])
})

/** A recorder with one camera below it. */
async function aWall(state: 'online' | 'fault' = 'online') {
  const { device_id, way } = await d.aDevice({ device_type: '07', model_code: 'NVR-32', place_id: d.campus })
  const camera = await aCamera({ nvr_device_id: device_id, channel: 1 })
  const recorder = new JdevTerminal({ ...way, model: 'NVR-32', http: d.app.url, children: [{ sn: camera.device_sn, state }] })
  recorders.push(recorder)
  return { recorder, camera_id: camera.device_id }
}

const live = async (id: string): Promise<CameraLive> => dataOf(cameraApi.live, await d.app.call(cameraApi.live, { id }, { token: d.me.token }))
const stateOf = async (id: string) => dataOf(cameraApi.detail, await d.app.call(cameraApi.detail, { id }, { token: d.me.token })).camera.device_state
const views = async (camera_id: string) => dataOf(cameraApi.views, await d.app.call(cameraApi.views, { camera_id }, { token: d.me.token })).list
const fetched = (path: string) => fetch(`${d.app.url}${path}`)
const bring = (path: string, body: Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.append('file', new Blob([body], { type: 'image/jpeg' }), 'a.jpg')
  return fetch(`${d.app.url}${path}`, { method: 'POST', body: form })
}

test('whoever writes rules for boxes sees the newest picture of a camera, a fresh one where it is old, and nothing of a camera out of sight', async () => {
  const { recorder, camera_id } = await aWall()
  const shot = (token = d.me.token) => d.app.call(aiRuleApi.shot, { id: camera_id }, { token })
  expect(dataOf(aiRuleApi.shot, await shot())).toMatchObject({ kind: 'snapshot', url: null, snapshot_at: null })
  await recorder.start()
  await expect.poll(() => stateOf(camera_id)).toBe('1')
  d.app.clock.advance(5000)
  await expect.poll(async () => dataOf(aiRuleApi.shot, await shot()).url).toMatch(/^\/iot\/api\/device\/camera\/shot\//)
  // A newer picture may come between the address and the look at it.
  await expect.poll(async () => (await fetched(dataOf(aiRuleApi.shot, await shot()).url ?? '')).status).toBe(200)
  const nobody = await d.app.as({ school_id: d.school_id, codes: ['devices.ai.view'] })
  expect((await shot(nobody.token)).status).toBe(404)
})

test('a camera is here as long as its recorder says so, and goes with it', async () => {
  const { recorder, camera_id } = await aWall()
  expect(await stateOf(camera_id)).toBe('5')
  await recorder.start()
  await expect.poll(() => stateOf(camera_id)).toBe('1')
  recorder.children = recorder.children.map(child => ({ ...child, state: 'fault' as const }))
  recorder.beat()
  await expect.poll(() => stateOf(camera_id)).toBe('2')
  recorder.children = recorder.children.map(child => ({ ...child, state: 'online' as const }))
  recorder.beat()
  await expect.poll(() => stateOf(camera_id)).toBe('1')
  await recorder.stop()
  await expect.poll(() => stateOf(camera_id)).toBe('0')
})

test('without a gateway the picture comes from the recorder by an address of its own, moves on, and stays when the camera is gone', async () => {
  const { recorder, camera_id } = await aWall()
  expect(await live(camera_id)).toMatchObject({ kind: 'snapshot', url: null, device_state: '5' })
  await recorder.start()
  await expect.poll(() => stateOf(camera_id)).toBe('1')
  d.app.clock.advance(5000)
  await expect.poll(async () => (await live(camera_id)).url).toMatch(/^\/iot\/api\/device\/camera\/shot\//)
  const first = await live(camera_id)
  const picture = await fetched(first.url ?? '')
  expect([picture.status, picture.headers.get('content-type'), (await picture.arrayBuffer()).byteLength > 5000]).toEqual([200, 'image/jpeg', true])
  d.app.clock.advance(6000)
  await expect.poll(async () => (await live(camera_id)).snapshot_at).not.toBe(first.snapshot_at)
  await recorder.stop()
  await expect.poll(() => stateOf(camera_id)).toBe('0')
  const last = await live(camera_id)
  expect((await fetched(last.url ?? '')).status).toBe(200)
  expect((await fetched((last.url ?? '').replace(/s=[^&]+/, `s=${'A'.repeat(43)}`))).status).toBe(403)
  d.app.clock.advance(61_000)
  expect((await fetched(last.url ?? '')).status).toBe(403)
})

test('a picture is taken only under an address that was just made for it, once, and only when it is one', async () => {
  const { camera_id } = await aWall()
  await live(camera_id)
  const at = d.app.clock.now().getTime()
  const body = Uint8Array.from((await drawJpeg('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"/>')).bytes)
  const address = bringAddress(d.app.running.app, { school_id: d.school_id, camera_id }, at)
  expect((await bring(address.replace(`/${at}/`, `/${at + 1}/`), body)).status).toBe(403)
  expect((await bring(address, Uint8Array.from(Buffer.from('no picture')))).status).toBe(415)
  expect([await (await bring(address, body)).json(), await (await bring(address, body)).json()]).toMatchObject([{ data: { taken: true } }, { data: { taken: false } }])
  d.app.clock.advance(31_000)
  expect((await bring(bringAddress(d.app.running.app, { school_id: d.school_id, camera_id }, at + 1), body)).status).toBe(403)
})

test('who watched which camera for how long is written down; a look goes on while the page asks and ends when it says so', async () => {
  const { camera_id } = await aWall()
  for (const _ask of [1, 2, 3]) {
    await live(camera_id)
    d.app.clock.advance(5000)
  }
  const { ended } = dataOf(cameraApi.watched, await d.app.call(cameraApi.watched, { camera_ids: [camera_id] }, { token: d.me.token }))
  expect(ended).toBe(1)
  d.app.clock.advance(120_000)
  await live(camera_id)
  const [second, first, ...more] = await views(camera_id)
  expect([first?.kind, second?.seconds, more]).toEqual(['snapshot', 0, []])
  // The clock of a test goes on by itself besides.
  expect([first?.seconds ?? 0, 60 - (first?.seconds ?? 60)].map(seconds => seconds >= 15)).toEqual([true, true])
  const { rows } = await d.tenant(db => sql<{ after: unknown }>`select after from operation_log where school_id = ${d.school_id} and call = 'devices.camera.watched'`.execute(db))
  expect(JSON.stringify(rows)).toMatch(/"seconds":\d+/)
})

test('30-A19 a camera out of sight is not watched: of another school, or of a place that is not one’s own', async () => {
  const { camera_id } = await aWall()
  const stranger = await d.app.as({ school_id: test_schools.b, codes, places: 'all' })
  const room = dataOf(placeApi.create, await d.app.call(placeApi.create, { superior_id: d.campus, place_name: '别处', place_kind: 4 }, { token: d.me.token })).place
  const nobody = await d.app.as({ school_id: d.school_id, codes, places: [room.place_id] })
  for (const one of [stranger, nobody]) expect((await d.app.call(cameraApi.live, { id: camera_id }, { token: one.token })).status).toBe(404)
  expect(await views(camera_id)).toEqual([])
})
