import { hashPassword, issueAccount, startSession } from '@campus/identity/server'
import type { Own } from '@campus/identity/server'
import type { TestUser } from '../../testing/index.ts'
import type { World } from '../world.ts'

export const test_password = 'Qw8#rTy2pL'
let serial = 0

export type TestAccount = TestUser & { username: string }

/** A person of the world's school with a login; `pwd_state` 1 own, 2 default (must change). */
export async function makeAccount(world: World, pwd_state: 1 | 2): Promise<TestAccount> {
  const user = await world.app.as({ school_id: world.school_id, codes: [] })
  const { database } = world.app.running
  const username = `acc${world.school_id}_${(serial += 1)}`
  const password_hash = await hashPassword(test_password)
  const pwd_set_at = world.app.clock.now()
  await database.tenant<unknown, void>(0, db => issueAccount(db, { user_id: user.user_id, username, password_hash, pwd_state, pwd_set_at }))
  return { ...user, username }
}

/** Another session of the world's person. */
export async function signInAgain(world: World): Promise<{ token: string; session_id: string; refresh: string }> {
  const { app, database } = world.app.running
  const { school_id, user_id, role_no } = world.me
  const own: Own = (id, fn) => database.tenant(id, fn)
  return startSession({ app, own, now: world.app.clock.now() }, { school_id, user_id, role_no, device_label: '测试', ip: '127.0.0.1' })
}

/** A Cookie header with a live refresh secret. */
export async function refreshCookieOf(world: World): Promise<string> {
  const { refresh } = await signInAgain(world)
  return `campus_refresh=${refresh}`
}
