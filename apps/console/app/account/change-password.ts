import { loginApi, sessionApi } from '@campus/identity/contract'
import { call, CallError, toast } from '@kit/web'

/**
 * Changes the own password, both texts encrypted under one nonce (platform rule C1). `old_wrong` when the old one is not the
 * present one; that and every other refusal is shown.
 */
export async function changePassword(old_pass: string, new_pass: string, user_id: string): Promise<'changed' | 'old_wrong' | 'refused'> {
  try {
    const [nonce, { encryptField }] = await Promise.all([call(loginApi.captcha, { type: 'nonce' }), import('@kit/contract/sm2')])
    const seal = (text: string) => encryptField(text, nonce.key, nonce.public_key, nonce.key_id)
    await call(sessionApi.modifyPassword, { old_pass: seal(old_pass), new_pass: seal(new_pass), user_id, cap_key: nonce.key })
    toast.success('修改成功')
    return 'changed'
  } catch (cause) {
    return cause instanceof CallError && cause.error_id === 'identity.oldPasswordWrong' ? 'old_wrong' : 'refused'
  }
}
