import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeXlsx } from 'hucre/xlsx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSheet, writeErrorSheet, writeRows, writeRowsFile, writeTemplate } from './index.ts'
import type { TemplateColumn } from './index.ts'
import { makeFolder } from './sheet.builders.ts'
import type { SheetFolder } from './sheet.builders.ts'
import { readDirectory } from './zip-directory.ts'
import { readPart } from './zip-part.ts'

let folder: SheetFolder
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => folder.remove())

async function readBack(file: Buffer) {
  return (await readSheet(await folder.save('written.xlsx', file))).rows
}

async function texts(file: Buffer) {
  return (await readBack(file)).map((row) => row.cells.map(({ text }) => text))
}

function part(file: Buffer, name: string): string {
  const entry = readDirectory(file).find((each) => each.name === name)
  return entry ? readPart(file, entry) : ''
}

const awkward = [
  '=1+1', '+86', '-5', '@a', '＝1', '＋1', '－1', '＠a', '\ttab', '\rreturn', "'=1", "''-1", "'quoted'", "O'Neil", '-',
  '𠮷𫖮😀', 'a\u00a0b', ' 空格 ', '一\n二', '一\r\n二', '_x000D_', '_x4E2D_文', '<a href="x">&amp;</a>', '\u0001', '0012', '370200201805120014', '1.50', ']]>',
]

describe('exports', () => {
  const columns = [{ label: '姓名', width: 20 }, { label: '内容' }, { label: '分数', numeric: true }]
  const rows = awkward.map((text, index) => [`第${index}行`, text, String(index)])

  test('every text comes back as it was, risky ones quoted in the file', async () => {
    const file = await writeRows({ sheet: '导出', head: ['青岛一小', '=1+1'], columns, rows })
    const read = await texts(file)
    expect(read).toEqual([['青岛一小'], ['=1+1'], ['姓名', '内容', '分数'], ...rows])
    const xml = part(file, 'xl/worksheets/sheet1.xml')
    expect(xml).not.toMatch(/<t[^>]*>[=+\-@＝＋－＠\t]|<f>/)
    expect(xml).toContain("<t>'=1+1</t>")
  })

  test('numeric columns hold numbers where nothing is lost', async () => {
    const numbers = ['7', '-1.5', '007', '=1', '370200201805120014', '']
    const file = await writeRows({ sheet: '导出', head: [], columns: [{ label: '数', numeric: true }, { label: '尾' }], rows: numbers.map((each) => [each, '.']) })
    const read = (await readBack(file)).slice(1).map((row) => [row.cells[0]?.text, row.cells[0]?.kind])
    expect(read).toEqual([['7', 'number'], ['-1.5', 'number'], ['007', 'text'], ['=1', 'text'], ['370200201805120014', 'text'], ['', 'empty']])
  })

  test('rows of any source are written to a file', async () => {
    async function* source() {
      for (let index = 0; index < 1000; index++) yield [`第${index}行`, '𠮷', String(index)]
    }
    const path = join(folder.path, 'export.xlsx')
    await writeRowsFile(path, { sheet: '导出', head: [], columns, rows: source() })
    const { rows: read } = await readSheet(path)
    expect([read.length, read.at(-1)?.cells.map(({ text }) => text)]).toEqual([1001, ['第999行', '𠮷', '999']])
  })

  test('a source that fails leaves no file', async () => {
    async function* source() {
      yield ['第0行', '', '']
      throw new Error('lost connection')
    }
    const before = await readdir(folder.path)
    await expect(writeRowsFile(join(folder.path, 'failed.xlsx'), { sheet: '导出', head: [], columns, rows: source() })).rejects.toThrow('lost connection')
    expect(await readdir(folder.path)).toEqual(before)
  })
})

const nations = Array.from({ length: 56 }, (_, index) => `第${index + 1}民族`)
const places = Array.from({ length: 3000 }, (_, index) => `区划${index}, 乡`)
const columns: TemplateColumn[] = [
  { label: '姓名', prop: 'user_name', required: true },
  { label: '性别', prop: 'sex', required: true, options: ['男', '女'] },
  { label: '民族', prop: 'nation', required: false, options: nations },
  { label: '曾用民族', prop: 'old_nation', required: false, options: nations },
  { label: '身份证件号', prop: 'id_no', required: true, text: true, note: '18位，末位X大写' },
  { label: '上下学距离(公里)', prop: 'distance', required: false, width: 30 },
  { label: '出生地', prop: 'birth_place', required: false, text: true, options: places, note: '' },
]
const template = {
  sheet: '学生信息导入',
  notes: ['1. 红色表头为必填', '2. 请勿改动表头 <&>'],
  columns,
  samples: [['王子涵', '男', '第1民族', '', '370200201805120014', '1.5', '区划7, 乡']],
}

describe('templates', () => {
  test('a sheet of our own may be larger than what is taken from others', async () => {
    const wide = Array.from({ length: 57 }, (_, at) => ({ prop: `p${at}`, label: `列${at}`, required: false, text: true }))
    const samples = Array.from({ length: 10_000 }, (_, row) => wide.map((_column, at) => `第${row}行第${at}列`))
    expect((await writeTemplate({ sheet: '大表', notes: ['说明'], columns: wide, samples })).length).toBeGreaterThan(1_000_000)
  })

  test('row 1 notes, row 2 exact headers, row 3 samples', async () => {
    const rows = await readBack(await writeTemplate(template))
    expect(rows.map((row) => row.row_no)).toEqual([1, 2, 3])
    expect(rows[0]?.cells[0]).toEqual({ text: template.notes.join('\n'), kind: 'text', merged: true })
    expect(rows[1]?.cells.map(({ text }) => text)).toEqual(columns.map(({ label }) => label))
    expect(rows[2]?.cells.map(({ text }) => text)).toEqual(template.samples[0])
  })

  test('a text column is text in cells nobody has touched', async () => {
    for (const samples of [template.samples, undefined]) {
      const file = await writeTemplate({ ...template, samples })
      const xml = part(file, 'xl/worksheets/sheet1.xml')
      const style = /<col min="5" style="(\d+)"/.exec(xml)?.[1]
      const formats = [...part(file, 'xl/styles.xml').replace(/.*<cellXfs/s, '').matchAll(/<xf [^>]*numFmtId="(\d+)"/g)]
      expect(part(file, 'xl/styles.xml')).toContain(`<numFmt numFmtId="${formats[Number(style)]?.[1]}" formatCode="@"`)
      expect(xml).not.toContain('<col min="1" style')
    }
  })

  test('short lists stand in the rule, long ones and ones with commas on a hidden sheet, equal ones once', async () => {
    const file = await writeTemplate(template)
    const xml = part(file, 'xl/worksheets/sheet1.xml')
    const rules = [...xml.matchAll(/<dataValidation [^>]*sqref="([^"]*)".*?<formula1>(.*?)<\/formula1>/g)].map((found) => [found[1], found[2]])
    expect(rules).toEqual([
      ['B3:B20002', '"男,女"'],
      ['C3:C20002', "'字典'!$A$1:$A$56"],
      ['D3:D20002', "'字典'!$A$1:$A$56"],
      ['E3:E20002', '0'],
      ['G3:G20002', "'字典'!$B$1:$B$3000"],
    ])
    expect(part(file, 'xl/workbook.xml')).toMatch(/name="字典"[^>]*state="hidden"/)
  })

  test('a hidden sheet in front is not the one that is read', async () => {
    const file = await writeXlsx({ sheets: [{ name: '字典', rows: [['甲']], hidden: true }, { name: '名单', rows: [['乙']] }] })
    expect(await texts(Buffer.from(file))).toEqual([['乙']])
  })
})

test('the error sheet keeps the template, the rows and their order, and says what is wrong', async () => {
  const file = await writeErrorSheet({
    template,
    rows: [
      { sheet: null, line: 9, cells: ['=cmd', '男', '', '', '370200201805120014'], fields: ['姓名', '身份证件号'], reasons: ['不能包含特殊字符', '身份证号重复'] },
      { sheet: '二年级', line: 4, cells: ['', '未知'], fields: ['性别'], reasons: ['字典值不存在'] },
    ],
  })
  expect((await texts(file)).slice(1)).toEqual([
    [...columns.map(({ label }) => label), '行号', '错误字段', '错误原因'],
    ['=cmd', '男', '', '', '370200201805120014', '', '', '9', '姓名；身份证件号', '不能包含特殊字符；身份证号重复'],
    ['', '未知', '', '', '', '', '', '二年级 4', '性别', '字典值不存在'],
  ])
  expect(part(file, 'xl/worksheets/sheet1.xml')).toContain('sqref="B3:B20002"')
})

test('awkward texts come back from the error sheet as they were', async () => {
  const rows = awkward.map((text, index) => ({ sheet: null, line: index + 3, cells: [text], fields: ['姓名'], reasons: [text] }))
  const read = await texts(await writeErrorSheet({ template, rows }))
  expect(read.slice(2).map((cells) => [cells[0], cells.at(-1)])).toEqual(awkward.map((text) => [text, text]))
})

test('4,000 rows of 57 columns are read in bounded memory', async () => {
  const rows = Array.from({ length: 4000 }, (_, row) => Array.from({ length: 57 }, (_, column) => `值${row}_${column}`))
  const path = await folder.save('big.xlsx', Buffer.from(await writeXlsx({ sheets: [{ name: '名单', rows }] })))
  const script = `import { readSheet } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)}
const { rows } = await readSheet(${JSON.stringify(path)})
console.log(JSON.stringify([rows.length, rows[3999].cells[56].text, process.resourceUsage().maxRSS]))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  const [count, last, kilobytes] = JSON.parse(stdout)
  expect([count, last]).toEqual([4000, '值3999_56'])
  expect(kilobytes).toBeLessThan(400 * 1024)
})
