import type { App } from '@kit/server/http'
import { openText, sealText } from '@kit/server/secrets'
import { addressKey, purposeOf } from './seal.ts'

/** A person of the school, or somebody outside (visitor, applicant) with an address that is sealed and dropped after seven days. */
export type Recipient = { user_id: string; subject_user_id?: string } | { mobile: string; name: string } | { email: string; name: string }

const kept_ms = 7 * 86_400_000

/** Rows of the addresses a caller has given, sealed; one address once. */
export function addressRows({ secrets }: App, { school_id, message_id }: { school_id: number; message_id: string }, to: readonly Recipient[], now: Date) {
  const drop_at = new Date(now.getTime() + kept_ms)
  const given = to.flatMap(one => ('user_id' in one ? [] : [{ name: one.name, ...('mobile' in one ? { kind: 'mobile', address: one.mobile } : { kind: 'email', address: one.email }) }]))
  const rows = given.map(({ name, kind, address }) => ({
    school_id, message_id, kind, name: [...name].slice(0, 50).join(''), drop_at,
    to_key: addressKey(secrets.data_key, school_id, address),
    address_enc: sealText(secrets.data_key, purposeOf.address(school_id), address),
  }))
  return [...new Map(rows.map(row => [row.to_key, row])).values()]
}

/** The address in such a row. */
export function openAddress({ secrets }: App, school_id: number, address_enc: Buffer): string {
  return openText(secrets.data_key, purposeOf.address(school_id), address_enc)
}
