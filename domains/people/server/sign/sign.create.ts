import type { PayChannel, SignRow } from '@campus/people/contract'
import { insertRows } from '../bulk.ts'
import type { Db } from '../db.ts'

/** A contract as it stands: signed at a moment, perhaps on its way out since another one. */
export type NewContract = {
  user_id: string
  person_kind: number
  signer_user_id: string
  product: NonNullable<SignRow['product']>
  channel: PayChannel
  contract_no: string
  state: 'signing' | 'signed' | 'terminating' | 'terminated' | 'failed'
  signed_at: Date
  /** when its end was asked for, and for a terminated one also when it came */
  ended_at?: Date
  needs_check?: boolean
  fail_msg?: string
}

/** Makes contracts without asking a channel and without a word in the journal: for schools that are made whole, and for the domain that signs. */
export async function createContracts(db: Db, school_id: number, contracts: readonly NewContract[]): Promise<void> {
  await insertRows(db, 'sign_contract', contracts.map(({ signed_at, ended_at = null, needs_check = false, fail_msg = null, ...contract }) => {
    const held = contract.state !== 'signing' && contract.state !== 'failed'
    return {
      school_id, ...contract, needs_check, fail_msg, source: 'mini', created_at: signed_at, signed_at: held ? signed_at : null, reason: ended_at === null ? null : '家长申请解约',
      terminating_at: ended_at, asked_at: ended_at, terminated_at: contract.state === 'terminated' ? ended_at : null,
    }
  }))
}
