import type { App } from '@kit/server/http'
import type { Adapter } from './adapter.ts'
import { ProviderFault } from './fault.ts'

const code_shape = /^([A-Za-z0-9_]{5,30})\.([A-Za-z0-9_-]{22})$/

/**
 * The test provider asks nobody: the built-in page lists the demo accounts, a click comes back as the chosen shape does, with
 * `{account}.{state}` as the code. So it stands only where nobody but this machine, or nobody but a tester, is.
 */
export const testProvider: Adapter = {
  async start(_desk, { school_id, shape }, state) {
    return `/${school_id}?${new URLSearchParams({ test_login: shape, state })}`
  },
  async exchange({ trip }, _line, { code, state }) {
    const [, username, own_state] = code_shape.exec(code) ?? []
    if (username === undefined || own_state !== state) {
      trip.note('核对登录凭证', false, '登录凭证不是为本次登录生成的')
      throw new ProviderFault('refused', '登录凭证不是为本次登录生成的')
    }
    trip.note('核对登录凭证', true, `演示账号 ${username}`)
    return { username }
  },
}

/** The state inside a code of the test provider: shapes that carry no state of their own bring it there. */
export function stateInCode(code: string): string | null {
  return code_shape.exec(code)?.[2] ?? null
}

/** Nobody may walk in without a password where others can open the page (chapter 10 §12). */
export function mayTest({ config }: Pick<App, 'config'>): boolean {
  return config.CAMPUS_ENV === 'test' || (config.CAMPUS_ENV === 'dev' && config.demo && config.host_is_loopback)
}
