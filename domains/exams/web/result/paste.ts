/** Lines and cells of a block that was copied from a sheet. */
export function blockOf(text: string): string[][] {
  return text.replaceAll('\r', '').replace(/\n$/u, '').split('\n').map(line => line.split('\t').map(cell => cell.trim()))
}

export type Place = { row: number; column: number }
export type Pasted = { row: number; column: number; text: string }

/** Where the cells of a block go, from the cell that was in focus; empty cells change nothing (chapter 55 §6), what does not fit is left out. */
export function placed(block: readonly (readonly string[])[], { row, column }: Place, size: { rows: number; columns: number }): Pasted[] {
  return block.flatMap((line, down) => line.map((text, right) => ({ row: row + down, column: column + right, text })))
    .filter(cell => cell.text !== '' && cell.row < size.rows && cell.column < size.columns)
}
