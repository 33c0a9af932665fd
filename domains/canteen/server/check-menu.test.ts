import { expect, test } from 'vitest'
import { proposeLunches, warningsOf } from './check-menu.ts'

const dish = (dish_id: string, dish_kind: string, more: object = {}) => ({ dish_id, dish_name: `菜${dish_id}`, dish_kind, kcal: 300, allergens: [0], ...more })
const at = (day: string, one: ReturnType<typeof dish>) => ({ ...one, day, meal_kind: '3' })

test('a menu is looked through: a dish twice in three days, a lunch without a vegetable or with too little, allergens that nobody wrote', () => {
  const told = warningsOf([at('2027-03-01', dish('1', '1')), at('2027-03-01', dish('2', '3', { allergens: [] })), at('2027-03-02', dish('1', '1'))])
  expect(told).toEqual(['菜1在3天内重复（2027-03-02）', '2027-03-02午餐没有素菜', '2027-03-02午餐共300千卡，建议600到1100千卡', '未填写致敏物质：菜2'])
  expect(warningsOf([])).toEqual([])
})

test('a proposal is the same for the same week, takes each kind once a day and repeats no dish on the next day', () => {
  const dishes = ['1', '2', '3', '4', '5'].flatMap(kind => Array.from({ length: 6 }, (_, n) => dish(`${kind}${n}`, kind)))
  const days = ['2027-03-01', '2027-03-02', '2027-03-03']
  const proposed = proposeLunches(days, dishes, 5)
  expect(proposed).toEqual(proposeLunches(days, dishes, 5))
  expect(proposed).toHaveLength(15)
  expect(new Set(proposed.map(one => one.dish_id)).size).toBe(15)
  expect(proposeLunches(days, [], 5)).toEqual([])
})
