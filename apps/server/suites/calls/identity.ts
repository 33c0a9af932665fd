import { loginApi, sessionApi } from '@campus/identity/contract'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { makeAccount, refreshCookieOf, signInAgain, test_password } from './account.ts'
import { adminAccountCalls } from './admin-account.ts'
import { appRoleCalls } from './app-role.ts'
import { cipher } from './cipher.ts'
import { providerCalls } from './provider.ts'
import { realtimeCalls } from './realtime.ts'
import { roleCalls } from './role.ts'
import { subAppCalls } from './sub-app.ts'

const captcha_of_tests = '2222'

/** The body of a right login. */
async function loginBody(world: World, username: string, password = test_password) {
  const { cap_key, ciphers } = await cipher(world, 'login', [username, password])
  const [name = '', word = ''] = ciphers
  return { username: name, password: word, cap_key, cap_value: captcha_of_tests }
}

/** The ticket of a login that must change its password first. */
async function forcedTicket(world: World): Promise<string> {
  const account = await makeAccount(world, 2)
  const answer = await world.app.call(loginApi.check, await loginBody(world, account.username))
  const data = answer.body.data
  return typeof data === 'object' && data !== null && 'token' in data ? String(data.token) : ''
}

const login = buildersOf(loginApi, {
  captcha: () => ({ input: { type: 'login' as const } }),
  check: async world => ({ input: await loginBody(world, (await makeAccount(world, 1)).username) }),
  passwordSet: world => ({ input: { school_id: world.school_id } }),
  token: world => {
    const { role_no, role_code, user_id, school_id, token } = world.me
    return { input: { role_no, code: role_code, user_id, school_id, client: 'web' as const }, token }
  },
  refresh: async world => ({ input: {}, headers: { cookie: await refreshCookieOf(world) } }),
  forcedPassword: async world => {
    const code = await forcedTicket(world)
    const { cap_key, ciphers } = await cipher(world, 'nonce', ['Xk29!pQm7w'])
    return { input: { pwd: ciphers[0] ?? '', code, cap_key } }
  },
})

const session = buildersOf(sessionApi, {
  logout: async world => ({ input: {}, token: (await signInAgain(world)).token }),
  mine: () => ({ input: {} }),
  revoke: async world => ({ input: { session_id: (await signInAgain(world)).session_id } }),
  modifyPassword: async world => {
    const account = await makeAccount(world, 1)
    const { cap_key, ciphers } = await cipher(world, 'nonce', [test_password, 'Zt51#vRn8c'])
    return { input: { old_pass: ciphers[0] ?? '', new_pass: ciphers[1] ?? '', user_id: account.user_id, cap_key }, token: account.token }
  },
  isDefault: () => ({ input: {} }),
  checkSelfPassword: async world => {
    const account = await makeAccount(world, 1)
    const { cap_key, ciphers } = await cipher(world, 'nonce', [test_password])
    return { input: { password: ciphers[0] ?? '', cap_key }, token: account.token }
  },
  roles: () => ({ input: {} }),
  roleGroups: () => ({ input: {} }),
  cards: world => ({ input: { user_ids: world.me.user_id } }),
})

export const identityCalls: ReadonlyMap<string, Builder> = new Map([...login, ...session, ...realtimeCalls, ...roleCalls, ...adminAccountCalls, ...subAppCalls, ...providerCalls, ...appRoleCalls])
