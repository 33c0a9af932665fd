import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lostPrecision, readCsvTable, readSheet } from './index.ts'
import type { Cell } from './index.ts'
import { buildSheets, buildXlsx, makeFolder } from './sheet.builders.ts'
import type { SheetFolder } from './sheet.builders.ts'

let folder: SheetFolder
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => folder.remove())

const xml = (text: string) => text.replace(/[&<>"]/g, sign => `&#${sign.charCodeAt(0)};`)

/** Cells as they are read, each under a format of its own: a code, or the id of a built-in one. */
async function readFormatted(cells: readonly (readonly [format: string | number, cell: string])[]): Promise<Cell[]> {
  const codes = cells.map(([format], at) => (typeof format === 'number' ? '' : `<numFmt numFmtId="${at + 164}" formatCode="${xml(format)}"/>`))
  const styles = `<numFmts>${codes.join('')}</numFmts><cellXfs>${cells.map(([format], at) => `<xf numFmtId="${typeof format === 'number' ? format : at + 164}"/>`).join('')}</cellXfs>`
  const rows = cells.map(([, cell], at) => `<row r="${at + 1}">${cell.replace('<c', `<c r="A${at + 1}" s="${at}"`)}</row>`).join('')
  const { rows: read } = await readSheet(await folder.save('formatted.xlsx', buildXlsx({ rows, styles })))
  const byRow = new Map(read.map(row => [row.row_no, row.cells[0]]))
  return cells.map((_, at) => byRow.get(at + 1) ?? { text: '', kind: 'empty' })
}
const number = (value: string | number) => `<c><v>${value}</v></c>`
const text = (value: string) => `<c t="inlineStr"><is><t>${xml(value)}</t></is></c>`

test('a number is read as its format shows it', async () => {
  const table: [format: string | number, value: number, shown: string][] = [
    ['00000000', 770101, '00770101'], ['000000', 815, '000815'], ['"S"000000', 815, 'S000815'], ['\\A0000', 12, 'A0012'], ['0年', 2025, '2025年'], ['0"年"', 2025, '2025年'],
    ['0!年', 3, '3年'], ['第0号', 12, '第12号'], ['000-0000-0000', 16900000001, '169-0000-0001'], ['0000-00-00', 20180512, '2018-05-12'], ['000000;@', 815, '000815'],
    ['[=1]"男";[=2]"女";0', 2, '女'], ['[>=100]0;000', 7, '007'], ['0;0', -5, '5'], ['0.00_ ', 7, '7.00'], ['[Red]General', 43, '43'], ['General"号"', 16900000001, '16900000001号'],
    ['0000 0000 0000', 622202123456, '6222 0212 3456'], ['G/通用格式', 370200201805, '370200201805'], ['0!.0,"万"', 12345, '1.2万'], ['[h]:mm', 1.5, '36:00'],
    [1, 815, '815'], [2, 7, '7.00'], [3, 1234, '1,234'], [7, 1234.5, '¥1,234.50'], [10, 0.5, '50.00%'], [43, 1234.5, '1,234.50'], [49, 770101, '770101'],
  ]
  expect(await readFormatted(table.map(([format, value]) => [format, number(value)]))).toEqual(table.map(([, , shown]) => ({ text: shown, kind: 'number' })))
})

test('where the shown text cannot be told, the cell says so', async () => {
  const formats = ['[DBNum1][$-804]General', '[DBNum2]0', '*-0', ';;;', '#', 'N0000', '0"', 'General"号"']
  const cells = await readFormatted(formats.map(format => [format, number(format === '#' ? 0 : 370200201805)]))
  expect(cells.map(({ kind }) => kind)).toEqual(formats.map(() => 'unsure'))
})

test('digits that are lost stay lost, whatever the format shows in their place', async () => {
  const cells = await readFormatted([['0', number('370200201805120014')], ['000000000000000000', number('370200201805120014')], ['"E"0', number(7)]])
  expect(cells.map(lostPrecision)).toEqual([true, true, false])
})

test('a text is read as its format shows it', async () => {
  const formats = ['@"班"', '"S"@', '@', '0;-0;0;@', '0.00', ';;;', 'General;General;General;"#"@']
  const cells = await readFormatted(formats.map(format => [format, text('一')]))
  expect(cells.map(cell => cell.text)).toEqual(['一班', 'S一', '一', '一', '一', '一', '#一'])
  expect(cells.map(cell => cell.kind)).toEqual(['text', 'text', 'text', 'text', 'text', 'unsure', 'text'])
})

test('an error value is no text, also behind a formula; a text of the same signs is one', async () => {
  const errors = ['#N/A', '#REF!', '#VALUE!', '#DIV/0!', '#NAME?', '#NUM!', '#NULL!', '#SPILL!']
  const cells = await readFormatted([...errors.map(error => [0, `<c t="e"><v>${error}</v></c>`] as const), [0, '<c t="e"><f>VLOOKUP(A1,B:C,2,0)</f><v>#N/A</v></c>'], [0, text('#N/A')]])
  expect(cells.map(({ kind }) => kind)).toEqual([...errors.map(() => 'error'), 'error', 'text'])
})

test.each([
  ['2018-05-12', '2018-05-12'], ['2018-05-12T00:00:00', '2018-05-12'], ['2018-05-12T00:00:00.000', '2018-05-12'], ['2018-05-12T00:00:00.000Z', '2018-05-12'],
  ['2018-05-12T00:00:00+08:00', '2018-05-12'], ['2018-05-12T07:44:00Z', '2018-05-12 07:44'], ['2018-05-11T23:59:17', '2018-05-12'], ['2018-05-12T00:00:43.000', '2018-05-12'], ['07:44:00', '07:44'],
])('a cell of type date %s is %s', async (iso, expected) => {
  expect(await readFormatted([[14, `<c t="d"><v>${iso}</v></c>`]])).toEqual([{ text: expected, kind: 'date' }])
})

test('a midnight that is off by seconds is midnight; a true time stays', async () => {
  const second = 1 / 86_400
  const cells = await readFormatted([43232 + second, 43232 - second, 43232 - 43 * second, 43232 + 59 * second, 43232 + 3600 * second].map(value => [14, number(value)]))
  expect(cells.map(cell => cell.text)).toEqual(['2018-05-12', '2018-05-12', '2018-05-12', '2018-05-12', '2018-05-12 01:00'])
  expect((await readFormatted([['h:mm:ss', number(30 * second)]]))[0]?.text).toBe('00:00:30')
})

test('hidden and filtered rows are read and named', async () => {
  const row = (row_no: number, attributes: string) => `<row r="${row_no}" ${attributes}>${text('一')}</row>`
  const rows = row(1, '') + row(2, 'hidden="1"') + row(3, 'hidden="true"') + row(4, 'ht="0" customHeight="1"') + row(5, 'hidden="0" ht="15"') + '<row r="6" hidden="1"/>'
  const { sheets } = await readSheet(await folder.save('hidden.xlsx', buildXlsx({ rows, afterRows: '<autoFilter ref="A1:A6"/>' })))
  expect(sheets).toMatchObject([{ name: '名单', hidden_rows: [2, 3, 4], refusal: null }])
})

test('every visible sheet of a workbook of another program is read, with its name', async () => {
  const many = Array.from({ length: 20_010 }, (_, at) => [at])
  const bytes = await buildSheets([
    { name: '说明', rows: [['请勿改动']] }, { name: '字典', hidden: true, rows: [['男']] }, { name: '一年级', rows: [['姓名'], ['王一']] }, { name: '流水', rows: many }, { name: '二年级', rows: [['姓名'], ['李二']] },
  ])
  const { rows, sheets } = await readSheet(await folder.save('sheets.xlsx', bytes))
  expect(sheets.map(sheet => [sheet.name, sheet.rows.at(-1)?.cells[0]?.text, sheet.refusal])).toEqual([
    ['说明', '请勿改动', null], ['一年级', '王一', null], ['流水', '20001', 'too_many_rows'], ['二年级', '李二', null],
  ])
  expect(rows).toBe(sheets[0]?.rows)
})

describe('a CSV', () => {
  const lines: [name: string, csv: string, expected: string[][]][] = [
    ['a separator line', 'sep=;\r\n姓名;学号\r\n王,一;1', [['姓名', '学号'], ['王,一', '1']]],
    ['a quoted separator line', '\ufeff"sep=|"\n姓名|学号\n王一|1', [['姓名', '学号'], ['王一', '1']]],
    ['texts as formulas', '姓名,学号\n王一,="001"\n李二,"=""00,2"""\n张三,= "003" ', [['姓名', '学号'], ['王一', '001'], ['李二', '00,2'], ['张三', '003']]],
    ['apostrophes', "姓名,学号\n'tHart,'001\n''王,'2018-05-12\nO'Neil,'+86 169", [['姓名', '学号'], ["'tHart", '001'], ["''王", '2018-05-12'], ["O'Neil", '+86 169']]],
  ]
  test.each(lines)('with %s', async (_, csv, expected) => {
    const { rows } = await readSheet(await folder.save('a.csv', csv))
    expect(rows.map(row => [row.row_no, row.cells.map(cell => cell.text)])).toEqual(expected.map((texts, at) => [at + 1, texts]))
    const [head = [], ...records] = expected
    expect(readCsvTable(Buffer.from(csv))).toEqual(records.map(record => Object.fromEntries(head.map((name, at) => [name, record[at]]))))
  })

  test('of Excel holds error values', async () => {
    const { rows } = await readSheet(await folder.save('a.csv', '姓名,地址\n王一,#N/A\n李二,#1号楼'))
    expect(rows.map(row => row.cells[1]?.kind)).toEqual(['text', 'error', 'text'])
  })
})
