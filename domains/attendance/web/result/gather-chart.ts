import { section_names } from '@campus/attendance/contract'
import type { GatherKind, LessonKind } from '@campus/attendance/contract'
import type { ChartData } from '@kit/web/chart'
import type { ReportRow } from '@kit/web/report'

export type ReportKind = GatherKind | `lesson_${LessonKind}`
type Axis = 'user_name' | 'place_name' | 'course_name' | 'section' | 'lesson_date'
/** By what each report is drawn: bars of its one key, or a heat map of two. */
const axes: Readonly<Record<ReportKind, readonly [rows: Axis] | readonly [rows: Axis, columns: Axis]>> = {
  subject: ['course_name'],
  personal: ['user_name'],
  classroom: ['place_name'],
  personal_section: ['user_name', 'section'],
  personal_subject: ['user_name', 'course_name'],
  classroom_subject: ['place_name', 'course_name'],
  classroom_section: ['place_name', 'section'],
  lesson_subject: ['lesson_date', 'section'],
  lesson_classroom: ['place_name', 'section'],
}
const most_bars = 40
const most_rows = 30
const percent = 100
const drawn = [
  ['absent', '缺勤', '#cf1322'],
  ['unverified', '待核实', '#722ed1'],
  ['late', '迟到', '#d46b08'],
  ['early', '早退', '#faad14'],
  ['leave', '请假', '#1677ff'],
] as const

/** What a key of a row is called in the picture. */
function labelOf(row: ReportRow, axis: Axis): string {
  const value = row[axis]
  if (axis === 'section') return section_names[String(value)] ?? `第${String(value)}节`
  return typeof value === 'string' && value !== '' ? value : '未指定'
}

/** The rows of which a bar or cell was clicked. */
export function rowOfPick(
  kind: ReportKind,
  rows: readonly ReportRow[],
  { category, series }: { category: string; series: string },
): ReportRow | undefined {
  const [first, second] = axes[kind]
  if (second === undefined) return rows.find(row => labelOf(row, first) === category)
  const found = rows.filter(row => labelOf(row, first) === series && labelOf(row, second) === category)
  return found.length === 1 ? found[0] : undefined
}

/** The picture of a report: absences and lateness in bars, or the rate in a heat map of two keys (chapter 55 §5). */
export function chartOf(kind: ReportKind, rows: readonly ReportRow[]): ChartData {
  const [first, second] = axes[kind]
  if (second !== undefined) return heatOf(rows, first, second)
  const shown = rows.slice(0, most_bars)
  return {
    kind: 'bar',
    stacked: true,
    unit: '人次',
    categories: shown.map(row => labelOf(row, first)),
    series: drawn.map(([name, label, color]) => ({ name: label, color, values: shown.map(row => Number(row[name])) })),
  }
}

function heatOf(all: readonly ReportRow[], first: Axis, second: Axis): ChartData {
  const sums = new Map<string, { attended: number; counted: number }>()
  const rows = [...new Set(all.map(row => labelOf(row, first)))].slice(0, most_rows)
  const columns = [...new Set(all.toSorted((a, b) => Number(a[second]) - Number(b[second])).map(row => labelOf(row, second)))]
  for (const row of all) {
    const key = `${labelOf(row, first)}/${labelOf(row, second)}`
    const sum = sums.get(key) ?? { attended: 0, counted: 0 }
    sums.set(key, { attended: sum.attended + Number(row.attended), counted: sum.counted + Number(row.counted) })
  }
  const rateOf = (row: string, column: string) => {
    const sum = sums.get(`${row}/${column}`)
    return sum && sum.counted > 0 ? Math.round((percent * 10 * sum.attended) / sum.counted) / 10 : null
  }
  return { kind: 'heatmap', rows, columns, unit: '%', values: rows.map(row => columns.map(column => rateOf(row, column))) }
}
