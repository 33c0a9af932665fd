import { setTimeout as pause } from 'node:timers/promises'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSheet, writeRowsFile } from './index.ts'
import { buildXlsx, makeFolder } from './sheet.builders.ts'
import type { SheetFolder } from './sheet.builders.ts'

let folder: SheetFolder
beforeAll(async () => {
  folder = await makeFolder()
})
afterAll(() => folder.remove())

const signs = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '\t', '\r']
/** A text that begins with such a sign, as it stands in a sheet of ours or of others, and what it means. */
const cells = signs.flatMap(sign => [
  [`${sign}1+1`, `${sign}1+1`],
  [`'${sign}1+1`, `${sign}1+1`],
  [`''${sign}1+1`, `'${sign}1+1`],
] as const)

async function texts(path: string): Promise<string[]> {
  return (await readSheet(path)).rows.slice(1).map(row => row.cells[0]?.text ?? '')
}

const csv = `姓名,学号\r\n${cells.map(([written]) => `"${written}",1`).join('\r\n')}\r\n`
const xml = (text: string) => text.replace(/[\t\r]/g, sign => `&#${sign.charCodeAt(0)};`)

describe('a cell that begins like a formula, with our quote or without, is a text', () => {
  test.each([
    ['UTF-8', Buffer.from(csv)],
    ['GBK', iconv.encode(csv, 'gbk')],
    ['UTF-16', iconv.encode(csv, 'utf-16le', { addBOM: true })],
  ])('in a CSV in %s', async (name, bytes) => {
    expect(await texts(await folder.save(`${name}.csv`, bytes))).toEqual(cells.map(([, meant]) => meant))
  })

  test('in an xlsx, in both places a text can stand', async () => {
    const inline = cells.map(([written], at) => `<row r="${at + 2}"><c r="A${at + 2}" t="inlineStr"><is><t xml:space="preserve">${xml(written)}</t></is></c></row>`)
    const shared = cells.map((_, at) => `<row r="${at + 2}"><c r="A${at + 2}" t="s"><v>${at}</v></c></row>`)
    const strings = cells.map(([written]) => `<si><t xml:space="preserve">${xml(written)}</t></si>`).join('')
    const head = '<row r="1"><c r="A1" t="inlineStr"><is><t>姓名</t></is></c></row>'
    for (const rows of [inline, shared]) {
      expect(await texts(await folder.save('texts.xlsx', buildXlsx({ rows: head + rows.join(''), strings })))).toEqual(cells.map(([, meant]) => meant))
    }
  })
})

test('a line of an export is on the disk before the last one is known', async () => {
  const path = join(folder.path, 'streamed.xlsx')
  const sizes: number[] = []
  async function* source() {
    for (let at = 0; at < 40_000; at += 1) {
      if (at % 10_000 === 0) {
        await pause(20)
        sizes.push((await stat(`${path}.partial`)).size)
      }
      yield [`第${at}行 ${Math.sin(at)}`]
    }
  }
  await writeRowsFile(path, { sheet: '导出', head: [], columns: [{ label: '姓名' }], rows: source() })
  const whole = (await readFile(path)).length
  expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
  expect(sizes.at(-1)).toBeGreaterThan(whole / 2)
})
