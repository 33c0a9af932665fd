import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { boxApi, brokerApi, cameraApi, cameraShotApi, cardReadApi, commandApi, deviceApi, deviceLinkApi, erasureApi, floorPlanApi, maintenanceApi, overviewApi, passEventApi, passwordApi, photoApi, placeDeviceApi, ruleApi, syncApi, wireApi, withdrawalApi } from '@campus/devices/contract'
import { bringAddress, photoAddress, shotKey } from '@campus/devices/server'
import { placeApi } from '@campus/places/contract'
import sharp from 'sharp'
import { sql } from 'kysely'
import { dataOf, test_settings, upload } from '../../testing/index.ts'
import { drawn } from './files.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { recheckOf } from './messages.ts'

let made = 0

/** The place at the top of the school. */
export async function campus({ app, me }: World): Promise<string> {
  const { list } = dataOf(placeApi.tree, await app.call(placeApi.tree, { lazy: '1' }, { token: me.token }))
  return list[0]?.place_id ?? ''
}

/** A terminal that can be registered. */
export async function draft(world: World) {
  made += 1
  return { device_sn: `S${world.school_id}-${made}`, device_name: `设备${made}`, device_type: '01' as const, model_code: 'JD-F10', place_id: await campus(world), direction: 3 }
}

/** A device of its own. */
export async function aDevice(world: World) {
  return dataOf(deviceApi.create, await world.app.call(deviceApi.create, await draft(world), { token: world.me.token })).device
}

/** The same in the words of a call that changes its state. */
export async function stated(world: World, lifecycle: 'active' | 'disabled' | 'pending') {
  const { device_id, row_version } = await aDevice(world)
  const { school_id } = world
  await world.app.running.database.tenant(school_id, db => sql`update device set lifecycle = ${lifecycle} where school_id = ${school_id} and device_id = ${device_id}`.execute(db))
  return { device_id, row_version }
}

/** A device that has knocked with a code and waits. */
async function waiting(world: World) {
  const wanted = await draft(world)
  await world.app.call(deviceApi.enrol_code, { count: 1, expires_min: 60 }, { token: world.me.token })
  await world.app.running.database.tenant(0, db => sql`update device_enrol_code set device_sn = ${wanted.device_sn}, client_ip = '10.0.0.9', seen_at = now() where school_id = ${world.school_id} and device_sn is null`.execute(db))
  return wanted
}

const registry = buildersOf(deviceApi, {
  models: () => ({ input: {} }),
  list: async world => ({ input: { place_id: await campus(world) } }),
  export: async world => ({ input: { place_id: await campus(world) } }),
  status: async world => ({ input: { ids: (await aDevice(world)).device_id } }),
  unclaimed: () => ({ input: {} }),
  detail: async world => ({ input: { id: (await aDevice(world)).device_id } }),
  create: async world => ({ input: await draft(world) }),
  update: async world => {
    const { device_id, row_version } = await aDevice(world)
    return { input: { id: device_id, row_version, note: '已检修' } }
  },
  place: async world => ({ input: { device_id: (await aDevice(world)).device_id, place_id: await campus(world), direction: 1 } }),
  enable: async world => ({ input: await stated(world, 'disabled') }),
  disable: async world => ({ input: await stated(world, 'active') }),
  retire: async world => ({ input: { ...(await stated(world, 'active')), reason: '报废' } }),
  replace: async world => ({ input: { ...(await stated(world, 'active')), device_sn: (await draft(world)).device_sn, reason: '损坏更换' } }),
  ispush: async world => ({ input: { device_ids: [(await aDevice(world)).device_id], is_push: 0 as const } }),
  secret: async world => ({ input: await stated(world, 'pending') }),
  enrol_code: () => ({ input: { count: 2, expires_min: 60 } }),
  claim: async world => ({ input: await waiting(world) }),
  adopt: async world => ({ input: { device_id: (await stated(world, 'active')).device_id } }),
})

const hour_ms = 3_600_000
const maintaining = buildersOf(maintenanceApi, {
  declare: async world => ({ input: { device_ids: [(await aDevice(world)).device_id], end_at: new Date(world.app.clock.now().getTime() + hour_ms).toISOString(), reason: '更换门锁' } }),
  end: async world => ({ input: { device_ids: [(await aDevice(world)).device_id] } }),
})

const these_days = { from: '2026-11-01', to: '2026-11-30' } as const
const somePasses = async (world: World) => ({ input: { ...these_days, place_id: await campus(world), device_id: (await aDevice(world)).device_id } })
const passed = buildersOf(passEventApi, { export: somePasses, count: somePasses })
const linked = buildersOf(deviceLinkApi, { export: async world => ({ input: { ...these_days, device_id: (await aDevice(world)).device_id } }) })

const reading = buildersOf(cardReadApi, { recent: async world => ({ input: { place_id: await campus(world) } }) })

/** A device that has been set up with somebody's foreign row, and a change that waits for a signature. */
async function drifted(world: World): Promise<{ device_id: string; drift_id: string; plan_id: string }> {
  const { device_id } = await stated(world, 'active')
  const { school_id } = world
  const made_rows = await world.app.running.database.tenant<unknown, { rows: { drift_id: string; plan_id: string }[] }>(school_id, async db => {
    // Whoever derives the device now would end a change without rows: this waits for him.
    await sql`delete from sync_due where school_id = ${school_id} and device_id = ${device_id}`.execute(db)
    return sql<{ drift_id: string; plan_id: string }>`
    with d as (insert into sync_drift (school_id, device_id, kind, row_key, found, found_at) values (${school_id}, ${device_id}, 'person', '12345', 'foreign', now()) returning drift_id::text),
      p as (insert into sync_plan (school_id, device_id, persons, persons_total, state, held_at) values (${school_id}, ${device_id}, 60, 100, 'held', now()) returning plan_id::text)
    select d.drift_id, p.plan_id from d, p`.execute(db)
  })
  return { device_id, drift_id: made_rows.rows[0]?.drift_id ?? '', plan_id: made_rows.rows[0]?.plan_id ?? '' }
}

/** A device with a row that it has refused. */
async function refusedRow(world: World) {
  const { device_id } = await stated(world, 'active')
  const { school_id } = world
  await world.app.running.database.tenant(school_id, db => sql`
    insert into sync_row (school_id, device_id, kind, row_key, want_op, want_hash, want_version, prio, state, attempts, next_at, wanted_at, reason_code)
    values (${school_id}, ${device_id}, 'person', '9', 'put', 'h', 1, 5, 'refused', 0, now(), now(), 'name')`.execute(db))
  return { id: device_id, rows: [{ kind: 'person' as const, row_key: '9' }] }
}

const holding = buildersOf(syncApi, {
  state_rows: async world => ({ input: { id: (await aDevice(world)).device_id, keyword: '张三' } }),
  resync: async world => ({ input: { id: (await stated(world, 'active')).device_id, mode: 'diff' as const } }),
  resend: async world => ({ input: await refusedRow(world) }),
  drift: async world => ({ input: { device_id: (await aDevice(world)).device_id } }),
  drift_resolve: async world => ({ input: { ids: [(await drifted(world)).drift_id], action: 'delete' as const } }),
  holds: () => ({ input: {} }),
  hold_confirm: async world => ({ input: { plan_id: (await drifted(world)).plan_id, reason: '毕业班离校' } }),
})

/** A device that is there, as far as the registry knows; heard of from tomorrow, or it would be silent too long before the last call is made. */
async function present(world: World) {
  const { device_id } = await stated(world, 'active')
  const { school_id } = world
  await world.app.running.database.tenant(school_id, db => sql`update device set online = true, offline_reason = null, online_since = now(), last_seen_at = now() + interval '1 day' where school_id = ${school_id} and device_id = ${device_id}`.execute(db))
  return device_id
}

/** Somebody whom devices know. */
async function known(world: World): Promise<string> {
  const { school_id } = world
  made += 1
  const user_no = `ERASE${made}`
  await world.app.running.database.tenant(school_id, db => sql`insert into subject (school_id, user_id, person_kind, user_no, user_name, live) values (${school_id}, ${990000 + made}, 1, ${user_no}, '离校生', false)`.execute(db))
  return user_no
}

const erasing = buildersOf(erasureApi, { issue: async world => ({ input: { user_no: await known(world), reason: '家长撤回同意' } }) })

const commanding = buildersOf(commandApi, {
  control: async world => ({ input: { device_id: await present(world), command: 'beep' as const } }),
  read: async world => {
    const command = dataOf(commandApi.control, await world.app.call(commandApi.control, { device_id: await present(world), command: 'time' }, { token: world.me.token }))
    return { input: { id: command.command_id } }
  },
  list: async world => ({ input: { id: await present(world) } }),
})

const wires = buildersOf(wireApi, { watch: async world => ({ input: { id: (await aDevice(world)).device_id } }) })

/** A rule of its own, for one device. */
async function ruleDraft(world: World) {
  const { device_id } = await stated(world, 'active')
  made += 1
  const every_day = Array.from({ length: 7 }, () => true)
  return { rule_name: `规则${made}`, priority: 50, valid_from: '2026-01-01', valid_to: null, calendar_mode: 'every_day' as const, enabled: true, device_ids: [device_id], place_ids: [], body: { kind: 1 as const, unlock_sec: 5, held_open_sec: 0, fire_opens: true, windows: [{ weekdays: every_day, begin: '22:00', end: '06:00', mode: 'always_closed' as const, verify: [] }] } }
}

async function aRule(world: World) {
  return dataOf(ruleApi.add, await world.app.call(ruleApi.add, await ruleDraft(world), { token: world.me.token })).rule
}

const ruling = buildersOf(ruleApi, {
  page: () => ({ input: { rule_kind: 1 } }),
  detail: async world => ({ input: { id: (await aRule(world)).rule_id } }),
  live_at: async world => ({ input: { id: (await aDevice(world)).device_id } }),
  followers: async world => ({ input: { id: (await aRule(world)).rule_id } }),
  add: async world => ({ input: await ruleDraft(world) }),
  update: async world => {
    const { rule_id, row_version } = await aRule(world)
    return { input: { id: rule_id, row_version, ...(await ruleDraft(world)) } }
  },
  delete: async world => ({ input: { id: (await aRule(world)).rule_id } }),
  enable: async world => {
    const { rule_id, row_version } = await aRule(world)
    return { input: { rule_id, row_version, enabled: false } }
  },
  preview: async world => ({ input: await ruleDraft(world) }),
  sync: async world => ({ input: { device_ids: [(await aDevice(world)).device_id] } }),
})

const secrets = buildersOf(passwordApi, {
  list: async world => ({ input: { place_id: await campus(world) } }),
  set: async world => ({ input: { device_ids: [(await stated(world, 'active')).device_id], password: '12345678' } }),
  reveal: async world => {
    const { device_id } = await stated(world, 'active')
    await world.app.call(passwordApi.set, { device_ids: [device_id], password: '12345678' }, { token: world.me.token })
    return { input: { device_id, reason: '现场维护', recheck_token: await recheckOf(world) } }
  },
})

/** A camera of its own. */
async function cameraDraft(world: World) {
  made += 1
  return { device_sn: `M${world.school_id}-${made}`, device_name: `摄像机${made}`, place_id: await campus(world) }
}

async function aCamera(world: World) {
  return dataOf(cameraApi.create, await world.app.call(cameraApi.create, await cameraDraft(world), { token: world.me.token })).camera
}

const watching = buildersOf(cameraApi, {
  list: async world => ({ input: { place_id: await campus(world) } }),
  detail: async world => ({ input: { id: (await aCamera(world)).device_id } }),
  create: async world => ({ input: { ...(await cameraDraft(world)), stream_url: 'rtsp://viewer:secret@10.0.0.8/1' } }),
  update: async world => {
    const { device_id, row_version } = await aCamera(world)
    return { input: { id: device_id, row_version, note: '已擦拭镜头' } }
  },
  remove: async world => {
    const { device_id, row_version } = await aCamera(world)
    return { input: { id: device_id, row_version } }
  },
  test: async world => ({ input: { camera_id: (await aCamera(world)).device_id } }),
  live: async world => ({ input: { id: (await aCamera(world)).device_id } }),
  watched: async world => ({ input: { camera_ids: [(await aCamera(world)).device_id] } }),
  views: async world => ({ input: { camera_id: (await aCamera(world)).device_id } }),
  bind: async world => ({ input: { camera_id: (await aCamera(world)).device_id, device_id: (await aDevice(world)).device_id } }),
  unbind: async world => ({ input: { camera_id: (await aCamera(world)).device_id } }),
})

/** A photograph that is on its way to a device. */
async function sentPhoto({ app, me, school_id, ...world }: World) {
  const { device_id } = await aDevice({ app, me, school_id, ...world })
  const file_key = await upload(app, me, { purpose: 'face', name: `face-${device_id}.png`, body: await drawn() })
  const [row_key, sha256] = [`f${device_id}`, createHash('sha256').update(device_id).digest('hex')]
  await app.running.database.tenant(school_id, db => sql`
    with file as (update file_object set state = 3 where school_id = ${school_id} and file_key = ${file_key}),
      credential as (insert into subject_credential (school_id, user_id, cred_kind, sha256, file_key, usable, source, source_ref, version) values (${school_id}, ${device_id}, 'face', ${sha256}, ${file_key}, true, 'suite', ${device_id}, 1)),
      photo as (insert into device_photo (school_id, sha256, file_key, state, made_key, made_sha256, bytes) values (${school_id}, ${sha256}, ${file_key}, 'ready', ${file_key}, ${sha256}, 1))
    insert into sync_row (school_id, device_id, kind, row_key, user_id, want_op, want_hash, want_version, prio, state, next_at) values (${school_id}, ${device_id}, 'credential', ${row_key}, ${device_id}, 'put', ${sha256.slice(0, 16)}, 1, 7, 'sent', now())`.execute(db))
  const of = { school_id, device_id, row_key, ver: '1' }
  const { searchParams } = new URL(photoAddress(app.running.app, app.clock.now(), of).url, 'http://school')
  return { input: { ...of, e: Number(searchParams.get('e')), s: searchParams.get('s') ?? '' } }
}

const pictures = buildersOf(photoApi, { fetch: sentPhoto })

/** The picture that a recorder is asked for, and one that somebody looks at. */
const shots = buildersOf(cameraShotApi, {
  bring: async world => {
    const { school_id, app } = world
    const camera_id = (await aCamera(world)).device_id
    await app.call(cameraApi.live, { id: camera_id }, { token: world.me.token })
    const [at = '', sign = ''] = bringAddress(app.running.app, { school_id, camera_id }, app.clock.now().getTime()).split('/').slice(-2)
    const body = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0958d9' } }).jpeg().toBuffer()
    return { input: { school_id, id: camera_id, at, sign }, file: { name: 'shot.jpg', body } }
  },
  show: async world => {
    const { school_id, app } = world
    const camera_id = (await aCamera(world)).device_id
    const live = () => app.call(cameraApi.live, { id: camera_id }, { token: world.me.token })
    await live()
    await app.running.database.tenant(school_id, db => sql`insert into camera (school_id, device_id, snapshot_at) values (${school_id}, ${camera_id}, now()) on conflict (school_id, device_id) do update set snapshot_at = now()`.execute(db))
    const { files } = app.running.app
    const path = files.scratch()
    await writeFile(path, await sharp({ create: { width: 8, height: 8, channels: 3, background: '#0958d9' } }).jpeg().toBuffer())
    await files.place(path, shotKey({ school_id, camera_id }))
    const address = new URL(dataOf(cameraApi.live, await live()).url ?? '', 'http://school')
    const [u = '', e = '', s = ''] = ['u', 'e', 's'].map(part => address.searchParams.get(part) ?? '')
    return { input: { school_id, id: camera_id, u, e, s } }
  },
})

/** As an outside broker asks, with the secret of the test environment. */
const hooked = { clientid: 'NOBODY', username: 'NOBODY' }
const token = test_settings['CAMPUS_MQTT_HOOK_SECRET'] ?? ''
const brokers = buildersOf(brokerApi, {
  auth: () => ({ input: { ...hooked, password: 'guessed' }, token }),
  acl: () => ({ input: { ...hooked, action: 'publish' as const, topic: 'jdev/NOBODY/up/hello' }, token }),
  event: () => ({ input: { event: 'client.disconnected', clientid: 'NOBODY', reason: 'tcp_closed' }, token }),
})

const standing = buildersOf(placeDeviceApi, { counts: () => ({ input: {} }), list: async world => ({ input: { id: await campus(world), subtree: '1' as const } }) })
const withdrawals = buildersOf(withdrawalApi, { read: () => ({ input: {} }) })
const overviews = buildersOf(overviewApi, { attention: () => ({ input: {} }), read: async world => ({ input: { id: (await aDevice(world)).device_id } }) })
/** The plan of the whole school. */
async function drawnPlan(world: World): Promise<string> {
  const id = await campus(world)
  dataOf(floorPlanApi.save, await world.app.call(floorPlanApi.save, { id, file_key: await planPicture(world) }, { token: world.me.token }))
  return id
}
const planPicture = async ({ app, me }: World) => upload(app, me, { purpose: 'resource', name: `${randomUUID()}.png`, body: await drawn() })
const plans = buildersOf(floorPlanApi, {
  read: async world => ({ input: { id: await campus(world) } }),
  save: async world => ({ input: { id: await campus(world), file_key: await planPicture(world) } }),
  remove: async world => ({ input: { id: await campus(world) } }),
  pin: async world => ({ input: { id: await drawnPlan(world), device_id: (await aDevice(world)).device_id, x: 0.5, y: 0.25 } }),
  unpin: async world => ({ input: { id: await campus(world), device_id: (await aDevice(world)).device_id } }),
})
const boxes = buildersOf(boxApi, { list: () => ({ input: {} }) })

export const devicesCalls: ReadonlyMap<string, Builder> = new Map([...standing, ...plans, ...overviews, ...withdrawals, ...boxes, ...watching, ...shots, ...registry, ...maintaining, ...brokers, ...reading, ...passed, ...linked, ...holding, ...erasing, ...commanding, ...wires, ...ruling, ...secrets, ...pictures])
