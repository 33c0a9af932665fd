import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { withFormer } from './former-key.ts'

const iv_bytes = 12
const tag_bytes = 16

/** AES-256-GCM: iv, tag, text. The tag covers what the text is for (`purpose`), so a text of another school or purpose does not open. */
export function sealText(key: Buffer, purpose: string, text: string): Buffer {
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Opens a sealed text, also of a key that this one has replaced. @throws Error when it was made for another purpose or with another key */
export function openText(key: Buffer, purpose: string, sealed: Buffer): string {
  const tag = sealed.subarray(iv_bytes, iv_bytes + tag_bytes)
  return withFormer(key, one => {
    const decipher = createDecipheriv('aes-256-gcm', createSecretKey(one), sealed.subarray(0, iv_bytes)).setAAD(Buffer.from(purpose)).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(iv_bytes + tag_bytes)), decipher.final()]).toString('utf8')
  })
}
