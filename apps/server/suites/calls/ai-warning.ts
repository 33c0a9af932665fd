import { aiRecordApi, aiRuleApi, cameraApi, deviceApi } from '@campus/devices/contract'
import { keepMade } from '@campus/files/server'
import { placeApi } from '@campus/places/contract'
import { createWarnings, imageUse } from '@campus/devices/server'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

const day_ms = 86_400_000
let made = 0

/** A camera that is there and feeds a box. */
async function seeing({ app, me, school_id }: World) {
  made += 1
  const { token } = me
  const place_id = dataOf(placeApi.tree, await app.call(placeApi.tree, { lazy: '1' }, { token })).list[0]?.place_id ?? ''
  const { device } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `AB${school_id}-${made}`, device_name: `AI盒子${made}`, device_type: '15', model_code: 'JD-A6', place_id }, { token }))
  const { camera } = dataOf(cameraApi.create, await app.call(cameraApi.create, { device_sn: `AC${school_id}-${made}`, device_name: `AI摄像机${made}`, place_id }, { token }))
  await app.call(cameraApi.bind, { camera_id: camera.device_id, box_id: device.device_id }, { token })
  await app.running.database.tenant(school_id, db => sql`update device set lifecycle = 'active', online = true, online_since = now(), offline_reason = null, last_seen_at = now() + interval '1 day' where school_id = ${school_id} and device_id in (${camera.device_id}, ${device.device_id})`.execute(db))
  return { place_id, camera_device_id: camera.device_id, box_device_id: device.device_id }
}

async function ruleDraft(world: World) {
  const { camera_device_id } = await seeing(world)
  return { rule_name: `预警规则${made}`, warn_kind: '4' as const, cameras: [{ camera_device_id, roi: [{ x: 0.1, y: 0.1 }, { x: 0.9, y: 0.1 }, { x: 0.5, y: 0.8 }] }], merge_sec: 120 }
}

async function aRule(world: World) {
  return dataOf(aiRuleApi.save, await world.app.call(aiRuleApi.save, await ruleDraft(world), { token: world.me.token })).rule
}

/** A warning with a picture. */
async function aWarning(world: World): Promise<string> {
  const { app, school_id } = world
  const eye = await seeing(world)
  const { rule_id } = await aRule(world)
  const now = app.clock.now()
  const image = { box: eye.box_device_id, ref: `s${made}.png`, at: now.toISOString(), score: 50, file_key: `${school_id}/0/20261101/suite-${made}.png` }
  const { app: own_app, database } = app.running
  const enter = await keepMade({ app: own_app, own: (id, fn) => database.tenant(id, fn), now }, school_id, '0', { file_key: image.file_key, purpose: 'warning', bytes: Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==', 'base64') })
  const [id = ''] = await database.tenant<unknown, string[]>(school_id, async db => {
    await enter({ app: own_app, db, school_id, now }, imageUse(image))
    return createWarnings(db, school_id, [{ ...eye, rule_id, warn_kind: '4', begin_at: now, end_at: now, hits: 1, images: [image], decided: null }])
  })
  return id
}

function lately({ app }: World) {
  const day = (ago: number) => new Date(app.clock.now().getTime() - ago * day_ms).toISOString().slice(0, 10)
  return { from: day(2), to: day(-1) }
}

const rules = buildersOf(aiRuleApi, {
  page: () => ({ input: {} }),
  save: async world => ({ input: await ruleDraft(world) }),
  delete: async world => {
    const { rule_id, row_version } = await aRule(world)
    return { input: { rule_id, row_version } }
  },
  shot: async world => ({ input: { id: (await seeing(world)).camera_device_id } }),
  valid_devices: async world => {
    await seeing(world)
    return { input: { warn_kind: '4' as const } }
  },
  boxes: () => ({ input: {} }),
  roles: () => ({ input: {} }),
})

const open = async (world: World) => ({ input: { ids: [await aWarning(world)], seen_state: '0' as const } })

/** The warnings of a camera and a rule. */
async function named(world: World) {
  const { camera_device_id } = await seeing(world)
  return { input: { ...lately(world), camera_device_id, rule_id: (await aRule(world)).rule_id } }
}

const records = buildersOf(aiRecordApi, {
  page: named,
  summary: named,
  decisions: async world => ({ input: { warning_id: await aWarning(world) } }),
  ignore: open,
  illegal: open,
  undo: async world => {
    const { input } = await open(world)
    await world.app.call(aiRecordApi.ignore, input, { token: world.me.token })
    return { input: { ids: input.ids, seen_state: '1' as const } }
  },
  export: named,
  export_images: async world => ({ input: { ids: [await aWarning(world)], reason: '公安机关调取' } }),
})

export const aiWarningCalls: ReadonlyMap<string, Builder> = new Map([...rules, ...records])
