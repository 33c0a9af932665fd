import { sign_products, sign_states } from '@campus/people/contract'
import type { SignRow } from '@campus/people/contract'
import { maskIdNo } from '@kit/contract/checks'
import type { StoredSign } from './sign.queries.ts'
import { channelOf } from './termination.ts'

export const product_names = { quick_pay: '免密支付', auto_recharge: '自动充值' } as const
export const state_names = { unsigned: '未签', signing: '签约中', signed: '已签', terminating: '解约中', check: '待人工核对', terminated: '已解约', failed: '签约失败' } as const

/** A stored row as the wire shows it; the number of the contract is masked. */
export function signRow(row: StoredSign, labels: ReadonlyMap<string, string>): SignRow {
  const { sign_id, user_id, home, channel, product, contract_no, signed_at, state, needs_check, user_name, user_no, signer_name, fail_msg } = row
  return {
    row_id: sign_id ?? `u${user_id}`, sign_id, user_id, user_name, user_no, signer_name, fail_msg,
    dept_name: labels.get(home ?? '') ?? '',
    channel: channel === null ? null : channelOf(channel),
    product: sign_products.find(one => one === product) ?? null,
    contract_no: contract_no === null ? null : maskIdNo(contract_no),
    signed_at: signed_at?.toISOString() ?? null,
    state: needs_check ? 'check' : (sign_states.find(one => one === state) ?? 'failed'),
  }
}
