import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import type { App } from '@kit/server/http'
import { openText, sealText } from '@kit/server/secrets'
import type { SealedPart } from '@kit/server/secrets'

type Kept = 'mobile' | 'pass_code' | 'qr'
const purpose = (kind: Kept, school_id: number) => `access.visit_${kind}:${school_id}`

export function seal({ secrets }: App, school_id: number, kind: Kept, text: string): Buffer {
  return sealText(secrets.data_key, purpose(kind, school_id), text)
}

export function unseal({ secrets }: App, school_id: number, kind: Kept, sealed: Buffer): string {
  return openText(secrets.data_key, purpose(kind, school_id), sealed)
}

/** What stands for a token of 128 bits, which nobody can guess: no key is needed. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** What stands for a mobile or a pass code where it must be found without being read. */
export function hashOf({ secrets }: { secrets: { id_index_key: Buffer } }, school_id: number, kind: 'mobile' | 'pass_code' | 'hit', text: string): string {
  return createHmac('sha256', secrets.id_index_key).update(`access.visit:${school_id}:${kind}:${text}`).digest('hex')
}

/** 138****5678 */
export function maskMobile(tail: string): string {
  return `*******${tail}`
}

const code_digits = 8
/** A pass code of eight digits and the text of a QR of 128 bits. */
export function newCodes(): { pass_code: string; qr: string; token: string } {
  const hex = () => randomBytes(16).toString('hex')
  return { pass_code: String(randomInt(10 ** code_digits)).padStart(code_digits, '0'), qr: hex(), token: hex() }
}

type Table = { table: string; id: string }
const visitors: Table = { table: 'visitor', id: 'visitor_id' }
const visits: Table = { table: 'visitor_apply', id: 'apply_id' }
const fetching: Table = { table: 'pickup_person', id: 'pickup_id' }
const listed: Table = { table: 'visitor_blacklist', id: 'black_id' }

function sealedPart({ table, id }: Table, kind: Kept, column: string): SealedPart {
  return {
    name: `access.${table}_${kind}`, key: 'data_key', table, ids: [[id, 'bigint']], columns: [column],
    carry({ data_key }, school_id, row) {
      const sealed = row[column]
      return Buffer.isBuffer(sealed) ? { [column]: sealText(data_key, purpose(kind, school_id), openText(data_key, purpose(kind, school_id), sealed)) } : null
    },
  }
}

function indexPart({ table, id }: Table, kind: 'mobile' | 'pass_code'): SealedPart {
  const [from, to] = [`${kind}_enc`, `${kind}_hash`]
  return {
    name: `access.${table}_${kind}_index`, key: 'id_index_key', table, ids: [[id, 'bigint']], columns: [from, to],
    carry(secrets, school_id, row) {
      const sealed = row[from]
      return Buffer.isBuffer(sealed) ? { [to]: hashOf({ secrets }, school_id, kind, openText(secrets.data_key, purpose(kind, school_id), sealed)) } : null
    },
  }
}

/** Mobiles and codes of visitors and of who fetches children, for the exchange of keys. */
export const visit_sealed_parts: readonly SealedPart[] = [
  sealedPart(visitors, 'mobile', 'mobile_enc'), sealedPart(listed, 'mobile', 'mobile_enc'), sealedPart(visits, 'pass_code', 'pass_code_enc'), sealedPart(visits, 'qr', 'qr_enc'),
  indexPart(visitors, 'mobile'), indexPart(listed, 'mobile'),
  sealedPart(fetching, 'mobile', 'mobile_enc'), indexPart(fetching, 'mobile'), indexPart(visits, 'pass_code'),
]
