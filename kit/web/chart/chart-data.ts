/** What a chart draws; every kind has its table. Values may be missing. */
export type ChartData =
  | { kind: 'bar' | 'line'; categories: readonly string[]; series: readonly Series[]; stacked?: boolean; unit?: string }
  | { kind: 'heatmap'; columns: readonly string[]; rows: readonly string[]; values: readonly (readonly (number | null)[])[]; unit?: string }
  | { kind: 'box'; categories: readonly string[]; boxes: readonly Box[]; unit?: string }
  | { kind: 'ring'; parts: readonly { name: string; value: number; color?: string }[]; unit?: string }

export type Series = { name: string; values: readonly (number | null)[]; color?: string }
/** Least, first quartile, median, third quartile, most. */
export type Box = readonly [least: number, q1: number, median: number, q3: number, most: number]

/** A part of the chart that was clicked: its category (column), and its series (row). */
export type Picked = { category: string; series: string }

/** The chart as a table: heads, then lines of text. */
export function tableOf(data: ChartData): { heads: string[]; lines: string[][] } {
  if (data.kind === 'ring') return { heads: ['', headOf('数值', data.unit)], lines: data.parts.map(({ name, value }) => [name, textOf(value)]) }
  if (data.kind === 'box') return { heads: ['', '最小', '下四分位', '中位', '上四分位', '最大'], lines: data.categories.map((name, at) => [name, ...(data.boxes[at] ?? []).map(textOf)]) }
  if (data.kind === 'heatmap') return { heads: ['', ...data.columns], lines: data.rows.map((name, at) => [name, ...(data.values[at] ?? []).map(textOf)]) }
  return { heads: ['', ...data.series.map(({ name }) => headOf(name, data.unit))], lines: data.categories.map((name, at) => [name, ...data.series.map(({ values }) => textOf(values[at] ?? null))]) }
}

function headOf(name: string, unit: string | undefined): string {
  return unit ? `${name}（${unit}）` : name
}

function textOf(value: number | null): string {
  return value === null ? '—' : value.toLocaleString('zh-CN')
}
