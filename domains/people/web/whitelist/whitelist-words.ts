import type { WhitelistRow } from '@campus/people/contract'

export const state_names: Readonly<Record<WhitelistRow['state'], string>> = {
  pending: '待复核', approved: '已复核', pushing: '推送中', active: '已生效', failed: '失败', removing: '移除中', removed: '已移除',
}
export const state_colors: Readonly<Record<WhitelistRow['state'], string>> = {
  pending: 'orange', approved: 'blue', pushing: 'processing', active: 'green', failed: 'red', removing: 'orange', removed: 'default',
}
export const purpose_names: Readonly<Record<WhitelistRow['purpose'], string>> = { face_pay: '刷脸支付', recharge: '充值' }

/** What may still be taken off: the others are off already, or on their way. */
export function mayRemove({ state }: Pick<WhitelistRow, 'state'>): boolean {
  return state !== 'failed' && state !== 'removing' && state !== 'removed'
}
