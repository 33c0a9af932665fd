import type { EChartsCoreOption } from 'echarts/core'
import type { ChartData } from './chart-data.ts'

/** The one order of colours; states keep their own (green in effect, blue running, orange waiting, red refused, grey past). */
const chart_colors = ['#1677ff', '#52c41a', '#fa8c16', '#f5222d', '#722ed1', '#13c2c2', '#8c8c8c']

// Rich text: the page's policy allows no style attributes, with which the other kind of tooltip is made.
const tooltip = { renderMode: 'richText', confine: true }
const grid = { left: 8, right: 16, top: 32, bottom: 8, containLabel: true }
const legend = { top: 0, icon: 'roundRect', itemWidth: 12, itemHeight: 8 }
const scale = (unit: string | undefined) => ({ type: 'value', name: unit ?? '', minInterval: 1, splitLine: { lineStyle: { color: '#f0f2f5' } } })

/** ECharts' own description of a chart. */
export function chartOption(data: ChartData): EChartsCoreOption {
  const base = { color: chart_colors, animationDuration: 200, textStyle: { fontFamily: 'inherit' } }
  if (data.kind === 'ring') return { ...base, tooltip: { ...tooltip, trigger: 'item' }, series: [{ type: 'pie', radius: ['58%', '85%'], label: { show: false }, data: data.parts.map(({ name, value, color }) => ({ name, value, itemStyle: { color } })) }] }
  if (data.kind === 'heatmap') return { ...base, ...heatmap(data) }
  if (data.kind === 'box') {
    return { ...base, tooltip: { ...tooltip, trigger: 'item' }, grid, xAxis: { type: 'category', data: data.categories }, yAxis: scale(data.unit), series: [{ type: 'boxplot', data: data.boxes }] }
  }
  const series = data.series.map(({ name, values, color }) => ({
    type: data.kind, name, data: values, itemStyle: { color }, stack: data.stacked ? 'all' : undefined, barMaxWidth: 32, smooth: false, showSymbol: values.length <= 31, emphasis: { focus: 'series' },
  }))
  return { ...base, tooltip: { ...tooltip, trigger: 'axis' }, legend: data.series.length > 1 ? legend : undefined, grid, xAxis: { type: 'category', data: data.categories }, yAxis: scale(data.unit), series }
}

function heatmap({ columns, rows, values }: Extract<ChartData, { kind: 'heatmap' }>): EChartsCoreOption {
  const cells = rows.flatMap((_, y) => columns.map((_name, x) => [x, y, values[y]?.[x] ?? null]))
  const most = Math.max(1, ...values.flat().map(value => value ?? 0))
  return {
    tooltip: { ...tooltip, trigger: 'item' }, grid: { ...grid, right: 88 },
    xAxis: { type: 'category', data: columns }, yAxis: { type: 'category', data: rows, inverse: true },
    visualMap: { min: 0, max: most, right: 0, top: 'middle', inRange: { color: ['#e6f4ff', '#1677ff', '#10239e'] } },
    series: [{ type: 'heatmap', data: cells, label: { show: columns.length <= 16, color: '#1f2329' } }],
  }
}
