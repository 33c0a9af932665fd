import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { withFormer } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'

const iv_bytes = 12
const tag_bytes = 16

const purposeOf = (school_id: number, module_code: string) => Buffer.from(`school.module:${school_id}:${module_code}`)

/** The secret shared with a partner as it is kept: AES-256-GCM, bound to its school and module. */
export function sealSecret(data_key: Buffer, school_id: number, module_code: string, secret: string): string {
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(data_key), iv).setAAD(purposeOf(school_id, module_code))
  const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
}

/** Opens a kept secret. @throws Error when it was kept for another module or with another key */
export function openSecret(data_key: Buffer, school_id: number, module_code: string, secret_ref: string): string {
  const sealed = Buffer.from(secret_ref, 'base64')
  const tag = sealed.subarray(iv_bytes, iv_bytes + tag_bytes)
  return withFormer(data_key, key => {
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), sealed.subarray(0, iv_bytes)).setAAD(purposeOf(school_id, module_code)).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(iv_bytes + tag_bytes)), decipher.final()]).toString('utf8')
  })
}

/** The secrets shared with partners, for the exchange of keys. */
export const sealedModuleSecret: SealedPart = {
  name: 'school.module_secret', key: 'data_key', table: 'school_module', ids: [['module_code', 'text'], ['valid_from', 'date']], columns: ['secret_ref'],
  carry({ data_key }, school_id, { module_code, secret_ref }) {
    const code = String(module_code)
    return typeof secret_ref === 'string' && secret_ref !== '' ? { secret_ref: sealSecret(data_key, school_id, code, openSecret(data_key, school_id, code, secret_ref)) } : null
  },
}
