import { accountApi, passwordSetApi } from '@campus/identity/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'
import { makeAccount } from './account.ts'

/** The rule of the school as a form would send it back, one more password remembered. */
async function draftOf({ app, me }: World) {
  const { login_max: _login_max, is_password_strong: _strong, ...row } = dataOf(passwordSetApi.detail, await app.call(passwordSetApi.detail, {}, { token: me.token }))
  return { ...row, history_count: row.history_count === 10 ? 5 : row.history_count + 1 }
}

async function whom(world: World) {
  const { user_id } = await makeAccount(world, 1)
  return { input: { user_id } }
}

const passwords = buildersOf(passwordSetApi, {
  detail: () => ({ input: {} }),
  add: async world => ({ input: await draftOf(world) }),
  update: async world => ({ input: await draftOf(world) }),
})

const accounts = buildersOf(accountApi, {
  state: whom,
  gauges: () => ({ input: {} }),
  concerns: () => ({ input: { concern: 'unchanged' as const } }),
  unlock: whom,
  disable: whom,
  enable: whom,
  kick: whom,
  reset: whom,
  setSysPwd: async world => ({ input: { user_ids: [(await makeAccount(world, 1)).user_id] } }),
})

/** Calls about other people's accounts and the rule of their passwords. */
export const adminAccountCalls: ReadonlyMap<string, Builder> = new Map([...passwords, ...accounts])
