import { expect, test } from 'vitest'
import { blockOf, placed } from './paste.ts'

test('a block from a sheet lands from the focused cell on; empty cells and what does not fit are left out', () => {
  const block = blockOf('118\t缺考\r\n\t0\r\n90.5\t零分\r\n')
  expect(block).toEqual([['118', '缺考'], ['', '0'], ['90.5', '零分']])
  expect(placed(block, { row: 1, column: 0 }, { rows: 3, columns: 2 })).toEqual([
    { row: 1, column: 0, text: '118' }, { row: 1, column: 1, text: '缺考' }, { row: 2, column: 1, text: '0' },
  ])
})
