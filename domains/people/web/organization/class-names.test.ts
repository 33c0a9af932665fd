import { expect, test } from 'vitest'
import { classNames, nextClassNo } from './class-names.ts'

test('names of numbered classes say which stand already', () => {
  expect(classNames('一年级', 2, 3, ['一年级2班'])).toEqual([
    { class_no: 2, dept_name: '一年级2班', taken: true },
    { class_no: 3, dept_name: '一年级3班', taken: false },
  ])
})

test.each([[0, 3], [3, 2], [98, 100]])('from %i to %i there are none', (from, to) => {
  expect(classNames('一年级', from, to, [])).toEqual([])
})

test('the next number follows the last one', () => {
  expect(nextClassNo([{ class_no: 2 }, { class_no: null }, { class_no: 7 }])).toBe(8)
  expect(nextClassNo([])).toBe(1)
  expect(nextClassNo([{ class_no: 99 }])).toBe(99)
})
