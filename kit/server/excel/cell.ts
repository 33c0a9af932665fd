/** `error`: a failed calculation such as #N/A. `unsure`: a value whose shown text cannot be told from its format. */
export const cellKinds = ['empty', 'text', 'number', 'date', 'bool', 'formula', 'error', 'unsure'] as const
export type CellKind = (typeof cellKinds)[number]

export interface Cell {
  /** What the cell shows: numbers by their format, dates as `YYYY-MM-DD`, booleans as TRUE/FALSE, a formula's last result. */
  readonly text: string
  readonly kind: CellKind
  /** Present on every cell that lies in a merged range; only its first cell has text. */
  readonly merged?: true
}

export interface SheetRow {
  /** 1-based line of the sheet, as Excel shows it. */
  row_no: number
  /** From column A to the last cell with content; gaps are cells of kind `empty`. */
  cells: Cell[]
}

export interface SheetLimits {
  /** Data rows. Default 20,000. */
  max_rows: number
  /** Lines above the data (notes and headers), which do not count as rows. Default 2. */
  header_rows: number
  /** Default 300. */
  max_columns: number
  /** Cells with content. Default 3,000,000, which is 150 columns in each of 20,000 rows. */
  max_cells: number
  /** Size of the file. Default 20 MB. */
  max_bytes: number
  /** Sum of all inflated parts of the xlsx; bounds the total of delivered text as well. Default 200 MB. */
  max_inflated: number
}

export const defaultLimits: SheetLimits = {
  max_rows: 20_000,
  header_rows: 2,
  max_columns: 300,
  max_cells: 3_000_000,
  max_bytes: 20 * 1024 * 1024,
  max_inflated: 200 * 1024 * 1024,
}

export const emptyCell: Cell = Object.freeze({ text: '', kind: 'empty' })

/**
 * True when a number was typed where text was meant and its digits are gone: the text is then in scientific notation
 * (`3.7020020180512E+17`). Callers answer 必须为文本格式(数字已丢失精度).
 */
export function lostPrecision(cell: Cell): boolean {
  return cell.kind === 'number' && /^-?[\d.]+E[+-]?\d+$/.test(cell.text)
}
