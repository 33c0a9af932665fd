import { describe, expect, test } from 'vitest'
import { checkSetting, columnsOf, defaultSettings, fitWidths, mergeSettings, moveSetting } from './columns.ts'
import type { Fields } from './fields.ts'

type Row = { name: string; no: string; sex: string }
const fields: Fields<Row, 'name' | 'no' | 'sex'> = {
  key: 'no',
  of: { name: { label: '姓名', default_action: true }, no: { label: '学号' }, sex: { label: '性别' } },
}
const shown = columnsOf(fields, ['name', { prop: 'beds', label: '床位', cell: (row) => row.no }, 'no'])
const defaults = defaultSettings(shown, columnsOf(fields, ['sex']))
const props = (lines: readonly { prop: string; checked: boolean }[]) => lines.map((line) => (line.checked ? line.prop : `(${line.prop})`)).join(' ')

test('a table offers its own columns shown and the others hidden', () => {
  expect(props(defaults)).toBe('name beds no (sex)')
  expect(defaults.map((line) => line.label)).toEqual(['姓名', '床位', '学号', '性别'])
})

describe('saved settings', () => {
  test('keep order, choice and renamed labels', () => {
    const saved = [
      { prop: 'sex', label: 'x', label_copy: '男/女', checked: true, default_action: false },
      { prop: 'no', label: 'x', checked: false, default_action: false },
    ]
    expect(props(mergeSettings(defaults, saved))).toBe('sex (no) name beds')
    expect(mergeSettings(defaults, saved)[0]).toEqual({ prop: 'sex', label: '性别', label_copy: '男/女', checked: true, default_action: false })
  })

  test('drop columns that are gone and repeated lines', () => {
    const saved = [{ prop: 'gone', checked: true }, { prop: 'no', checked: true }, { prop: 'no', checked: false }]
    expect(props(mergeSettings(defaults, saved))).toBe('no name beds (sex)')
  })

  test('cannot hide a fixed column, nor all of them', () => {
    expect(props(mergeSettings(defaults, [{ prop: 'name', checked: false }]))).toBe('name beds no (sex)')
    const free = defaults.filter((line) => line.prop !== 'name')
    expect(props(mergeSettings(free, free.map((line) => ({ ...line, checked: false }))))).toBe('beds no (sex)')
  })

  test.each([null, undefined, 'x', { prop: 'no' }, [null, 1, { checked: true }]])('that are spoilt (%j) change nothing', (saved) => {
    expect(mergeSettings(defaults, saved)).toEqual(defaults)
  })
})

test('a line moves to its place and never out of the list', () => {
  expect(props(moveSetting(defaults, 0, 2))).toBe('beds no name (sex)')
  expect(props(moveSetting(defaults, 3, 0))).toBe('(sex) name beds no')
  expect(moveSetting(defaults, 0, -1)).toEqual(defaults)
  expect(moveSetting(defaults, 3, 4)).toEqual(defaults)
})

test('a fixed column ignores its box', () => {
  expect(props(checkSetting(defaults, 'name', false))).toBe('name beds no (sex)')
  expect(props(checkSetting(defaults, 'sex', true))).toBe('name beds no sex')
})

test('columns a little too wide shrink evenly; far too wide ones scroll', () => {
  expect(fitWidths([100, 200], 400)).toEqual([100, 200])
  expect(fitWidths([110, 220], 300)).toEqual([100, 200])
  expect(fitWidths([200, 400], 300)).toEqual([200, 400])
})
