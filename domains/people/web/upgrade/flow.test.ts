import type { UpgradeAction, UpgradeItem, UpgradePerson } from '@campus/people/contract'
import { expect, test } from 'vitest'
import { flowOf } from './flow.ts'

function item(dept_id: string, dept_type: number, parent_id: string | null, dept_name: string, more: Partial<UpgradeItem> & { action: UpgradeAction | null }): UpgradeItem {
  return { dept_id, dept_type, parent_id, dept_name, stage: '1', from_grade: '15', to_grade: '16', new_name: null, is_pool: false, pupils: 40, ...more }
}
const five = item('1', 3, null, '五年级', { action: 'UPGRADE', pupils: 80 })
const six = item('2', 3, null, '六年级', { action: 'CONTINUE', from_grade: '16', to_grade: '21', is_pool: true, pupils: 50 })
const items = [
  six, five,
  item('11', 4, '1', '五年级1班', { action: 'UPGRADE' }), item('12', 4, '1', '五年级2班', { action: null, to_grade: null }),
  item('21', 4, '2', '六年级1班', { action: 'CONTINUE', from_grade: '16', to_grade: '21', pupils: 30 }), item('22', 4, '2', '六年级2班', { action: 'GRADUATE', from_grade: '16', to_grade: null, pupils: 20 }),
]
const repeats: UpgradePerson = { user_id: '7', user_name: '王小明', student_no: '1', dept_id: '21', dept_name: '六年级1班', action: 'REPEAT', target_dept_id: '11', target_name: '五年级1班', reason: '病' }

test('every pupil flows from his class to where he goes; a repeater bends into the class below, a pool takes all in', () => {
  const { bands, left, right, left_groups, right_groups } = flowOf(items, [repeats])
  expect(bands.map(band => [band.from, band.to, band.pupils, band.bent])).toEqual([
    ['五年级1班', '六年级1班', 40, false], ['五年级2班', '未选择去向', 40, false], ['六年级1班', '待分班', 29, false], ['六年级1班', '六年级1班', 1, true], ['六年级2班', '毕业离校', 20, false],
  ])
  expect(left_groups.map(group => group.title)).toEqual(['五年级', '六年级'])
  expect(right_groups.map(group => group.title)).toEqual(['六年级', '七年级', '不再就读', '不再就读'])
  expect(right.map(node => [node.title, node.pupils])).toEqual([['六年级1班', 41], ['待分班', 29], ['毕业离校', 20], ['未选择去向', 40]])
  expect(left.reduce((sum, node) => sum + node.pupils, 0)).toBe(right.reduce((sum, node) => sum + node.pupils, 0))
})

test('boxes of a column never cover each other, and bands stay inside their boxes', () => {
  const { left, right, bands } = flowOf(items, [repeats])
  for (const column of [left, right]) for (const [at, node] of column.entries()) expect(node.y).toBeGreaterThanOrEqual((column[at - 1]?.y ?? 0) + (column[at - 1]?.height ?? 0))
  for (const band of bands) {
    const source = left.find(node => node.dept_id === band.dept_id)
    expect(band.y0).toBeGreaterThanOrEqual(source?.y ?? Infinity)
    expect(band.y0 + band.width).toBeLessThanOrEqual((source?.y ?? 0) + (source?.height ?? 0) + 0.01)
  }
})
