import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { JdevTerminal } from '@apps/terminal'
import { aiRuleApi, cameraApi, deviceApi } from '@campus/devices/contract'
import type { CameraLive } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import { drawJpeg } from '@kit/server/image'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bringAddress } from './address.ts'

const school_id = test_schools.a
const codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.camera.view', 'devices.camera.edit', 'devices.camera.live', 'devices.camera.audit', 'devices.ai.view']
const recorders: JdevTerminal[] = []
let app: TestApp
let me: TestUser
let campus: string
let port: number
let made = 0

beforeAll(async () => {
  app = await startTestApp()
  port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes, places: 'all' })
  campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
})
afterEach(() => Promise.all(recorders.splice(0).map(recorder => recorder.stop())))
afterAll(() => app.close())

/** A recorder with one camera below it. */
async function aWall(state: 'online' | 'fault' = 'online') {
  made += 1
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `NVR${made}`, device_name: `录像机${made}`, device_type: '07', model_code: 'NVR-32', place_id: campus }, { token: me.token }))
  const { camera } = dataOf(cameraApi.create, await app.call(cameraApi.create, { device_sn: `LC${made}`, device_name: `画面${made}`, place_id: campus, nvr_device_id: device.device_id, channel: 1 }, { token: me.token }))
  const recorder = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, sn: device.device_sn, secret: setup?.secret ?? '', model: 'NVR-32', http: app.url, children: [{ sn: camera.device_sn, state }] })
  recorders.push(recorder)
  return { recorder, camera_id: camera.device_id }
}

const live = async (id: string): Promise<CameraLive> => dataOf(cameraApi.live, await app.call(cameraApi.live, { id }, { token: me.token }))
const stateOf = async (id: string) => dataOf(cameraApi.detail, await app.call(cameraApi.detail, { id }, { token: me.token })).camera.device_state
const views = async (camera_id: string) => dataOf(cameraApi.views, await app.call(cameraApi.views, { camera_id }, { token: me.token })).list
const fetched = (path: string) => fetch(`${app.url}${path}`)
const bring = (path: string, body: Uint8Array<ArrayBuffer>) => {
  const form = new FormData()
  form.append('file', new Blob([body], { type: 'image/jpeg' }), 'a.jpg')
  return fetch(`${app.url}${path}`, { method: 'POST', body: form })
}

test('whoever writes rules for boxes sees the newest picture of a camera, a fresh one where it is old, and nothing of a camera out of sight', async () => {
  const { recorder, camera_id } = await aWall()
  const shot = (token = me.token) => app.call(aiRuleApi.shot, { id: camera_id }, { token })
  expect(dataOf(aiRuleApi.shot, await shot())).toMatchObject({ kind: 'snapshot', url: null, snapshot_at: null })
  await recorder.start()
  await expect.poll(() => stateOf(camera_id)).toBe('1')
  app.clock.advance(5000)
  await expect.poll(async () => dataOf(aiRuleApi.shot, await shot()).url).toMatch(/^\/iot\/api\/device\/camera\/shot\//)
  expect((await fetched(dataOf(aiRuleApi.shot, await shot()).url ?? '')).status).toBe(200)
  const nobody = await app.as({ school_id, codes: ['devices.ai.view'] })
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
  app.clock.advance(5000)
  await expect.poll(async () => (await live(camera_id)).url).toMatch(/^\/iot\/api\/device\/camera\/shot\//)
  const first = await live(camera_id)
  const picture = await fetched(first.url ?? '')
  expect([picture.status, picture.headers.get('content-type'), (await picture.arrayBuffer()).byteLength > 5000]).toEqual([200, 'image/jpeg', true])
  app.clock.advance(6000)
  await expect.poll(async () => (await live(camera_id)).snapshot_at).not.toBe(first.snapshot_at)
  await recorder.stop()
  await expect.poll(() => stateOf(camera_id)).toBe('0')
  const last = await live(camera_id)
  expect((await fetched(last.url ?? '')).status).toBe(200)
  expect((await fetched((last.url ?? '').replace(/s=[^&]+/, `s=${'A'.repeat(43)}`))).status).toBe(403)
  app.clock.advance(61_000)
  expect((await fetched(last.url ?? '')).status).toBe(403)
})

test('a picture is taken only under an address that was just made for it, once, and only when it is one', async () => {
  const { camera_id } = await aWall()
  await live(camera_id)
  const at = app.clock.now().getTime()
  const body = Uint8Array.from((await drawJpeg('<svg xmlns="http://www.w3.org/2000/svg" width="16" height="9"/>')).bytes)
  const address = bringAddress(app.running.app, { school_id, camera_id }, at)
  expect((await bring(address.replace(`/${at}/`, `/${at + 1}/`), body)).status).toBe(403)
  expect((await bring(address, Uint8Array.from(Buffer.from('no picture')))).status).toBe(415)
  expect([await (await bring(address, body)).json(), await (await bring(address, body)).json()]).toMatchObject([{ data: { taken: true } }, { data: { taken: false } }])
  app.clock.advance(31_000)
  expect((await bring(bringAddress(app.running.app, { school_id, camera_id }, at + 1), body)).status).toBe(403)
})

test('who watched which camera for how long is written down; a look goes on while the page asks and ends when it says so', async () => {
  const { camera_id } = await aWall()
  for (const _ask of [1, 2, 3]) {
    await live(camera_id)
    app.clock.advance(5000)
  }
  const { ended } = dataOf(cameraApi.watched, await app.call(cameraApi.watched, { camera_ids: [camera_id] }, { token: me.token }))
  expect(ended).toBe(1)
  app.clock.advance(120_000)
  await live(camera_id)
  const [second, first, ...more] = await views(camera_id)
  expect([first?.kind, second?.seconds, more]).toEqual(['snapshot', 0, []])
  // The clock of a test goes on by itself besides.
  expect([first?.seconds ?? 0, 60 - (first?.seconds ?? 60)].map(seconds => seconds >= 15)).toEqual([true, true])
  const { rows } = await app.running.database.tenant<unknown, { rows: { after: unknown }[] }>(school_id, db => sql<{ after: unknown }>`select after from operation_log where school_id = ${school_id} and call = 'devices.camera.watched'`.execute(db))
  expect(JSON.stringify(rows)).toMatch(/"seconds":\d+/)
})

test('30-A19 a camera out of sight is not watched: of another school, or of a place that is not one’s own', async () => {
  const { camera_id } = await aWall()
  const stranger = await app.as({ school_id: test_schools.b, codes, places: 'all' })
  const room = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: '别处', place_kind: 4 }, { token: me.token })).place
  const nobody = await app.as({ school_id, codes, places: [room.place_id] })
  for (const one of [stranger, nobody]) expect((await app.call(cameraApi.live, { id: camera_id }, { token: one.token })).status).toBe(404)
  expect(await views(camera_id)).toEqual([])
})
