import type { ImportRow } from '@campus/jobs/contract'
import { describe, expect, test } from 'vitest'
import { gridColumns, notedProps } from './grid-columns.ts'
import { hasError, moved, nextBad, pastedLines, pasteInto } from './grid-moves.ts'

const columns = ['user_name', 'sex', 'grade', 'class_name', 'student_no', 'blood', 'address'].map((prop) => ({ prop, label: prop, required: false, options: null }))

function row(row_no: number, more: Partial<ImportRow> = {}): ImportRow {
  return { row_no, sheet: null, line: row_no, verdict: 'new', cells: { user_name: `人${row_no}` }, diff: [], errors: [], warnings: [], is_applied: false, needs_recheck: false, is_undone: false, ...more }
}

function wrong(row_no: number, prop: string): ImportRow {
  return row(row_no, { verdict: 'error', errors: [{ prop, label: prop, msg: '格式不正确' }] })
}

describe('columns of the dry run', () => {
  test('errors stand behind the name, before warnings and changes', () => {
    const rows = [
      row(3, { verdict: 'change', diff: [{ prop: 'address', label: '现住址', before: 'a', after: 'b' }] }),
      row(4, { warnings: [{ prop: 'student_no', label: '学号', msg: '请核对' }] }),
      wrong(5, 'blood'),
    ]
    const shown = gridColumns(columns, rows, notedProps(rows), false).map(({ prop }) => prop)
    expect(shown).toEqual(['user_name', 'blood', 'student_no', 'address', 'sex', 'grade', 'class_name'])
  })

  test('every column of the sheet is there when all are asked for, each once', () => {
    const rows = [wrong(3, 'blood')]
    expect(gridColumns(columns, rows, notedProps(rows), true)).toHaveLength(columns.length)
  })

  test('differences of rows that will not be written are not shown', () => {
    expect(notedProps([row(3, { verdict: 'skipped', diff: [{ prop: 'sex', label: '性别', before: '男', after: '女' }] })])).toEqual([])
  })

  test('a fact the sheet has no column for is shown under its label and cannot be edited', () => {
    const rows = [row(3, { verdict: 'change', diff: [{ prop: 'dept', label: '调班', before: '1班', after: '2班' }] })]
    const column = gridColumns(columns, rows, notedProps(rows), false).find(({ prop }) => prop === 'dept')
    expect(column).toMatchObject({ label: '调班', editable: false })
  })
})

describe('the cursor of the grid', () => {
  const shown = gridColumns(columns, [], [], false)

  test.each([
    ['ArrowDown', { r: 2, c: 1 }],
    ['ArrowUp', { r: 0, c: 1 }],
    ['ArrowLeft', { r: 1, c: 0 }],
    ['ArrowRight', { r: 1, c: 2 }],
    ['PageDown', { r: 4, c: 1 }],
    ['Home', { r: 1, c: 0 }],
    ['End', { r: 1, c: 4 }],
  ])('%s stays inside', (key, place) => {
    expect(moved({ r: 1, c: 1 }, key, 5, 5)).toEqual(place)
  })

  test('other keys do not move it', () => {
    expect(moved({ r: 1, c: 1 }, 'a', 5, 5)).toBeUndefined()
  })

  test('after a mended cell it goes to the next red one and begins again at the top', () => {
    const rows = [wrong(3, 'sex'), row(4), wrong(5, 'grade')]
    expect(nextBad(rows, shown, { r: 0, c: 1 })).toEqual({ r: 2, c: 2 })
    expect(nextBad(rows, shown, { r: 2, c: 2 })).toEqual({ r: 0, c: 1 })
    expect(nextBad([row(3)], shown, { r: 0, c: 0 })).toBeUndefined()
  })

  test('an error of a row left out no longer counts', () => {
    expect(hasError({ ...wrong(3, 'sex'), verdict: 'skipped' }, 'sex')).toBe(false)
  })
})

describe('a block from a sheet', () => {
  const shown = gridColumns(columns, [], [], false)

  test('keeps empty lines inside and drops the last line break', () => {
    expect(pastedLines('甲\r\n\r\n丙\r\n')).toEqual([['甲'], [''], ['丙']])
    expect(pastedLines('甲\t男\n乙\t女')).toEqual([['甲', '男'], ['乙', '女']])
  })

  test('goes into the chosen cell, the ones below and to the right, and not beyond the page', () => {
    const rows = [row(3), row(4), row(9)]
    expect(pasteInto([['甲', '男'], ['乙', '女'], ['丙', '男']], { r: 1, c: 0 }, rows, shown)).toEqual([
      { row_no: 4, cells: { user_name: '甲', sex: '男' } },
      { row_no: 9, cells: { user_name: '乙', sex: '女' } },
    ])
  })

  test('does not send cells that stay the same', () => {
    expect(pasteInto([['人3']], { r: 0, c: 0 }, [row(3)], shown)).toEqual([])
  })
})
