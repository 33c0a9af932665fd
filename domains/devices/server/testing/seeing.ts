import { dataOf } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { AiBox } from '@apps/terminal'
import { aiRuleApi, cameraApi, deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { expect } from 'vitest'

/** What whoever looks after warnings may do. */
export const ai_codes = ['places.place.view', 'places.place.edit', 'devices.device.view', 'devices.device.edit', 'devices.camera.view', 'devices.camera.edit', 'devices.ai.view', 'devices.ai.edit', 'devices.ai.decide', 'devices.ai.export'] as const

/** A box that is there and a camera that feeds it, in a room of its own; `see` is one message of it. */
export async function aSeeingRoom(app: TestApp, { token, school_id }: TestUser, { n, port, algorithms }: { n: number; port: number; /** kinds that the box recognises */ algorithms?: readonly string[] }) {
  const [campus] = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token })).list
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus?.place_id ?? '', place_name: `预警场所${n}`, place_kind: 9 }, { token }))
  const draft = { device_sn: `BOX${n}`, device_name: `盒子${n}`, device_type: '15' as const, model_code: 'JD-A6', place_id: place.place_id }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token }))
  const { camera } = dataOf(cameraApi.create, await app.call(cameraApi.create, { device_sn: `EYE${n}`, device_name: `摄像机${n}`, place_id: place.place_id }, { token }))
  dataOf(cameraApi.bind, await app.call(cameraApi.bind, { camera_id: camera.device_id, box_id: device.device_id }, { token }))
  await app.running.database.tenant(school_id, db => sql`update device set lifecycle = 'active', online = true, offline_reason = null, online_since = now(), last_seen_at = now() where school_id = ${school_id} and device_id = ${camera.device_id}`.execute(db))
  const box = new AiBox({ url: `mqtt://127.0.0.1:${port}`, address: app.url, sn: draft.device_sn, secret: setup?.secret ?? '', ...(algorithms ? { algorithms } : {}) })
  await box.start()
  await expect.poll(async () => dataOf(deviceApi.detail, await app.call(deviceApi.detail, { id: device.device_id }, { token })).device.device_state).toBe('1')
  const rule = (more: Partial<Request<typeof aiRuleApi.save>> = {}) => app.call(aiRuleApi.save, { rule_name: `打架规则${n}`, warn_kind: '4', cameras: [{ camera_device_id: camera.device_id }], ...more }, { token })
  return { box, box_id: device.device_id, camera_id: camera.device_id, place_id: place.place_id, camera: camera.device_sn, rule }
}
