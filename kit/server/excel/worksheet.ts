import { emptyCell } from './cell.ts'
import type { Cell } from './cell.ts'
import { readAddress, readRange } from './cell-range.ts'
import type { CellRange } from './cell-range.ts'
import { readCell } from './cell-text.ts'
import type { CellContext, RawCell } from './cell-text.ts'
import { SheetRefused } from './refusal.ts'
import type { RowCollector } from './row-collector.ts'
import { isTrue } from './workbook-parts.ts'
import { attribute, createXmlScanner } from './xml-scanner.ts'
import type { XmlHandler } from './xml-scanner.ts'

export interface SheetMarks {
  merges: CellRange[]
  /** Ranges filled by an array formula, whose other cells look like plain values. */
  formulas: CellRange[]
  /** Rows with content that are hidden or filtered away. */
  hidden_rows: number[]
}

/** Marks of a sheet that has none. */
export const noMarks = (): SheetMarks => ({ merges: [], formulas: [], hidden_rows: [] })

const maxMarks = 100_000

/**
 * Reads the cells of a worksheet chunk by chunk into the collector and calls `flush` between chunks, so that rows can be handed
 * on while the rest is still packed. Rows without content are left out; styled empty cells count for nothing wherever they are.
 */
export async function readWorksheet(
  chunks: AsyncIterable<string>,
  context: CellContext,
  collector: RowCollector,
  flush: () => Promise<void>,
): Promise<SheetMarks> {
  const reader = new WorksheetReader(context, collector)
  const scanner = createXmlScanner(reader)
  for await (const chunk of chunks) {
    scanner.push(chunk)
    await flush()
  }
  scanner.end()
  return reader.marks
}

class WorksheetReader implements XmlHandler {
  readonly marks = noMarks()
  private readonly context: CellContext
  private readonly collector: RowCollector
  private inData = false
  private row_no = 0
  private is_hidden = false
  private cells: Cell[] = []
  private column = -1
  private cell: RawCell | undefined
  private target: 'value' | 'inline' | undefined
  private inPhonetic = false

  constructor(context: CellContext, collector: RowCollector) {
    this.context = context
    this.collector = collector
  }

  open(name: string, attributes: string): void {
    if (name === 'sheetData') this.inData = true
    else if (name === 'mergeCell') this.mark(this.marks.merges, attribute(attributes, 'ref'))
    if (!this.inData) return
    if (this.cell) this.openInCell(this.cell, name, attributes)
    else if (name === 'c') this.openCell(attributes)
    else if (name === 'row') this.openRow(attributes)
  }

  text(value: string): void {
    if (this.cell && this.target) this.cell[this.target] += value
  }

  close(name: string): void {
    if (!this.inData) return
    if (name === 'v' || name === 't') this.target = undefined
    else if (name === 'rPh') this.inPhonetic = false
    else if (name === 'c') this.closeCell()
    else if (name === 'row') this.closeRow()
    else if (name === 'sheetData') this.inData = false
  }

  private openRow(attributes: string): void {
    const given = attribute(attributes, 'r')
    const row_no = given === undefined ? this.row_no + 1 : Number(given)
    if (!Number.isInteger(row_no) || row_no <= this.row_no) throw new SheetRefused('unreadable')
    this.row_no = row_no
    this.is_hidden = isTrue(attribute(attributes, 'hidden')) || (isTrue(attribute(attributes, 'customHeight')) && Number(attribute(attributes, 'ht')) === 0)
    this.cells = []
    this.column = -1
  }

  private openCell(attributes: string): void {
    const address = attribute(attributes, 'r')
    this.column = address === undefined ? this.column + 1 : this.columnOf(address)
    this.cell = {
      type: attribute(attributes, 't') ?? 'n',
      style: Number(attribute(attributes, 's') ?? '0'),
      value: '',
      inline: '',
      formula: false,
    }
  }

  private columnOf(address: string): number {
    const { row_no, column } = readAddress(address)
    if (row_no !== this.row_no) throw new SheetRefused('unreadable')
    return column
  }

  private openInCell(cell: RawCell, name: string, attributes: string): void {
    if (name === 'v') this.target = 'value'
    else if (name === 't') this.target = this.inPhonetic ? undefined : 'inline'
    else if (name === 'rPh') this.inPhonetic = true
    else if (name === 'f') {
      cell.formula = true
      if (attribute(attributes, 't') === 'array') this.mark(this.marks.formulas, attribute(attributes, 'ref'))
    }
  }

  private closeCell(): void {
    if (!this.cell) return
    const cell = readCell(this.cell, this.context)
    this.cell = undefined
    if (cell.kind === 'empty') return
    this.collector.count(this.row_no, this.column, cell)
    while (this.cells.length < this.column) this.cells.push(emptyCell)
    this.cells[this.column] = cell
  }

  private closeRow(): void {
    if (this.cells.length > 0) {
      this.collector.add({ row_no: this.row_no, cells: this.cells })
      if (this.is_hidden) this.marks.hidden_rows.push(this.row_no)
    }
    this.cells = []
  }

  private mark(marks: CellRange[], reference: string | undefined): void {
    if (!reference) return
    if (marks.length >= maxMarks) throw new SheetRefused('not_allowed')
    marks.push(readRange(reference))
  }
}
