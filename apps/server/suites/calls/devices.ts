import { createHash, randomBytes } from 'node:crypto'
import { boardApi, cardFormatApi, cardReadApi, commandApi, deviceApi, deviceFileApi, passwordApi, readerApi, readerDeskApi, ruleApi, syncApi } from '@campus/devices/contract'
import { keepMade } from '@campus/files/server'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { recheckOf } from './messages.ts'

let made = 0

async function campus({ app, me }: World): Promise<string> {
  const { list } = dataOf(placeApi.tree, await app.call(placeApi.tree, { lazy: '1' }, { token: me.token }))
  return list[0]?.place_id ?? ''
}

async function draft(world: World) {
  made += 1
  return { device_sn: `S${world.school_id}-${made}`, device_name: `设备${made}`, device_type: '01' as const, model_code: 'JD-F10', place_id: await campus(world), direction: 3 }
}

/** A device of its own. */
async function aDevice(world: World) {
  return dataOf(deviceApi.create, await world.app.call(deviceApi.create, await draft(world), { token: world.me.token })).device
}

/** The same in the words of a call that changes its state. */
async function stated(world: World, lifecycle: 'active' | 'disabled' | 'pending') {
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
})

const reading = buildersOf(cardReadApi, { recent: async world => ({ input: { place_id: await campus(world) } }) })

/** A device that has been set up with somebody's foreign row, and a change that waits for a signature. */
async function drifted(world: World): Promise<{ device_id: string; drift_id: string; plan_id: string }> {
  const { device_id } = await stated(world, 'active')
  const { school_id } = world
  const made_rows = await world.app.running.database.tenant<unknown, { rows: { drift_id: string; plan_id: string }[] }>(school_id, db => sql<{ drift_id: string; plan_id: string }>`
    with d as (insert into sync_drift (school_id, device_id, kind, row_key, found, found_at) values (${school_id}, ${device_id}, 'person', '12345', 'foreign', now()) returning drift_id::text),
      p as (insert into sync_plan (school_id, device_id, persons, persons_total, state, held_at) values (${school_id}, ${device_id}, 60, 100, 'held', now()) returning plan_id::text)
    select d.drift_id, p.plan_id from d, p`.execute(db))
  return { device_id, drift_id: made_rows.rows[0]?.drift_id ?? '', plan_id: made_rows.rows[0]?.plan_id ?? '' }
}

const holding = buildersOf(syncApi, {
  state_rows: async world => ({ input: { id: (await aDevice(world)).device_id, keyword: '张三' } }),
  resync: async world => ({ input: { id: (await stated(world, 'active')).device_id, mode: 'diff' as const } }),
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

const commanding = buildersOf(commandApi, {
  control: async world => ({ input: { device_id: await present(world), command: 'beep' as const } }),
  read: async world => {
    const command = dataOf(commandApi.control, await world.app.call(commandApi.control, { device_id: await present(world), command: 'time' }, { token: world.me.token }))
    return { input: { id: command.command_id } }
  },
  list: async world => ({ input: { id: await present(world) } }),
})

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

function formatDraft() {
  made += 1
  return { format_name: `格式${made}`, input: 'dec10' as const, byte_order: 'reversed' as const, truncation: 'none' as const, pad: true, upper: true, sample: '2A83155E' }
}

function deskDraft() {
  made += 1
  return { desk_name: `读卡点${made}`, reader_ip: '127.0.0.1', port: 32_156, mode: 'uid' as const, card_format_id: null }
}

async function aDesk({ app, me }: World) {
  return dataOf(readerDeskApi.add, await app.call(readerDeskApi.add, deskDraft(), { token: me.token })).desk
}

const desks = buildersOf(readerDeskApi, {
  list: () => ({ input: {} }),
  add: () => ({ input: deskDraft() }),
  update: async world => {
    const { desk_id, row_version } = await aDesk(world)
    return { input: { ...deskDraft(), desk_id, row_version } }
  },
  delete: async world => {
    const { desk_id, row_version } = await aDesk(world)
    return { input: { desk_id, row_version } }
  },
})

const formats = buildersOf(cardFormatApi, {
  list: () => ({ input: {} }),
  add: () => ({ input: formatDraft() }),
  update: async ({ app, me }) => {
    const { format_id, row_version } = dataOf(cardFormatApi.add, await app.call(cardFormatApi.add, formatDraft(), { token: me.token })).format
    return { input: { ...formatDraft(), format_id, row_version } }
  },
  test: () => ({ input: { uid_hex: '2A83155E' } }),
})

const social_key = { sector: 1, key: 'A0A1A2A3A4A5' }
const readers = buildersOf(readerApi, {
  social_cfg: async ({ app, me }) => {
    await app.call(readerApi.social_key, social_key, { token: me.token })
    return { input: {} }
  },
  social_key: () => ({ input: social_key }),
  sightings: () => ({ input: { kind: 'unknown' as const } }),
})

/** A board that is there, as far as the registry knows. */
async function aBoard(world: World) {
  made += 1
  const { app, me, school_id } = world
  const { device_id } = dataOf(deviceApi.create, await app.call(deviceApi.create, { ...(await draft(world)), device_type: '03', model_code: 'JD-B32' }, { token: me.token })).device
  await app.running.database.tenant(school_id, db => sql`update device set lifecycle = 'active', online = true, offline_reason = null, online_since = now(), last_seen_at = now() + interval '1 day' where school_id = ${school_id} and device_id = ${device_id}`.execute(db))
  return device_id
}

const boards = buildersOf(boardApi, {
  list: async world => ({ input: { place_id: await campus(world) } }),
  detail: async world => ({ input: { id: await aBoard(world) } }),
  content_rows: async world => ({ input: { id: await aBoard(world) } }),
  screenshot: async world => ({ input: { device_id: await aBoard(world) } }),
  brightness: async world => ({ input: { device_id: await aBoard(world), brightness: 0 } }),
  volume: async world => ({ input: { device_id: await aBoard(world), volume: 40 } }),
  restart: async world => ({ input: { device_id: await aBoard(world) } }),
})

const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64')

/** A ticket of a board, as it would be told it. */
async function aTicket(world: World, kind: 'download' | 'screenshot') {
  const { app, school_id, me } = world
  const device_id = await aBoard(world)
  const token = randomBytes(32).toString('base64url')
  const file_key = `${school_id}/${me.user_id}/20261124/${token}.png`
  if (kind === 'download') {
    const { app: desk, database } = app.running
    const enter = await keepMade({ app: desk, own: database.tenant.bind(database), now: app.clock.now() }, school_id, me.user_id, { file_key, purpose: 'resource', bytes: picture })
    await database.tenant(school_id, db => enter({ app: desk, db, school_id, now: app.clock.now() }, { ref_kind: 'test', ref_id: device_id }))
  }
  await app.running.database.tenant(school_id, db => sql`insert into device_ticket (school_id, device_id, kind, row_key, token_digest, file_key, expires_at) values (${school_id}, ${device_id}, ${kind}, 'x', ${createHash('sha256').update(token).digest('hex')}, ${kind === 'download' ? file_key : null}, now() + interval '1 day')`.execute(db))
  return `${school_id}.${token}`
}

const device_files = buildersOf(deviceFileApi, {
  blob: async world => ({ input: { ticket: await aTicket(world, 'download') } }),
  screenshot: async world => ({ input: { ticket: await aTicket(world, 'screenshot') }, file: { name: 'screenshot.png', body: picture } }),
})

export const devicesCalls: ReadonlyMap<string, Builder> = new Map([...registry, ...reading, ...holding, ...commanding, ...ruling, ...secrets, ...desks, ...formats, ...readers, ...boards, ...device_files])
