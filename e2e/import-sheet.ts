import { join } from 'node:path'
import { demoClasses, writeSampleSheets } from '@campus/people/server'
import { readSheet, writeTemplate } from '@kit/server/excel'
import { writeFile } from 'node:fs/promises'

/** Lines of a sheet, and the place of a column in them. */
type Spoil = (lines: string[][], column: (label: string) => number) => void

/**
 * A filled sheet of a few pupils, always the same ones, changed by `spoil`.
 * @returns its path
 */
export async function pupilSheet(folder: string, name: string, pupils: number, spoil: Spoil): Promise<string> {
  const { student } = await writeSampleSheets(folder, { pupils, guardians: pupils, seed: '20261120', classes: demoClasses(2026) })
  const { rows } = await readSheet(student)
  const [, header = [], ...lines] = rows.map(row => row.cells.map(cell => cell.text))
  spoil(lines, label => header.indexOf(label))
  const columns = header.map(label => ({ prop: label, label, required: false, text: true }))
  const file = join(folder, name)
  await writeFile(file, await writeTemplate({ sheet: '学生信息导入', notes: ['第1行是填写说明'], columns, samples: lines }))
  return file
}
