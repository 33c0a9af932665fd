import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { withFormer } from '@kit/server/secrets'
import { keyObject } from './key-object.ts'

const format_version = 1
const iv_bytes = 12
const tag_bytes = 16

/**
 * AES-256-GCM: version byte, iv, tag, text. The tag covers what the text is for (`purpose`, e.g. `people.id_no:1001`), so a text
 * of another school or column does not open.
 */
export function sealText(data_key: Buffer, purpose: string, text: string): Buffer {
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', keyObject(data_key), iv).setAAD(Buffer.from(purpose))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(format_version), iv, cipher.getAuthTag(), body])
}

/** Opens a sealed text, also of a key that this one has replaced. @throws Error when it was made for another purpose or with another key */
export function openText(data_key: Buffer, purpose: string, sealed: Buffer): string {
  const iv = sealed.subarray(1, 1 + iv_bytes)
  const tag = sealed.subarray(1 + iv_bytes, 1 + iv_bytes + tag_bytes)
  return withFormer(data_key, key => {
    const decipher = createDecipheriv('aes-256-gcm', keyObject(key), iv).setAAD(Buffer.from(purpose)).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed.subarray(1 + iv_bytes + tag_bytes)), decipher.final()]).toString('utf8')
  })
}
