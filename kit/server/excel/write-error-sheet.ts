import type { ErrorSheetInput } from './error-sheet.ts'
import { sharedSheetPool } from './sheet-pool.ts'
import type { SheetPool } from './sheet-pool.ts'

/**
 * The sheet to correct after a dry run: the template's rows 1 and 2, the uploaded rows in their order with the wrong cells
 * coloured, and 行号, 错误字段, 错误原因 at the end. Built in a worker thread, since it can be as long as an import.
 */
export async function writeErrorSheet(input: ErrorSheetInput, pool: SheetPool = sharedSheetPool): Promise<Buffer> {
  const answer = await pool.run({ kind: 'error_sheet', input }, () => {})
  if (answer.kind !== 'written') throw new Error(`A writing sheet worker answered ${answer.kind}`)
  return Buffer.from(answer.bytes)
}
