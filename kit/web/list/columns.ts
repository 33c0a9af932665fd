import type { ColumnSetting } from '../ports.ts'
import type { Column, Fields } from './fields.ts'

/** What a table may show: names of fields, or columns of their own. */
export type Shown<Row, Name extends string> = Name | Column<Row>

/** The columns of a table in their given order; `more` are offered but not shown at first. */
export function columnsOf<Row, Name extends string>(fields: Fields<Row, Name>, show: readonly Shown<Row, Name>[]): Column<Row>[] {
  return show.map((item) => (typeof item === 'string' ? { prop: item, ...fields.of[item] } : item))
}

/** Settings before anybody changed them. */
export function defaultSettings<Row>(shown: readonly Column<Row>[], more: readonly Column<Row>[]): ColumnSetting[] {
  const line = (checked: boolean) => (column: Column<Row>) => ({
    prop: column.prop,
    label: column.label,
    checked,
    default_action: column.default_action === true,
  })
  return [...shown.map(line(true)), ...more.map(line(false))]
}

/** Saved order and choice laid over today's columns: columns that are gone go, new ones stand last with their default. */
export function mergeSettings(defaults: readonly ColumnSetting[], saved: unknown): ColumnSetting[] {
  const known = new Map(defaults.map((line) => [line.prop, line]))
  const kept = savedLines(saved).flatMap((line) => {
    const today = known.get(line.prop)
    known.delete(line.prop)
    return today ? [{ ...today, label_copy: line.label_copy, checked: today.default_action || line.checked }] : []
  })
  const merged = [...kept, ...known.values()]
  return merged.some((line) => line.checked) ? merged : [...defaults]
}

/** The settings with one line moved to another place. */
export function moveSetting(lines: readonly ColumnSetting[], from: number, to: number): ColumnSetting[] {
  const rest = lines.filter((_, at) => at !== from)
  const moved = lines[from]
  if (!moved || to < 0 || to >= lines.length) return [...lines]
  return [...rest.slice(0, to), moved, ...rest.slice(to)]
}

/** The settings with one column shown or hidden. */
export function checkSetting(lines: readonly ColumnSetting[], prop: string, checked: boolean): ColumnSetting[] {
  return lines.map((line) => (line.prop === prop && !line.default_action ? { ...line, checked } : line))
}

/** Column widths in px that fit the room: a sum up to a fifth too wide shrinks evenly, beyond that the table scrolls. */
export function fitWidths(widths: readonly number[], room: number): number[] {
  const sum = widths.reduce((total, width) => total + width, 0)
  if (sum <= room || sum > room * 1.2) return [...widths]
  return widths.map((width) => Math.floor((width * room) / sum))
}

type SavedLine = Pick<ColumnSetting, 'prop' | 'label_copy' | 'checked'>

function savedLines(saved: unknown): SavedLine[] {
  if (!Array.isArray(saved)) return []
  return saved.flatMap((line: unknown) => {
    if (typeof line !== 'object' || line === null || !('prop' in line) || !('checked' in line)) return []
    const label_copy = 'label_copy' in line && typeof line.label_copy === 'string' ? line.label_copy : undefined
    return typeof line.prop === 'string' ? [{ prop: line.prop, label_copy, checked: line.checked === true }] : []
  })
}
