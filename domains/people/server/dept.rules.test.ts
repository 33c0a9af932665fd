import { expect, test } from 'vitest'
import { className, cohortOf, gradeWord, leadingDuty, numberIn, refuseFarDay, refusePlace, treeOf } from './dept.rules.ts'
import { planDuty } from './duty.change.ts'

test.each([
  [2, 1], [3, 1], [3, 2], [4, 3], [5, 1], [5, 5], [6, 1], [6, 6], [7, 1], [7, 7], [8, 7], [8, 6], [11, 11], [11, 1], [99, 1], [99, 5],
])('type %i stands under %i', (dept_type, parent_type) => {
  expect(() => refusePlace(dept_type, parent_type)).not.toThrow()
})

test.each([
  [4, 1, '班级必须建在年级下'], [4, 2, '班级必须建在年级下'], [4, 4, '班级必须建在年级下'], [3, 3, '该类型的部门不能建在所选上级下'], [2, 2, '该类型的部门不能建在所选上级下'],
  [5, 2, '该类型的部门不能建在所选上级下'], [5, 4, '该类型的部门不能建在所选上级下'], [8, 1, '该类型的部门不能建在所选上级下'], [1, 1, '该类型的部门不能建在所选上级下'], [9, 1, '该类型的部门不能建在所选上级下'],
])('type %i does not stand under %i: %s', (dept_type, parent_type, sentence) => {
  expect(() => refusePlace(dept_type, parent_type)).toThrow(sentence)
})

test.each([[2, 'student', 'dept_leader'], [3, 'student', 'grade_head'], [4, 'student', 'head'], [5, 'staff', 'dept_leader'], [11, 'staff', 'dept_leader']])('type %i belongs to the tree of %s and is led by a %s', (type, tree, duty) => {
  expect([treeOf(type), leadingDuty(type)]).toEqual([tree, duty])
})

test.each(['2026-10-21', '2026-11-20', '2027-05-19'])('on 20 November a change from %s is possible', on => {
  expect(() => refuseFarDay(on, '2026-11-20')).not.toThrow()
})

test.each([['2026-10-20', '生效日期不能早于30天前'], ['2027-05-20', '生效日期不能晚于180天后']])('on 20 November no change from %s: %s', (on, sentence) => {
  expect(() => refuseFarDay(on, '2026-11-20')).toThrow(sentence)
})

test.each([
  ['11', '2026-11-20', '1', 2026], ['16', '2026-11-20', '1', 2021], ['22', '2026-08-31', '2', 2024], ['31', '2026-09-01', '3', 2026], ['03', '2026-09-01', '0', 2024],
])('grade %s on %s is of stage %s and began in %i', (grade, on, stage, enrol_year) => {
  expect(cohortOf(grade, on)).toEqual({ stage, grade, enrol_year })
})

test.each([['一年级1班', '一年级', 1], ['一年级12班', '一年级', 12], ['一年级01班', '一年级', null], ['启航班', '一年级', null], ['一年级1班B', '一年级', null], ['高一3班', '高一', 3], ['一年级100班', '一年级', null]])('%s of %s has number %s', (name, word, class_no) => {
  expect(numberIn(name, word)).toBe(class_no)
})

test('the generated name is the word, the number and 班', () => {
  expect([className('一年级', 1), className('高一', 12)]).toEqual(['一年级1班', '高一12班'])
})

test.each([['31', '新高一', '高一'], [null, '预备年级', '预备年级'], ['77', '十年级', '十年级']])('grade %s called %s has the word %s', (grade, name, word) => {
  expect(gradeWord(grade, name)).toBe(word)
})

const on = '2026-11-20'
const since = (user_id: string, valid_from: string, valid_to: string | null = null) => ({ id: `${user_id} ${valid_from}`, user_id, valid_from, valid_to })

test.each([
  ['nobody before', [], ['a'], { close: [], remove: [], open: ['a'], touched: ['a'] }],
  ['another one before', [since('a', '2026-09-01')], ['b'], { close: ['a 2026-09-01'], remove: [], open: ['b'], touched: ['a', 'b'] }],
  ['another one since that day', [since('a', on)], ['b'], { close: [], remove: [`a ${on}`], open: ['b'], touched: ['a', 'b'] }],
  ['the same one', [since('a', '2026-09-01', '2026-12-01')], ['a'], { close: [], remove: [], open: [], touched: [] }],
  ['the same one, another later', [since('a', '2026-09-01', '2026-12-01'), since('b', '2026-12-01')], ['a'], { close: [], remove: [], open: [], touched: [] }],
  ['nobody any more', [since('a', '2026-09-01'), since('b', on)], [], { close: ['a 2026-09-01'], remove: [`b ${on}`], open: [], touched: ['a', 'b'] }],
  ['one named twice', [], ['a', 'a'], { close: [], remove: [], open: ['a'], touched: ['a'] }],
])('a duty with %s', (_what, rows, wanted, plan) => {
  expect(planDuty(rows, wanted, on)).toEqual(plan)
})

test('a duty that changes later is not changed before', () => {
  expect(() => planDuty([since('a', '2026-09-01', '2026-12-01'), since('b', '2026-12-01')], ['c'], on)).toThrow('部门自2026-12-01起已另有负责人安排')
})
