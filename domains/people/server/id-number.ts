import { createHmac } from 'node:crypto'
import { foldFullWidth, maskIdNo, parseIdCard } from '@kit/contract/checks'
import type { Secrets } from '@kit/server/secrets'
import { keyObject } from './key-object.ts'
import { openText, sealText } from './seal.ts'

/** The two keys of identity numbers: one encrypts them, one makes them findable. */
export type IdKeys = Pick<Secrets, 'data_key' | 'id_index_key'>

export type SealedIdNo = { id_no_enc: Buffer; id_no_idx: Buffer; id_no_mask: string }

/** The form that is compared: full-width signs folded, upper case, a 15-digit resident number as its 18-sign form. */
function normaliseIdNo(text: string): string {
  const folded = typed(text)
  return parseIdCard(folded)?.normalised18 ?? folded
}

/** HMAC-SHA256 of the normalised number: equal numbers meet without being readable. */
export function indexIdNo(keys: IdKeys, text: string): Buffer {
  return createHmac('sha256', keyObject(keys.id_index_key)).update(normaliseIdNo(text)).digest()
}

/** What is stored of an identity number: text sealed for this school, index, mask. A 15-digit number is kept as typed. */
export function sealIdNo(keys: IdKeys, school_id: number, text: string): SealedIdNo {
  const kept = typed(text)
  return { id_no_enc: sealText(keys.data_key, purposeOf(school_id), kept), id_no_idx: indexIdNo(keys, kept), id_no_mask: maskIdNo(kept) }
}

/** Opens a sealed number. @throws Error when it was made for another school or with another key */
export function openIdNo(keys: IdKeys, school_id: number, sealed: Buffer): string {
  return openText(keys.data_key, purposeOf(school_id), sealed)
}

function typed(text: string): string {
  return foldFullWidth(text).trim().toUpperCase()
}

function purposeOf(school_id: number): string {
  return `people.id_no:${school_id}`
}
