import { join } from 'node:path'
import { demoClasses, writeSampleSheets } from '@campus/people/server'
import { readSheet, writeRowsFile } from '@kit/server/excel'

const piece = 5000
/** More than needed, because numbers of one piece that another one has too are left out. */
const spare = 100
const mobile_block = /^1690(?=[0-9]{7}$)/

/** A sheet of invented pupils for the classes of the demo school, and the same one with an impossible sex in every `bad_every`th row. */
export async function writeSheets(folder: string, options: { pupils: number; school_year: number; bad_every: number }): Promise<{ clean: string; spoiled: string }> {
  const { pupils, school_year, bad_every } = options
  let header: string[] = []
  const lines: string[][] = []
  const taken = new Set<string>()
  for (let at = 0; lines.length < pupils; at += 1) {
    const made = await onePiece(join(folder, String(at)), at, Math.min(pupils, piece) + spare, school_year)
    header = made.header
    const id_no = header.indexOf('身份证件号')
    for (const line of made.lines.slice(0, pupils - lines.length)) {
      if (taken.has(line[id_no] ?? '')) continue
      taken.add(line[id_no] ?? '')
      lines.push(line)
    }
  }
  const sex = header.indexOf('性别')
  const spoiled = lines.map((line, at) => (at % bad_every === 0 ? line.with(sex, '未知性别') : line))
  return { clean: await write(join(folder, 'clean.xlsx'), header, lines), spoiled: await write(join(folder, 'spoiled.xlsx'), header, spoiled) }
}

/** The sample of the product; pieces after the first get numbers and mobiles of their own. */
async function onePiece(folder: string, at: number, pupils: number, school_year: number): Promise<{ header: string[]; lines: string[][] }> {
  const { student } = await writeSampleSheets(folder, { pupils, guardians: Math.round(pupils * 1.65), seed: `bench${at}`, classes: demoClasses(school_year) })
  const { rows } = await readSheet(student)
  const [, header = [], ...texts] = rows.map(row => row.cells.map(cell => cell.text))
  const number = header.indexOf('学号')
  const lines = texts.map(line => line.map((text, column) => (column === number ? `${at}${text}` : text.replace(mobile_block, `169${at}`))))
  return { header, lines }
}

/** Row 1 notes, row 2 headers, data from row 3, as in the template. */
async function write(file: string, header: string[], rows: string[][]): Promise<string> {
  await writeRowsFile(file, { sheet: '学生信息导入', head: ['示例数据，均为虚构'], columns: header.map(label => ({ label })), rows })
  return file
}
