import { pay_channels, sign_products, sign_states } from '@campus/people/contract'
import type { SignGroup, SignRow } from '@campus/people/contract'

export type Who = 'student' | 'staff'

export const product_names: Readonly<Record<NonNullable<SignRow['product']>, string>> = { quick_pay: '免密支付', auto_recharge: '自动充值' }
export const state_names: Readonly<Record<SignRow['state'], string>> = {
  unsigned: '未签', signing: '签约中', signed: '已签', terminating: '解约中', check: '待人工核对', terminated: '已解约', failed: '签约失败',
}
export const state_colors: Readonly<Record<SignRow['state'], string>> = {
  unsigned: 'default', signing: 'blue', signed: 'green', terminating: 'orange', check: 'red', terminated: 'default', failed: 'red',
}

/** A termination can be asked for while the contract holds, and again when the channel has been silent. */
export function mayTerminate({ state, sign_id }: Pick<SignRow, 'state' | 'sign_id'>): boolean {
  return sign_id !== null && (state === 'signed' || state === 'check')
}

/** All groups as one. */
export function sumOf(groups: readonly SignGroup[]): Omit<SignGroup, 'dept_id' | 'name'> {
  const of = (part: 'signed' | 'terminating' | 'unsigned') => groups.reduce((sum, group) => sum + group[part], 0)
  return { signed: of('signed'), terminating: of('terminating'), unsigned: of('unsigned') }
}

/** Arcs of a ring of circumference 100, one after the other; empty parts have none. */
export function arcsOf({ signed, terminating, unsigned }: Omit<SignGroup, 'dept_id' | 'name'>): { part: 'signed' | 'terminating' | 'unsigned'; length: number; from: number }[] {
  const total = signed + terminating + unsigned
  let from = 0
  return ([['signed', signed], ['terminating', terminating], ['unsigned', unsigned]] as const).flatMap(([part, count]) => {
    if (count === 0) return []
    const length = (count / total) * 100
    from += length
    return [{ part, length, from: from - length }]
  })
}

/** Signed of all, in whole percent; a part that is not all is never shown as 100. */
export function percentOf({ signed, terminating, unsigned }: Omit<SignGroup, 'dept_id' | 'name'>): number {
  const total = signed + terminating + unsigned
  return total === 0 ? 0 : Math.floor((signed / total) * 100)
}

/** The filters of the address bar as the export asks them. */
export function askedOf({ keyword, dept_id, channel, product, state }: Readonly<Record<string, string | undefined>>) {
  return { keyword, dept_id, channel: pay_channels.find(one => one === channel), product: sign_products.find(one => one === product), state: sign_states.find(one => one === state) }
}
