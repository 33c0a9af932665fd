import type { ImportColumn, ImportRow } from '@campus/jobs/contract'

/** A column of the grid; one that the sheet does not have (a derived fact in the differences) cannot be edited. */
export type GridColumn = ImportColumn & { width: number; editable: boolean }

const LEADING = 8
const WIDE_SIGN = 14
const NARROW_SIGN = 8
const NOTE_SHARE = 0.86
const PADDING = 28
const MIN = 72
const MAX = 232

/** Columns something has to be said about: errors first, then warnings, then changes; each once. */
export function notedProps(rows: readonly ImportRow[]): string[] {
  const props = [...rows.flatMap((row) => row.errors), ...rows.flatMap((row) => row.warnings), ...rows.flatMap(changesOf)].map(({ prop }) => prop)
  return [...new Set(props)].filter((prop) => prop !== '')
}

/**
 * Columns of the dry run: who the row is (the first column), then what is noted, then the other leading columns of the
 * template; with `all` every other column follows in the order of the sheet. Widths fit what the page holds.
 */
export function gridColumns(columns: readonly ImportColumn[], rows: readonly ImportRow[], noted: readonly string[], all: boolean): GridColumn[] {
  const leading = columns.slice(0, LEADING).map(({ prop }) => prop)
  const rest = all ? columns.map(({ prop }) => prop) : []
  const order = new Set([...leading.slice(0, 1), ...noted, ...leading, ...rest])
  const known = new Map(columns.map((column) => [column.prop, column]))
  return [...order].map((prop) => {
    const column = known.get(prop) ?? { prop, label: labelOf(prop, rows), required: false, options: null }
    return { ...column, width: widthOf(column, rows), editable: known.has(prop) }
  })
}

/** What importing the row would change; rows with errors or left out change nothing. */
export function changesOf(row: ImportRow): ImportRow['diff'] {
  return row.verdict === 'change' ? row.diff : []
}

// Width in px, near enough for a column.
function textWidth(text: string): number {
  let width = 0
  for (const sign of text) width += (sign.codePointAt(0) ?? 0) > 0xff ? WIDE_SIGN : NARROW_SIGN
  return width
}

function widthOf({ prop, label, required }: ImportColumn, rows: readonly ImportRow[]): number {
  const texts = rows.flatMap((row) => {
    const change = changesOf(row).find((item) => item.prop === prop)
    const note = [...row.errors, ...row.warnings].flatMap((issue) => (issue.prop === prop ? [issue.msg] : [])).join('；')
    const value = change && note === '' ? `${change.before} → ${change.after}` : (row.cells[prop] ?? '')
    return [textWidth(value), textWidth(note) * NOTE_SHARE]
  })
  const widest = texts.reduce((most, width) => Math.max(most, width), textWidth(label) + (required ? NARROW_SIGN : 0))
  return Math.round(Math.min(MAX, Math.max(MIN, widest + PADDING)))
}

function labelOf(prop: string, rows: readonly ImportRow[]): string {
  for (const row of rows) {
    const found = [...row.errors, ...row.warnings, ...row.diff].find((item) => item.prop === prop)
    if (found) return found.label
  }
  return prop
}
