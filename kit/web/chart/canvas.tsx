import type { ECharts } from 'echarts/core'
import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import type { ChartData, Picked } from './chart-data.ts'
import { chartOption } from './chart-option.ts'
import { init } from './echarts.ts'

export type CanvasProps = { data: ChartData; height: number; label: string; onPick?: (picked: Picked) => void; onReady?: (picture: () => string) => void }

/** The drawing itself; fetched with ECharts when the first chart of a session is shown. */
export function Canvas({ data, height, label, onPick, onReady }: CanvasProps): ReactNode {
  const room = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts>(null)
  const latest = useRef({ data, onPick, onReady })
  useEffect(() => {
    latest.current = { data, onPick, onReady }
  })
  useEffect(() => {
    const node = room.current
    if (!node) return
    node.style.height = `${height}px`
    const drawn = init(node)
    chart.current = drawn
    drawn.on('click', ({ name, seriesName, dataIndex }) => latest.current.onPick?.(pickedOf(latest.current.data, name, seriesName ?? '', dataIndex)))
    latest.current.onReady?.(() => drawn.getDataURL({ type: 'png', pixelRatio: 2, backgroundColor: '#fff' }))
    const observer = new ResizeObserver(() => drawn.resize())
    observer.observe(node)
    return () => {
      observer.disconnect()
      drawn.dispose()
    }
  }, [height])
  useEffect(() => chart.current?.setOption(chartOption(data), { notMerge: true }), [data])
  return <div ref={room} role="img" aria-label={label} />
}

function pickedOf(data: ChartData, name: string, series: string, at: number): Picked {
  if (data.kind !== 'heatmap') return { category: name, series }
  const width = data.columns.length
  return { category: data.columns[at % width] ?? '', series: data.rows[Math.floor(at / width)] ?? '' }
}
