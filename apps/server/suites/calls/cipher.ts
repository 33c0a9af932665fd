import { loginApi } from '@campus/identity/contract'
import { encryptField } from '@kit/contract/sm2'
import { dataOf } from '../../testing/index.ts'
import type { World } from '../world.ts'

/** Encrypts values as the browser does; all of one body share one captcha. */
export async function cipher(world: World, kind: 'login' | 'nonce', values: readonly string[]): Promise<{ cap_key: string; ciphers: string[] }> {
  const captcha = dataOf(loginApi.captcha, await world.app.call(loginApi.captcha, { type: kind }))
  const ciphers = values.map(value => encryptField(value, captcha.key, captcha.public_key, captcha.key_id))
  return { cap_key: captcha.key, ciphers }
}
