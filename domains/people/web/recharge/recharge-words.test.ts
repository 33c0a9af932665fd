import { expect, test } from 'vitest'
import { amountOf, fenOf, ruleLines, yuanText } from './recharge-words.ts'

test('fen and yuan', () => {
  expect([5000, 1250, 123_456_00, 1].map(yuanText)).toEqual(['¥50', '¥12.50', '¥123,456', '¥0.01'])
  expect([0.29, 1.1, 19.99, 100].map(fenOf)).toEqual([29, 110, 1999, 10_000])
})

test('a typed amount is read, and what is none is no amount', () => {
  expect(['50', '１２.5', '30元', '0.29', '五十', '0', '-5', '1.2.3'].map(amountOf)).toEqual([5000, 1250, 3000, 29, null, null, null, null])
})

test('rules in words', () => {
  const rules = { is_open: false, channels: [], min_fen: 1000, max_fen: 50_050, quick_fen: [], day_limit_fen: 100_000, balance_cap_fen: 200_000, refund_to_source: false }
  expect(ruleLines(rules).map(line => line.text)).toEqual(['关闭', '—', '¥10 至 ¥500.50', '¥1,000', '¥2,000', '不原路退回'])
})
