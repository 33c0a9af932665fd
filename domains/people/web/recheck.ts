import { loginApi, sessionApi } from '@campus/identity/contract'
import { call } from '@kit/web'

/** Proves the own password typed again, for one dangerous act; answers its token. @throws CallError */
export async function recheck(password: string): Promise<string> {
  const quiet = { quiet: true }
  const [nonce, { encryptField }] = await Promise.all([call(loginApi.captcha, { type: 'nonce' }, quiet), import('@kit/contract/sm2')])
  const sealed = encryptField(password, nonce.key, nonce.public_key, nonce.key_id)
  return (await call(sessionApi.checkSelfPassword, { password: sealed, cap_key: nonce.key }, quiet)).recheck_token
}
