import { createHash, randomBytes } from 'node:crypto'
import { boardApi, deviceApi, deviceFileApi } from '@campus/devices/contract'
import { keepMade } from '@campus/files/server'
import { sql } from 'kysely'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { campus, draft } from './devices.ts'

/** A board that is there, as far as the registry knows. */
async function aBoard(world: World) {
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

export const deviceBoardsCalls: ReadonlyMap<string, Builder> = new Map([...boards, ...device_files])
