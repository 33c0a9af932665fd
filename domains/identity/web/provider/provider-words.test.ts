import type { ProviderRow } from '@campus/identity/contract'
import { expect, test } from 'vitest'
import { freeShapes, matchWord, stateOf, urgentFirst } from './provider-words.ts'

const row: ProviderRow = { shape: 'A', adapter: 'wecom', enabled: true, label: '企业微信', icon: 'wecom', match_by: 'user_no', settings: {}, secret: '', row_version: 1, bound: 0, callback: '', problem: null }

test.each([[true, null, '已启用'], [false, null, '未启用'], [false, '请填写企业ID', '待完善'], [true, '请填写企业ID', '不可用']] as const)('enabled %s with problem %j is %s', (enabled, problem, word) => {
  expect(stateOf({ enabled, problem }).word).toBe(word)
})

test('each shape of an adapter once, the usual one first', () => {
  expect(freeShapes('weixiao', [])).toEqual(['B', 'A'])
  expect(freeShapes('wecom', [row])).toEqual(['B'])
  expect(freeShapes('oidc', [{ ...row, adapter: 'oidc', shape: 'C' }])).toEqual([])
})

test('what needs a decision stands first', () => {
  const [fine, broken, begun] = [row, { ...row, shape: 'B' as const, problem: '请填写应用Secret' }, { ...row, adapter: 'oidc' as const, enabled: false, problem: '请填写客户端ID' }]
  expect(urgentFirst([fine, begun, broken])).toEqual([broken, begun, fine])
})

test('people are found by the chosen fact, where there is a choice', () => {
  expect([matchWord(row), matchWord({ ...row, adapter: 'test' })]).toEqual(['人员编号', '指定账号'])
})
