import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { foldFullWidth, maskIdNo, parseIdCard } from '@kit/contract/checks'
import type { Secrets } from '@kit/server/secrets'

/** The two keys of identity numbers: one encrypts them, one makes them findable. */
export type IdKeys = Pick<Secrets, 'data_key' | 'id_index_key'>

export type SealedIdNo = { id_no_enc: Buffer; id_no_idx: Buffer; id_no_mask: string }

const format_version = 1
const iv_bytes = 12
const tag_bytes = 16

/** The form that is compared: full-width signs folded, upper case, a 15-digit resident number as its 18-sign form. */
export function normaliseIdNo(text: string): string {
  const folded = foldFullWidth(text).trim().toUpperCase()
  return parseIdCard(folded)?.normalised18 ?? folded
}

/** HMAC-SHA256 of the normalised number: equal numbers meet without being readable. */
export function indexIdNo(keys: IdKeys, text: string): Buffer {
  return createHmac('sha256', keys.id_index_key).update(normaliseIdNo(text)).digest()
}

/** What is stored of an identity number: AES-256-GCM text bound to the school, index, mask. A 15-digit number is kept as typed. */
export function sealIdNo(keys: IdKeys, school_id: number, text: string): SealedIdNo {
  const kept = foldFullWidth(text).trim().toUpperCase()
  const iv = randomBytes(iv_bytes)
  const cipher = createCipheriv('aes-256-gcm', keys.data_key, iv).setAAD(boundTo(school_id))
  const body = Buffer.concat([cipher.update(kept, 'utf8'), cipher.final()])
  return {
    id_no_enc: Buffer.concat([Buffer.of(format_version), iv, cipher.getAuthTag(), body]),
    id_no_idx: indexIdNo(keys, kept),
    id_no_mask: maskIdNo(kept),
  }
}

/** Opens a sealed number. @throws Error when the text was made for another school or with another key. */
export function openIdNo(keys: IdKeys, school_id: number, sealed: Buffer): string {
  const iv = sealed.subarray(1, 1 + iv_bytes)
  const tag = sealed.subarray(1 + iv_bytes, 1 + iv_bytes + tag_bytes)
  const decipher = createDecipheriv('aes-256-gcm', keys.data_key, iv).setAAD(boundTo(school_id)).setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(1 + iv_bytes + tag_bytes)), decipher.final()]).toString('utf8')
}

function boundTo(school_id: number): Buffer {
  return Buffer.from(`people.id_no:${school_id}`)
}
