import { sessionApi } from '@campus/identity/contract'
import { grantSuper, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import { schoolManageApi } from '@campus/school/contract'
import { dataOf } from '../../testing/index.ts'
import type { TestApp } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { makeAccount, test_password } from './account.ts'
import { cipher } from './cipher.ts'

const supers = new WeakMap<World, Promise<string>>()
const slots = new WeakMap<TestApp, number>()
const slot_of = [1, 2, 3, 4, 5] as const
let serial = 0

/** A session token of a super account that works in the world's school; one a world, since there are five places. */
function superOf(world: World): Promise<string> {
  const token = supers.get(world) ?? makeSuper(world)
  supers.set(world, token)
  return token
}

async function makeSuper(world: World): Promise<string> {
  const { school_id, app } = world
  const taken = slots.get(app) ?? 0
  slots.set(app, taken + 1)
  const { user_id } = await makeAccount(world, 1)
  await app.running.database.tenant<unknown, void>(0, db => grantSuper(db, user_id, slot_of[taken] ?? 5, [school_id]))
  const own: Own = (id, fn) => app.running.database.tenant(id, fn)
  const { token } = await startSession({ app: app.running.app, own, now: app.clock.now() }, { school_id, user_id, role_no: `-${school_id}`, device_label: '测试', ip: '127.0.0.1' })
  return token
}

async function proofOf(world: World, token: string): Promise<string> {
  const { cap_key, ciphers } = await cipher(world, 'nonce', [test_password])
  return dataOf(sessionApi.checkSelfPassword, await world.app.call(sessionApi.checkSelfPassword, { password: ciphers[0] ?? '', cap_key }, { token })).recheck_token
}

async function draft(world: World, token: string) {
  serial += 1
  return { school_name: `平台新校${serial}`, school_type: 1 as const, admin_name: '王新校', admin_account: `pform_${serial}`, recheck_token: await proofOf(world, token) }
}

/** A school of its own, so that the schools of the tests stay open. */
async function newSchool(world: World, token: string) {
  const wish = await draft(world, token)
  const { school_id } = dataOf(schoolManageApi.add, await world.app.call(schoolManageApi.add, wish, { token }))
  return { id: school_id, school_name: wish.school_name }
}

async function suspended(world: World, token: string) {
  const school = await newSchool(world, token)
  await world.app.call(schoolManageApi.suspend, { id: school.id, reason: '停用', recheck_token: await proofOf(world, token) }, { token })
  return school
}

/** The platform's calls about schools, made by a super account. */
export const schoolManageCalls: ReadonlyMap<string, Builder> = buildersOf(schoolManageApi, {
  page: async world => ({ input: {}, token: await superOf(world) }),
  export: async world => ({ input: {}, token: await superOf(world) }),
  add: async world => {
    const token = await superOf(world)
    return { input: await draft(world, token), token }
  },
  update: async world => {
    const token = await superOf(world)
    const { id } = await newSchool(world, token)
    return { input: { id, school_name: '改过的校名', row_version: 1 }, token }
  },
  suspend: async world => {
    const token = await superOf(world)
    const { id } = await newSchool(world, token)
    return { input: { id, reason: '停用', recheck_token: await proofOf(world, token) }, token }
  },
  resume: async world => {
    const token = await superOf(world)
    const { id } = await suspended(world, token)
    return { input: { id, reason: '恢复', recheck_token: await proofOf(world, token) }, token }
  },
  closing: async world => {
    const token = await superOf(world)
    return { input: { id: (await suspended(world, token)).id }, token }
  },
  close: async world => {
    const token = await superOf(world)
    const { id, school_name } = await suspended(world, token)
    return { input: { id, school_name, reason: '合并办学', recheck_token: await proofOf(world, token) }, token }
  },
})
