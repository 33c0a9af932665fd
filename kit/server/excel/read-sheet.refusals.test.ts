import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSheetPool, readSheet, SheetRefused } from './index.ts'
import { buildXlsx, buildZip, makeFolder, xlsxPieces } from './sheet.builders.ts'
import type { SheetFolder, ZipPiece } from './sheet.builders.ts'

let folder: SheetFolder
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => folder.remove())

const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>姓名</t></is></c></row>'
const pieces = xlsxPieces({ rows })
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2048)])
const nested = buildZip([{ name: 'a.txt', content: 'a' }])
const huge = '<row><c t="inlineStr"><is><t>一</t></is></c></row>'.repeat(3)
const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => `<row r="${from + index}"><c><v>1</v></c></row>`).join('')
const withPart = (name: string, content: Buffer | string) => buildXlsx({ rows, extra: [{ name, content }] })
const doctype = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>'

/** 200 MB of blank rows that pack into about 200 KB. */
const bomb = (): ZipPiece[] => {
  const blank = '<row><c/></row>'
  return xlsxPieces({ rows, extra: [{ name: 'xl/worksheets/sheet2.xml', content: Buffer.alloc(200 * 1024 * 1024, blank) }] })
}

const forged = (declared: number, name = 'xl/worksheets/sheet1.xml') => buildZip(pieces.map((piece) => (piece.name === name ? { ...piece, declared } : piece)))

const overlapping = () => {
  const file = buildZip(pieces)
  const central = file.indexOf('PK\x01\x02', 0, 'latin1')
  const second = file.indexOf('PK\x01\x02', central + 4, 'latin1')
  const third = file.indexOf('PK\x01\x02', second + 4, 'latin1')
  file.copy(file, third + 42, second + 42, second + 46)
  return file
}

type Case = [name: string, file: () => Buffer | string, file_name?: string]

describe('文件不合规，已拒绝', () => {
  const cases: Case[] = [
    ['a bomb of 200 MB', () => buildZip(bomb())],
    ['a declared size beyond all limits', () => forged(0xfffffffe)],
    ['a sheet longer than declared', () => forged(10)],
    ['a small part longer than declared', () => forged(10, 'xl/workbook.xml')],
    ['a sheet shorter than declared', () => forged(1000)],
    ['an archive in the archive', () => withPart('xl/media/image1.png', nested)],
    ['an archive by name', () => withPart('xl/embeddings/a.xlsx', 'x')],
    ['20,000 entries', () => buildZip(pieces, { count: 20_000 })],
    ['1,000,000 entries', () => buildZip(pieces, { count: 1_000_000 })],
    ['fewer entries than there are', () => buildZip(pieces, { count: 3 })],
    ['the same entry twice', () => buildZip([...pieces, { name: 'XL/workbook.xml', content: 'x' }])],
    ['entries that share bytes', overlapping],
    ['a DOCTYPE in the sheet', () => buildXlsx({ rows: `${doctype}<worksheet><sheetData>&e;</sheetData></worksheet>` })],
    ['a DOCTYPE far into the sheet', () => buildXlsx({ rows: `<?xml version="1.0"?><!--${'x'.repeat(100_000)}--><!DOCTYPE a><worksheet/>` })],
    ['a DOCTYPE in another part', () => withPart('docProps/core.xml', `${doctype}<a/>`)],
    ['an entity nobody declared', () => buildXlsx({ rows: '<row><c t="str"><v>&e;</v></c></row>' })],
    ['macros', () => withPart('xl/vbaProject.bin', 'x')],
    ['macros by type', () => buildXlsx({ rows, contentTypes: '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/>' })],
    ['an old workbook', () => ole],
    ['an old workbook by its own name', () => ole, 'a.xls'],
    ['a web page', () => '<html><table><tr><td>姓名</td></tr></table></html>'],
    ['a web page as csv', () => '\ufeff <!DOCTYPE html><table></table>', 'a.csv'],
    ['a workbook as csv', () => buildXlsx({ rows }), 'a.csv'],
    ['some other archive', () => nested],
    ['a text named by millions of cells', () => buildXlsx({ rows: `<row r="1">${'<c t="s"><v>0</v></c>'.repeat(300)}</row>`, strings: `<si><t>${'长'.repeat(1_000_000)}</t></si>` })],
  ]
  test.each(cases)('%s', async (_, file, file_name = 'a.xlsx') => {
    const path = await folder.save('upload', file())
    await expect(readSheet(path, { file_name })).rejects.toThrow(new SheetRefused('not_allowed'))
  })
})

describe('other sentences', () => {
  const cases: [name: string, file: () => Buffer | string, sentence: string, file_name?: string][] = [
    ['21 MB', () => Buffer.alloc(21 * 1024 * 1024), '文件大小不能超过20MB'],
    ['20,001 rows after two lines of head', () => buildXlsx({ rows: many(1, 20_003) }), '超过20000行，请拆分后导入'],
    ['a cell in the last corner', () => buildXlsx({ rows: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' }), '超过20000行，请拆分后导入'],
    ['a column beyond the limit', () => buildXlsx({ rows: '<row r="1"><c r="XFD1"><v>1</v></c></row>' }), '超过20000行，请拆分后导入'],
    ['20,003 lines of csv', () => '一\n'.repeat(20_003), '超过20000行，请拆分后导入', 'a.csv'],
    ['an empty file', () => '', '文件中没有数据'],
    ['an empty sheet', () => buildXlsx({ rows: '<row r="1"><c r="A1"/></row>' }), '文件中没有数据'],
    ['an empty csv', () => '\ufeff\n,,\n', '文件中没有数据', 'a.csv'],
    ['half a file', () => buildXlsx({ rows: huge }).subarray(0, 900), '文件无法读取，请用Excel或WPS另存为xlsx后重新上传'],
    ['one byte', () => 'P', '文件无法读取，请用Excel或WPS另存为xlsx后重新上传'],
    ['something else', () => Buffer.from('%PDF-1.7'), '文件无法读取，请用Excel或WPS另存为xlsx后重新上传'],
    ['XML that does not end', () => buildXlsx({ rows: '<?xml version="1.0"?><worksheet><sheetData><row>' }), '文件无法读取，请用Excel或WPS另存为xlsx后重新上传'],
    ['a text that is not there', () => buildXlsx({ rows: '<row><c t="s"><v>7</v></c></row>' }), '文件无法读取，请用Excel或WPS另存为xlsx后重新上传'],
    ['an address of another row', () => buildXlsx({ rows: '<row r="1"><c r="A9"><v>7</v></c></row>' }), '文件无法读取，请用Excel或WPS另存为xlsx后重新上传'],
    ['a quote that does not close', () => '姓名\n"王', '文件无法读取，请用Excel或WPS另存为xlsx后重新上传', 'a.csv'],
    ['bytes of no encoding', () => Buffer.from([0xd0, 0xd5, 0xff, 0x80, 0xff]), '文件编码无法识别，请另存为xlsx或UTF-8编码的CSV', 'a.csv'],
    ['UTF-16 without a mark', () => Buffer.from('name', 'utf16le'), '文件编码无法识别，请另存为xlsx或UTF-8编码的CSV', 'a.csv'],
  ]
  test.each(cases)('%s', async (_, file, sentence, file_name = 'a.xlsx') => {
    const path = await folder.save('upload', file())
    await expect(readSheet(path, { file_name })).rejects.toThrow(new RegExp(`^${sentence}$`))
  })

  test('20,000 rows after two lines of head are read', async () => {
    const path = await folder.save('upload', buildXlsx({ rows: many(1, 20_002) }))
    expect((await readSheet(path)).rows.length).toBe(20_002)
  })

  test('a flipped bit is noticed', async () => {
    const file = buildZip(pieces.map((piece) => ({ ...piece, stored: true })))
    const at = file.indexOf('姓名')
    file.writeUInt8(file.readUInt8(at + 1) ^ 1, at + 1)
    await expect(readSheet(await folder.save('upload', file))).rejects.toMatchObject({ reason: 'unreadable' })
  })

  test('a file that outgrows the memory of a thread is refused, the process lives on', async () => {
    const pool = createSheetPool({ workers: 1, memory_mb: 16 })
    const strings = Array.from({ length: 300_000 }, (_, index) => `<si><t>第${index}个互不相同的文字内容</t></si>`).join('')
    const path = await folder.save('upload', buildXlsx({ rows, strings }))
    await expect(readSheet(path, { pool })).rejects.toMatchObject({ reason: 'unreadable' })
    expect((await readSheet(await folder.save('small', buildXlsx({ rows })), { pool })).rows.length).toBe(1)
  })

  test('merges that cover each other thousands of times are refused', async () => {
    const afterRows = `<mergeCells>${'<mergeCell ref="A1:XFD1048576"/>'.repeat(3000)}</mergeCells>`
    const path = await folder.save('upload', buildXlsx({ rows: many(1, 1000), afterRows }))
    await expect(readSheet(path)).rejects.toMatchObject({ reason: 'not_allowed' })
  })

  test('a missing file is no refusal', async () => {
    await expect(readSheet('/nonexistent/a.xlsx')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('more files than threads wait for their turn, and a refusal leaves nothing behind', async () => {
  const pool = createSheetPool({ workers: 2 })
  const good = await folder.save('small', buildXlsx({ rows }))
  const bad = await folder.save('upload', ole)
  const results = await Promise.allSettled([good, bad, good, bad, good].map((path) => readSheet(path, { pool })))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  expect((await readdir(folder.path)).toSorted()).toEqual(['small', 'upload'])
})
