import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lostPrecision, readSheet } from './index.ts'
import type { Cell } from './index.ts'
import { buildXlsx, makeFolder } from './sheet.builders.ts'
import type { SheetFolder, XlsxPieces } from './sheet.builders.ts'

let folder: SheetFolder
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => folder.remove())

async function readXlsx(pieces: XlsxPieces) {
  return (await readSheet(await folder.save('good.xlsx', buildXlsx(pieces)))).rows
}

async function readCell(cell: string, pieces: Partial<XlsxPieces> = {}): Promise<Cell | undefined> {
  const [row] = await readXlsx({ rows: `<row r="1">${cell}</row>`, ...pieces })
  return row?.cells[0]
}

const styles = `<numFmts count="9">
  <numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/><numFmt numFmtId="165" formatCode="[$-804]yyyy/m/d;@"/>
  <numFmt numFmtId="166" formatCode="&quot;day&quot;0.00"/><numFmt numFmtId="167" formatCode="0.00E+00"/>
  <numFmt numFmtId="168" formatCode="[$¥-804]#,##0.00"/><numFmt numFmtId="169" formatCode="h:mm:ss"/>
  <numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="171" formatCode="[Red]General"/><numFmt numFmtId="172" formatCode="yyyy年m月"/>
  </numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs>
  <xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="168"/>
  <xf numFmtId="169"/><xf numFmtId="170"/><xf numFmtId="9"/><xf numFmtId="31"/><xf numFmtId="171"/><xf numFmtId="172"/><xf numFmtId="49"/></cellXfs>`

describe('cells', () => {
  const numbers: [xml: string, expected: Cell][] = [
    ['<c r="A1"><v>12</v></c>', { text: '12', kind: 'number' }],
    ['<c r="A1"><v>1.5</v></c>', { text: '1.5', kind: 'number' }],
    ['<c r="A1"><v>0.30000000000000004</v></c>', { text: '0.3', kind: 'number' }],
    ['<c r="A1"><v>1E-7</v></c>', { text: '0.0000001', kind: 'number' }],
    ['<c r="A1"><v>16900000001</v></c>', { text: '16900000001', kind: 'number' }],
    ['<c r="A1"><v>370200201805</v></c>', { text: '370200201805', kind: 'number' }],
    ['<c r="A1"><v>3.7020020180512E+17</v></c>', { text: '3.7020020180512E+17', kind: 'number' }],
    ['<c r="A1"><v>6222021234567890</v></c>', { text: '6.22202123456789E+15', kind: 'number' }],
    ['<c r="A1" s="5"><v>137000</v></c>', { text: '1.37E+05', kind: 'number' }],
    ['<c r="A1" s="9"><v>0.15</v></c>', { text: '15%', kind: 'number' }],
    ['<c r="A1" s="6"><v>1234.5</v></c>', { text: '¥1,234.50', kind: 'number' }],
    ['<c r="A1" s="4"><v>7</v></c>', { text: 'day7.00', kind: 'number' }],
    ['<c r="A1" s="11"><v>43</v></c>', { text: '43', kind: 'number' }],
    ['<c r="A1" s="1"><v>43232</v></c>', { text: '2018-05-12', kind: 'date' }],
    ['<c r="A1" s="2"><v>43232</v></c>', { text: '2018-05-12', kind: 'date' }],
    ['<c r="A1" s="3"><v>43232</v></c>', { text: '2018-05-12', kind: 'date' }],
    ['<c r="A1" s="10"><v>43232</v></c>', { text: '2018-05-12', kind: 'date' }],
    ['<c r="A1" s="12"><v>45901</v></c>', { text: '2025-09-01', kind: 'date' }],
    ['<c r="A1" s="1"><v>59</v></c>', { text: '1900-02-28', kind: 'date' }],
    ['<c r="A1" s="1"><v>61</v></c>', { text: '1900-03-01', kind: 'date' }],
    ['<c r="A1" s="8"><v>43232.322222222225</v></c>', { text: '2018-05-12 07:44', kind: 'date' }],
    ['<c r="A1" s="7"><v>0.3333333333333333</v></c>', { text: '08:00', kind: 'date' }],
    ['<c r="A1" s="1"><v>-5</v></c>', { text: '-5', kind: 'unsure' }],
    ['<c r="A1" t="d"><v>2018-05-12T00:00:00</v></c>', { text: '2018-05-12', kind: 'date' }],
    ['<c r="A1" t="b"><v>1</v></c>', { text: 'TRUE', kind: 'bool' }],
    ['<c r="A1" t="e"><v>#N/A</v></c>', { text: '#N/A', kind: 'error' }],
    ['<c r="A1"><f>1+1</f><v>2</v></c>', { text: '2', kind: 'formula' }],
    ['<c r="A1" t="str"><f>A2&amp;"x"</f><v></v></c>', { text: '', kind: 'formula' }],
  ]
  test.each(numbers)('%s', async (xml, expected) => {
    expect(await readCell(xml, { styles })).toEqual(expected)
  })

  test('a date of the 1904 system is read by that system', async () => {
    const cell = await readCell('<c r="A1" s="1"><v>41770</v></c>', { styles, workbookPr: '<workbookPr date1904="1"/>' })
    expect(cell).toEqual({ text: '2018-05-12', kind: 'date' })
  })

  test('a number that lost its digits says so, a long text does not', async () => {
    const [row] = await readXlsx({ rows: '<row><c><v>370200201805120014</v></c><c t="inlineStr"><is><t>370200201805120014</t></is></c></row>' })
    expect(row?.cells.map(lostPrecision)).toEqual([true, false])
  })

  test('every way to store a text gives the text', async () => {
    const strings = '<si><t>王子涵</t></si><si><r><rPr><b/></rPr><t>李</t></r><r><t xml:space="preserve"> 秀芳</t></r><rPh sb="0" eb="1"><t>li</t></rPh></si><si><t/></si>'
    const cells = [
      '<c t="s"><v>0</v></c>',
      '<c t="s"><v>1</v></c>',
      '<c t="inlineStr"><is><t>直接</t></is></c>',
      '<c t="inlineStr"><is><r><t>分</t></r><r><t>段</t></r></is></c>',
      '<c t="str"><v>a&amp;b &lt;c&gt; &#x4E2D;&#25991;</v></c>',
      '<c t="inlineStr"><is><t><![CDATA[<原样>]]></t></is></c>',
      '<c t="inlineStr"><is><t>一_x000D_二 _x005F_x000D_</t></is></c>',
      '<c t="s"><v>2</v></c>',
      '<c t="inlineStr"><is><t>𠮷𫖮😀\u00a0尾</t></is></c>',
    ]
    const [row] = await readXlsx({ rows: `<row>${cells.join('')}</row>`, strings })
    expect(row?.cells.map(({ text }) => text)).toEqual(['王子涵', '李 秀芳', '直接', '分段', 'a&b <c> 中文', '<原样>', '一\r二 _x000D_', '', '𠮷𫖮😀\u00a0尾'])
  })

  test('blank rows and gaps keep the numbers of the sheet', async () => {
    const rows = await readXlsx({ rows: '<row r="1"/><row r="3"><c r="A3" s="1"/><c r="C3"><v>1</v></c><c r="F3"/></row><row r="7"><c r="B7" t="b"><v>0</v></c></row><row r="1048576"><c r="XFD1048576" s="1"/></row>' })
    expect(rows.map((row) => [row.row_no, row.cells.map(({ text }) => text)])).toEqual([[3, ['', '', '1']], [7, ['', 'FALSE']]])
  })

  test('merged cells and array formulas are marked to the end of their range', async () => {
    const rows = await readXlsx({
      rows: '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>2</v></c></row><row r="2"><c r="B2"><f t="array" ref="B2:B3">A1:A2</f><v>3</v></c></row><row r="3"><c r="B3"><v>4</v></c></row>',
      afterRows: '<mergeCells><mergeCell ref="A1:B2"/></mergeCells>',
    })
    expect(rows.map((row) => row.cells)).toEqual([
      [{ text: '1', kind: 'number', merged: true }, { text: '', kind: 'empty', merged: true }, { text: '2', kind: 'number' }],
      [{ text: '', kind: 'empty', merged: true }, { text: '3', kind: 'formula', merged: true }],
      [{ text: '', kind: 'empty' }, { text: '4', kind: 'formula' }],
    ])
  })

  test('prefixed XML is read like any other', async () => {
    const rows = '<?xml version="1.0"?><!-- a > b --><x:worksheet xmlns:x="m"><x:sheetData><x:row r=\'2\'><x:c t="inlineStr" r="B2" y="a > b"><x:is><x:t>前缀</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>'
    expect(await readXlsx({ rows })).toEqual([{ row_no: 2, cells: [{ text: '', kind: 'empty' }, { text: '前缀', kind: 'text' }] }])
  })
})

describe('csv', () => {
  const text = '说明\r\n姓名,学号\r\n王子涵,"01,2"\r\n\r\n"李\n秀芳",3.702E+17\r\n'
  const expected = [[1, ['说明']], [2, ['姓名', '学号']], [3, ['王子涵', '01,2']], [5, ['李\n秀芳', '3.702E+17']]]
  const encodings: [name: string, bytes: Buffer][] = [
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with mark', Buffer.from(`\ufeff${text}`)],
    ['GBK', iconv.encode(text, 'gbk')],
    ['UTF-16LE', iconv.encode(text, 'utf-16le', { addBOM: true })],
    ['UTF-16BE', iconv.encode(text, 'utf-16be', { addBOM: true })],
    ['tabs', Buffer.from(text.replaceAll('姓名,', '姓名\t').replace('涵,', '涵\t').replace('",3', '"\t3'))],
  ]
  test.each(encodings)('%s', async (_, bytes) => {
    const { rows } = await readSheet(await folder.save('names.csv', bytes))
    expect(rows.map((row) => [row.row_no, row.cells.map((cell) => cell.text)])).toEqual(expected)
    expect(rows.at(-1)?.cells.map(lostPrecision)).toEqual([false, true])
  })

  test('GB18030 holds signs that GBK lacks', async () => {
    const { rows } = await readSheet(await folder.save('rare.csv', iconv.encode('姓名\n𠮷䶮', 'gb18030')))
    expect(rows[1]?.cells[0]?.text).toBe('𠮷䶮')
  })
})

test('a template saved again by LibreOffice reads like ours', async () => {
  const { rows } = await readSheet(fileURLToPath(new URL('./fixtures/libreoffice.xlsx', import.meta.url)))
  expect(rows.map((row) => [row.row_no, row.cells.map(({ text }) => text)])).toEqual([
    [1, ['1. 红色表头为必填\n2. 请勿改动表头 <&>']],
    [2, ['姓名', '性别', '民族', '身份证件号']],
    [3, ['𠮷子涵', '男', '第1民族', '370200201805120014']],
    [4, ['=1+1', '', '', '＋86 😀\n二行']],
  ])
})

test('reading writes nothing', async () => {
  expect((await readdir(folder.path)).toSorted()).toEqual(['good.xlsx', 'names.csv', 'rare.csv'])
})
