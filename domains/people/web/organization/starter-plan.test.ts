import { expect, test } from 'vitest'
import { roundOf, starterPlan } from './starter-plan.ts'
import { node } from './testing/sample-depts.ts'

const primary = { stages: ['1'], classes: { '11': 2 }, with_divisions: false, school_year: 2026 }

test('a primary school of six grades, the first with two classes', () => {
  const plan = starterPlan(primary)
  expect(plan.filter(dept => dept.dept_type === 3).map(dept => [dept.dept_name, dept.enrol_year, dept.parent])).toEqual([
    ['一年级', 2026, null], ['二年级', 2025, null], ['三年级', 2024, null], ['四年级', 2023, null], ['五年级', 2022, null], ['六年级', 2021, null],
  ])
  expect(plan.filter(dept => dept.parent === '11').map(dept => dept.dept_name)).toEqual(['一年级1班', '一年级2班'])
  expect(plan.filter(dept => dept.parent === '12')).toHaveLength(6)
})

test('several stages stand under their divisions', () => {
  const plan = starterPlan({ ...primary, stages: ['3', '1'], with_divisions: true })
  expect(plan.filter(dept => dept.parent === null).map(dept => dept.dept_name)).toEqual(['小学部', '高中部'])
  expect(plan.find(dept => dept.dept_name === '高一')).toMatchObject({ parent: '3', stage: '3', grade: '31' })
})

test('each round makes what has its parent already, and nothing twice', () => {
  const plan = starterPlan(primary)
  expect(roundOf(plan, []).next).toEqual([])
  const first = roundOf(plan, [node('1', 1, '学校')])
  expect(first.next.map(dept => [dept.dept_name, dept.parent_id]).slice(0, 2)).toEqual([['一年级', '1'], ['二年级', '1']])
  expect(first.next).toHaveLength(6)
  const second = roundOf(plan, [node('1', 1, '学校', [node('2', 3, '一年级', [node('3', 4, '一年级1班')])])])
  expect([...second.standing]).toEqual([['11', '2'], ['11-1', '3']])
  expect(second.next.filter(dept => dept.parent === '11').map(dept => [dept.dept_name, dept.parent_id])).toEqual([['一年级2班', '2']])
})
