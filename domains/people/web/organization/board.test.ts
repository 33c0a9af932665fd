import { expect, test } from 'vitest'
import { boardOf, onlyHeadless, totalsOf } from './board.ts'
import { grade, node, smallTree } from './testing/sample-depts.ts'

const grades = [grade('6', '二年级', '12', 1), grade('3', '一年级', '11', 2)]

test('the board stands in the order of the tree and shows a division without grades', () => {
  const board = boardOf(smallTree(), grades)
  expect(board.map(division => [division.dept_name, division.grades.map(one => one.dept_name)])).toEqual([['小学部', ['一年级', '二年级']], ['初中部', []]])
  expect(totalsOf(board)).toEqual({ divisions: 2, grades: 2, classes: 3, students: 120, headless: 1 })
})

test('grades directly under the school stand under its name and make no division', () => {
  const board = boardOf([node('1', 1, '学校', [node('3', 3, '一年级')])], grades)
  expect(board.map(division => division.dept_name)).toEqual(['学校'])
  expect(totalsOf(board)).toMatchObject({ divisions: 0, grades: 1 })
})

test('a school without grades has an empty board', () => {
  expect(boardOf([node('1', 1, '学校')], [])).toEqual([])
})

test('only classes without a head teacher are left, with their grades alone', () => {
  const board = onlyHeadless(boardOf(smallTree(), grades))
  expect(board.map(division => division.grades.map(one => one.classes.map(each => each.dept_name)))).toEqual([[['一年级2班']]])
})
