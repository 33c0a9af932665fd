import { expect, test } from 'vitest'
import { fenOf, ruleLines, yuanText } from './recharge-words.ts'

test('fen and yuan', () => {
  expect([5000, 1250, 123_456_00, 1].map(yuanText)).toEqual(['¥50', '¥12.50', '¥123,456', '¥0.01'])
  expect([0.29, 1.1, 19.99, 100].map(fenOf)).toEqual([29, 110, 1999, 10_000])
})

test('rules in words', () => {
  const rules = { is_open: false, channels: [], min_fen: 1000, max_fen: 50_050, quick_fen: [], day_limit_fen: 100_000, balance_cap_fen: 200_000, refund_to_source: false }
  expect(ruleLines(rules).map(line => line.text)).toEqual(['关闭', '—', '¥10 至 ¥500.50', '¥1,000', '¥2,000', '不原路退回'])
})
