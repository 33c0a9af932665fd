import { createCipheriv, createDecipheriv, createSecretKey, randomBytes, randomUUID } from 'node:crypto'
import { z } from 'zod'

const algorithm = 'aes-256-gcm'
const [iv_bytes, tag_bytes] = [12, 16]
const purpose = Buffer.from('reader.social_key')
const Opened = z.object({ sector: z.number().int(), key: z.string(), expires_at: z.iso.datetime({ offset: true }), once: z.uuid() })

/** The key of social cards as a reader takes it: until `expires_at`, once for each `once`. */
export type SocialKey = z.output<typeof Opened>

/** Seals the key of social cards for the readers of a school (chapter 31 §8); the page that carries it cannot open it. `pairing`: 64 hex digits. */
export function sealSocialKey(pairing: string, { sector, key, expires_at }: { sector: number; key: string; expires_at: Date }): string {
  const told: SocialKey = { sector, key, expires_at: expires_at.toISOString(), once: randomUUID() }
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv(algorithm, createSecretKey(Buffer.from(pairing, 'hex')), iv).setAAD(purpose)
  const body = Buffer.concat([cipher.update(JSON.stringify(told), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Opens a sealed key; null when it was sealed for other readers or changed on its way. */
export function openSocialKey(pairing: string, sealed: string): SocialKey | null {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const tag = bytes.subarray(iv_bytes, iv_bytes + tag_bytes)
    const decipher = createDecipheriv(algorithm, createSecretKey(Buffer.from(pairing, 'hex')), bytes.subarray(0, iv_bytes)).setAAD(purpose).setAuthTag(tag)
    return Opened.parse(JSON.parse(Buffer.concat([decipher.update(bytes.subarray(iv_bytes + tag_bytes)), decipher.final()]).toString('utf8')))
  } catch {
    return null
  }
}
