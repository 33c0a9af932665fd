import { join } from 'node:path'
import { demoClasses, writeSampleSheets } from '@campus/people/server'
import { readSheet, writeTemplate } from '@kit/server/excel'
import { writeFile } from 'node:fs/promises'

export const pupils = 4000
const guardians = 6600

/**
 * The filled sheets of a school, the pupils' one with three cells spoiled as people spoil them.
 * @returns paths of both files
 */
export async function spoiledSheets(folder: string): Promise<{ student: string; parent: string }> {
  const files = await writeSampleSheets(folder, { pupils, guardians, seed: '20261120', classes: demoClasses(2026) })
  const { rows } = await readSheet(files.student)
  const [, header, ...data] = rows.map(row => row.cells.map(cell => cell.text))
  const column = (label: string) => (header ?? []).indexOf(label)
  spoil(data[2], column('家长1手机号'), '1690000')
  spoil(data[2], column('性别'), '未知性别')
  spoil(data[12], column('身份证件号'), '37020020180230001X')
  const columns = (header ?? []).map(label => ({ prop: label, label, required: false, text: true }))
  const student = join(folder, 'student-spoiled.xlsx')
  await writeFile(student, await writeTemplate({ sheet: '学生信息导入', notes: ['第1行是填写说明'], columns, samples: data }))
  return { student, parent: files.parent }
}

function spoil(row: string[] | undefined, at: number, text: string): void {
  if (!row || at < 0) throw new Error('the sample sheet changed its form')
  row[at] = text
}
