import { createHash, randomBytes } from 'node:crypto'
import { configApi, firmwareApi, schoolSettingApi, setting_defaults } from '@campus/devices/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { aDevice, campus, stated } from './devices.ts'

let made = 0

/** A profile for one device of its own. */
async function configDraft(world: World) {
  const { device_id } = await stated(world, 'active')
  made += 1
  return { profile_name: `方案${made}`, model_code: null, device_ids: [device_id], place_ids: [], values: { 'base.volume': 5 }, secrets: {} }
}

async function aProfile(world: World) {
  return dataOf(configApi.add, await world.app.call(configApi.add, await configDraft(world), { token: world.me.token })).profile
}

const configuring = buildersOf(configApi, {
  keys: () => ({ input: { model_code: 'VF105' } }),
  list: () => ({ input: {} }),
  targets: async world => ({ input: { id: (await aProfile(world)).profile_id } }),
  preview: async world => ({ input: await configDraft(world) }),
  add: async world => ({ input: await configDraft(world) }),
  update: async world => {
    const { profile_id, row_version } = await aProfile(world)
    return { input: { id: profile_id, row_version, ...(await configDraft(world)) } }
  },
  delete: async world => ({ input: { id: (await aProfile(world)).profile_id } }),
  read: async world => ({ input: { id: (await aDevice(world)).device_id } }),
  write: async world => ({ input: { id: (await aDevice(world)).device_id, values: { 'base.volume': 5 }, secrets: {}, row_version: 0 } }),
  diff: async world => ({ input: { place_id: await campus(world) } }),
})

/** A package of our own terminals that nobody has uploaded yet. */
function aPackage() {
  made += 1
  const body = Buffer.from(`campus-firmware 9.0.${made}\n`)
  return { input: { model_codes: 'JD-F10', version: `9.0.${made}`, md5: createHash('md5').update(body).digest('hex') }, file: { name: 'system.jbn', body } }
}

async function uploaded(world: World) {
  const { input, file } = aPackage()
  return dataOf(firmwareApi.upload, await world.app.call(firmwareApi.upload, input, { token: world.me.token, file })).firmware.firmware_id
}

async function aTask(world: World) {
  const asked = { firmware_id: await uploaded(world), device_ids: [(await stated(world, 'active')).device_id] }
  return dataOf(firmwareApi.create, await world.app.call(firmwareApi.create, asked, { token: world.me.token })).task.task_id
}

const upgrading = buildersOf(firmwareApi, {
  list: () => ({ input: {} }),
  upload: aPackage,
  delete: async world => ({ input: { id: await uploaded(world) } }),
  tasks: () => ({ input: {} }),
  task: async world => ({ input: { id: await aTask(world) } }),
  create: async world => ({ input: { firmware_id: await uploaded(world), device_ids: [(await stated(world, 'active')).device_id] } }),
  cancel: async world => ({ input: { id: await aTask(world) } }),
  retry: async world => ({ input: { id: await aTask(world) } }),
  history: async world => ({ input: { id: (await aDevice(world)).device_id } }),
  fetch: async world => {
    const task_id = await aTask(world)
    const ticket = randomBytes(32).toString('base64url')
    const { school_id } = world
    await world.app.running.database.tenant(school_id, db => sql`update firmware_task_device set state = 'INITIATED', sent_at = now(), ticket_hash = ${createHash('sha256').update(ticket).digest('hex')}, ticket_until = now() + interval '1 day' where school_id = ${school_id} and task_id = ${task_id}`.execute(db))
    return { input: { school_id, ticket } }
  },
})

const setting = buildersOf(schoolSettingApi, {
  read: () => ({ input: {} }),
  preview: () => ({ input: { ...setting_defaults, read_back_hour: 3 as const } }),
  update: async world => ({ input: { ...setting_defaults, row_version: dataOf(schoolSettingApi.read, await world.app.call(schoolSettingApi.read, {}, { token: world.me.token })).row_version } }),
})

export const deviceSettingsCalls: ReadonlyMap<string, Builder> = new Map([...configuring, ...upgrading, ...setting])
