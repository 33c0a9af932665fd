import type { RechargeCard, RechargeRules } from '@campus/people/contract'
import { channel_names } from '@campus/people/contract'
import { readNumber } from '@kit/web/number'

export const kind_names: Readonly<Record<RechargeCard['person_kind'], string>> = { 1: '学生', 2: '教职工', 3: '家长', 6: '员工', 7: '外聘人员' }

const fen_in_yuan = 100

/** Fen as yuan: `50`, `12.5`. */
export function yuanOf(fen: number): number {
  return fen / fen_in_yuan
}

/** Yuan as whole fen. */
export function fenOf(yuan: number): number {
  return Math.round(yuan * fen_in_yuan)
}

/** An amount in yuan as somebody types it (`50`, `１２.5元`) in fen; null when it is none. */
export function amountOf(text: string): number | null {
  const yuan = Number(readNumber(text))
  return yuan > 0 ? fenOf(yuan) : null
}

/** `¥1,234.50`, without the decimals of whole yuan. */
export function yuanText(fen: number): string {
  const digits = fen % fen_in_yuan === 0 ? 0 : 2
  return `¥${yuanOf(fen).toLocaleString('zh-CN', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`
}

/** The rules as lines of label and value, in the order of the form. */
export function ruleLines(rules: RechargeRules): { label: string; text: string }[] {
  const { is_open, channels, min_fen, max_fen, day_limit_fen, balance_cap_fen, refund_to_source } = rules
  return [
    { label: '充值', text: is_open ? '开放' : '关闭' },
    { label: '渠道', text: channels.map(channel => channel_names[channel]).join('、') || '—' },
    { label: '单笔', text: `${yuanText(min_fen)} 至 ${yuanText(max_fen)}` },
    { label: '每日限额', text: yuanText(day_limit_fen) },
    { label: '余额上限', text: yuanText(balance_cap_fen) },
    { label: '退款', text: refund_to_source ? '原路退回' : '不原路退回' },
  ]
}
