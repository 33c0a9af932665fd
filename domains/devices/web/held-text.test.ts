import { expect, test } from 'vitest'
import { groupsText, heldShare, namesText, whoText } from './held-text.ts'

const plan = { plan_id: '1', device_id: '2', device_name: '南门-3', node_path_name: '启明/南门', direction: 1, persons: 60, persons_total: 80, held_at: '2026-12-01T00:00:00Z', names: ['张三', '李四'], groups: [{ name: '一年级1班', persons: 32 }, { name: '一年级2班', persons: 20 }] }

test('who would lose what is told by classes, names and the way', () => {
  expect(whoText(plan)).toBe('涉及一年级1班32人、一年级2班20人，其他8人（张三、李四等）。确认后他们不能再从这里进入（启明/南门）；确认前仍可通行。如果是误操作，恢复他们的通行权限即可取消。')
  expect([heldShare(plan), heldShare({ persons: 1, persons_total: 0 })]).toEqual([75, 100])
  expect(groupsText({ persons: 52, groups: plan.groups })).toBe('一年级1班32人、一年级2班20人')
  expect([namesText(['甲', '乙'], 2), namesText(['甲', '乙', '丙'], 2)]).toEqual(['甲、乙', '甲、乙等'])
})
