import { maskMobile } from '@kit/contract/checks'
import type { SealedPart } from '@kit/server/secrets'
import type { IdKeys } from '../id-number.ts'
import { openText, sealText } from '../seal.ts'

type Keys = Pick<IdKeys, 'data_key'>
const purpose = (school_id: number) => `people.alipay_logon:${school_id}`

/** A login name of Alipay as it is stored: sealed, with the mask that lists show. */
export function sealLogon({ data_key }: Keys, school_id: number, logon: string) {
  return { alipay_logon_enc: sealText(data_key, purpose(school_id), logon), alipay_logon_mask: maskLogon(logon) }
}

/** Opens it again, for the payment channel alone. @throws Error when it was made for another school or with another key */
export function openLogon({ data_key }: Keys, school_id: number, sealed: Buffer): string {
  return openText(data_key, purpose(school_id), sealed)
}

/** 169****0001, or z***@example.com. */
export function maskLogon(logon: string): string {
  const at = logon.indexOf('@')
  return at < 0 ? maskMobile(logon) : `${logon.slice(0, 1)}***${logon.slice(at)}`
}

/** What the whitelist keeps sealed, for the exchange of keys. */
export const whitelist_sealed_part: SealedPart = {
  name: 'people.alipay_logon', key: 'data_key', table: 'alipay_whitelist', ids: [['id', 'bigint']], columns: ['alipay_logon_enc'],
  carry(secrets, school_id, { alipay_logon_enc }) {
    if (!Buffer.isBuffer(alipay_logon_enc)) return null
    return { alipay_logon_enc: sealLogon(secrets, school_id, openLogon(secrets, school_id, alipay_logon_enc)).alipay_logon_enc }
  },
}
