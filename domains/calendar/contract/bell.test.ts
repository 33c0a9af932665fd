import { expect, test } from 'vitest'
import { BellDraft, checkSections } from './bell.ts'

const part = (name: string, begin: string, end: string, section: number | null = null) => ({ name, section_kind: 2, section, begin, end })

test.each([
  ['50-A6 one may begin when another ends', [part('第一节', '08:00', '08:45', 1), part('第二节', '08:45', '09:30', 2)], null],
  ['50-A6 a minute earlier they overlap', [part('第一节', '08:00', '08:45', 1), part('第二节', '08:44', '09:30', 2)], { kind: 'overlap', at: 1, a: '第一节', b: '第二节' }],
  ['50-A6 the end is after the beginning', [part('第一节', '08:45', '08:00', 1)], { kind: 'order', at: 0 }],
  ['a part of no length is none', [part('第一节', '08:00', '08:00', 1)], { kind: 'order', at: 0 }],
  ['the day ends at 24:00', [part('查寝', '23:00', '24:00')], null],
  ['the same lesson twice', [part('第一节', '08:00', '08:45', 1), part('第二节', '09:00', '09:45', 1)], { kind: 'twice', at: 1, n: 1 }],
  ['breaks have no number', [part('课间', '08:00', '08:10'), part('课间操', '09:00', '09:45')], null],
])('%s', (_what, sections, fault) => {
  expect(checkSections(sections)).toEqual(fault)
})

test('50-A6 24:30 is no time of the day', () => {
  const { success, error } = BellDraft.safeParse({ name: '作息', sections: [part('第一节', '24:00', '24:30', 1)] })
  expect([success, error?.issues[0]?.path, error?.issues[0]?.message]).toEqual([false, ['sections', 0, 'end'], '请填写00:00至24:00之间的时间'])
})
