import type { DeptFile } from '@campus/people/contract'
import { expect, test } from 'vitest'
import { differencesOf, draftOf, newValues, patchOf, stageOfName, valuesOf } from './dept-values.ts'
import { boardOf } from './board.ts'
import { nodeOf } from './dept-place.ts'
import { grade, node, smallTree } from './testing/sample-depts.ts'

const today = '2026-11-20'
const tree = smallTree()
const board = boardOf(tree, [grade('3', '一年级', '11', 2), grade('6', '二年级', '12', 1)])
const proposal = (dept_type: number, parent_id: string) => newValues(dept_type, nodeOf(tree, parent_id) ?? node('', 1, ''), board, today)

test('a new grade is the next of its division, with its year of entry', () => {
  expect(proposal(3, '2')).toMatchObject({ dept_name: '三年级', grade: '13', stage: '1', enrol_year: 2024 })
  expect(proposal(3, '8')).toMatchObject({ dept_name: '七年级', grade: '21', stage: '2', enrol_year: 2026 })
})

test('a new class is the next of its grade, as large as the last one', () => {
  expect(proposal(4, '3')).toMatchObject({ dept_name: '一年级3班', class_no: 3, capacity: 45 })
})

test.each([['幼儿部', '0'], ['小学部', '1'], ['初中部', '2'], ['高中部', '3'], ['职高部', '3'], ['国际部', '1']])('%s is stage %s', (name, stage) => {
  expect(stageOfName(name)).toBe(stage)
})

test('a draft leaves out what is empty and does not name its parent', () => {
  expect(draftOf(4, { ...proposal(4, '3'), code: ' ', head_user_id: null })).toEqual({ dept_name: '一年级3班', dept_type: 4, class_no: 3, capacity: 45, effective_on: today })
})

const file: DeptFile = {
  id: '4', row_version: 3, parent_id: '3', pname: '一年级', dept_name: '一年级1班', label: '一年级1班', dept_type: 4, tree: 'student', stage: '1', enrol_year: 2026, grade: '11', class_no: 1,
  class_type: null, capacity: 45, code: null, opened_on: '2026-09-01', closed_on: null,
  remarks: { 1: '东校区', 2: '普通班' }, head: { user_id: '1', user_name: '陈晓华' }, vices: [], versions: [],
}

test('a patch holds what was changed alone, and nothing when nothing was', () => {
  const before = valuesOf(file, today)
  expect(patchOf(before, { ...before, effective_on: '2026-12-01' })).toBeNull()
  expect(patchOf(before, { ...before, dept_name: ' 一年级A班 ', head_user_id: undefined, effective_on: '2026-12-01' })).toEqual({ dept_name: '一年级A班', head_user_id: null, effective_on: '2026-12-01' })
})

test('differences name what either side has changed', () => {
  const before = valuesOf(file, today)
  const theirs = valuesOf({ ...file, dept_name: '一年级红班', capacity: null }, today)
  expect(differencesOf(before, { ...before, dept_name: '一年级A班', head_user_id: null }, theirs, { head_user_id: () => '陈晓华' })).toEqual([
    { field: 'dept_name', label: '名称', mine: '一年级A班', theirs: '一年级红班' },
    { field: 'capacity', label: '人数上限', mine: null, theirs: '' },
    { field: 'head_user_id', label: '负责人', mine: '', theirs: '陈晓华' },
  ])
})

test('of the remarks only what changed is sent, an emptied one as null; a draft leaves blanks out', () => {
  const before = valuesOf(file, today)
  expect(patchOf(before, { ...before, remarks: { 1: '西校区', 2: undefined, 3: '' } })).toEqual({ remarks: { 1: '西校区', 2: null }, effective_on: today })
  expect(patchOf(before, { ...before, remarks: { 2: '普通班', 1: '东校区', 9: null } })).toBeNull()
  expect(draftOf(4, { ...proposal(4, '3'), remarks: { 1: '东校区', 2: '' } })).toMatchObject({ remarks: { 1: '东校区' } })
})
