import type { whitelist_states, WhitelistRow } from '@campus/people/contract'
import type { Db } from '../db.ts'
import { insertRows } from '../bulk.ts'
import type { IdKeys } from '../id-number.ts'
import { sealLogon } from './logon.ts'

/** A line as it stands at a moment; every line but a pending one was approved by somebody else. */
export type NewWhitelist = {
  user_id: string
  person_kind: number
  payer_user_id: string
  alipay_logon: string
  purpose: WhitelistRow['purpose']
  state: (typeof whitelist_states)[number]
  channel_msg?: string
  created_by: string
  approved_by?: string
  at: Date
}

/** Makes lines without a word in the journal: for schools that are made whole. */
export async function createWhitelist(db: Db, keys: Pick<IdKeys, 'data_key'>, school_id: number, lines: readonly NewWhitelist[]): Promise<void> {
  await insertRows(db, 'alipay_whitelist', lines.map(({ at, alipay_logon, channel_msg = null, approved_by = null, ...line }) => ({
    school_id, ...line, ...sealLogon(keys, school_id, alipay_logon), channel_msg, approved_by, created_at: at, approved_at: approved_by === null ? null : at,
    asked_at: line.state === 'pending' || line.state === 'approved' ? null : at,
  })))
}
