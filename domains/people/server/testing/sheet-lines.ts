import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSheet } from '@kit/server/excel'

/** The lines of a downloaded sheet: texts as a reader gets them. */
export async function sheetLines(bytes: Uint8Array): Promise<string[][]> {
  const folder = await mkdtemp(join(tmpdir(), 'sheet-'))
  await writeFile(join(folder, 'a.xlsx'), bytes)
  const { rows } = await readSheet(join(folder, 'a.xlsx'))
  await rm(folder, { recursive: true })
  return rows.map(({ cells }) => cells.map(({ text }) => text))
}
