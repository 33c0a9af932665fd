import { DownloadOutlined, TableOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { Loading } from '../parts/loading.tsx'
import type { ChartData, Picked } from './chart-data.ts'
import { tableOf } from './chart-data.ts'
import './chart.css'

const Canvas = lazy(() => import('./canvas.tsx').then(part => ({ default: part.Canvas })))
const usual_height = 280

type Props = {
  /** heading, name of the picture, and what is read aloud */
  title: string
  data: ChartData
  /** px */
  height?: number
  /** a bar, point, cell or part was clicked */
  onPick?: (picked: Picked) => void
}

/** A chart with its table and its picture (PNG). ECharts is fetched when the first one is shown. */
export function Chart({ title, data, height = usual_height, onPick }: Props): ReactNode {
  const [is_table, showTable] = useState(false)
  const picture = useRef<() => string>(undefined)
  const save = () => {
    const link = document.createElement('a')
    link.href = picture.current?.() ?? ''
    link.download = `${title}.png`
    link.click()
  }
  return (
    <figure className="kit-chart">
      <figcaption>
        <b>{title}</b>
        <span>
          <Button type="text" size="small" icon={<TableOutlined aria-hidden />} aria-pressed={is_table} onClick={() => showTable(!is_table)}>{is_table ? '图' : '表'}</Button>
          {!is_table && <Button type="text" size="small" icon={<DownloadOutlined aria-hidden />} onClick={save}>图片</Button>}
        </span>
      </figcaption>
      {is_table ? <ChartTable title={title} data={data} /> : (
        <Suspense fallback={<Loading rows={4} />}>
          <Canvas data={data} height={height} label={title} onPick={onPick} onReady={given => { picture.current = given }} />
        </Suspense>
      )}
    </figure>
  )
}

function ChartTable({ title, data }: { title: string; data: ChartData }): ReactNode {
  const { heads, lines } = tableOf(data)
  return (
    <div className="kit-chart-table">
      <table aria-label={title}>
        <thead><tr>{heads.map((head, at) => <th key={`${head} ${at}`} scope="col">{head}</th>)}</tr></thead>
        <tbody>{lines.map(([name, ...cells]) => <tr key={name}><th scope="row">{name}</th>{cells.map((cell, at) => <td key={heads[at + 1] ?? at} className="kit-number">{cell}</td>)}</tr>)}</tbody>
      </table>
    </div>
  )
}
