import { expect, test } from 'vitest'
import { listPart, tabOf, withListPart, withTab } from './record-search.ts'

const search = { tab: 'parent', import: 'student', batch_no: '1', keyword: '王', dept_id: '7' }

test('a list sees neither the tab nor an open import', () => {
  expect(listPart(search)).toEqual({ keyword: '王', dept_id: '7' })
})

test('a list that changes its filters leaves the tab and an open import alone', () => {
  expect(withListPart(search, { keyword: '李' })).toEqual({ tab: 'parent', import: 'student', batch_no: '1', keyword: '李' })
})

test('another tab keeps the class and drops the filters', () => {
  expect(withTab(search, 'student')).toEqual({ dept_id: '7' })
  expect(withTab({ keyword: '王' }, 'parent')).toEqual({ tab: 'parent' })
})

test('an unknown tab is the list of pupils', () => {
  expect(tabOf({ tab: 'x' })).toBe('student')
})
