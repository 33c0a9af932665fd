import { DownloadOutlined, MinusOutlined, PlusOutlined } from '@ant-design/icons'
import type { DeptTreeNode, StaffDept } from '@campus/people/contract'
import { schoolToday, toast } from '@kit/web'
import { Button } from 'antd'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { ChartBoxes } from './chart-boxes.tsx'
import { savePicture } from './chart-picture.ts'
import { layOut } from './org-chart.ts'
import type { Chart } from './org-chart.ts'
import type { Acting } from './use-staff-board.ts'

type Props = { tree: readonly DeptTreeNode[]; depts: ReadonlyMap<string, StaffDept>; acting: ReadonlyMap<string, readonly Acting[]>; open: (id: string) => void }

const step = 1.25
const [least, most] = [0.25, 2]
const margin = 16

/** The staff organisation as a chart: larger and smaller by buttons or + - 0, a box leads to its people, the whole can be saved as a picture. */
export function ChartView({ tree, depts, acting, open }: Props): ReactNode {
  const chart = useMemo(() => layOut(tree), [tree])
  const frame = useRef<HTMLDivElement>(null)
  const drawing = useRef<SVGSVGElement>(null)
  const [zoom, setZoom] = useState(1)
  const [busy, setBusy] = useState(false)
  const part = useRef<HTMLElement>(null)
  const resize = (by: number) => setZoom(before => within(before * by))
  const fit = () => setZoom(within(fitting(frame.current, chart)))
  useLayoutEffect(() => setZoom(Math.min(1, within(fitting(frame.current, chart)))), [chart])
  useKeys(part, { '+': () => resize(step), '=': () => resize(step), '-': () => resize(1 / step), '0': fit })
  const save = async () => {
    if (!drawing.current) return
    setBusy(true)
    const title = `${tree[0]?.dept_name ?? ''}教职工组织架构`
    const is_saved = await savePicture(drawing.current, chart, title, schoolToday())
    setBusy(false)
    if (is_saved) toast.success('图片已保存')
    else toast.warning('图片没有生成，请重试；部门很多时可改用浏览器打印')
  }
  return (
    <section className="team-chart" aria-label="架构图" ref={part}>
      <div className="team-tools" role="group" aria-label="缩放">
        <Button icon={<MinusOutlined aria-hidden />} aria-label="缩小" disabled={zoom <= least} onClick={() => resize(1 / step)} />
        <span className="team-zoom" role="status">{`${Math.round(zoom * 100)}%`}</span>
        <Button icon={<PlusOutlined aria-hidden />} aria-label="放大" disabled={zoom >= most} onClick={() => resize(step)} />
        <Button onClick={fit}>适应宽度</Button>
        <span className="org-hint">也可用 + - 0 键；点部门查看成员</span>
        <Button className="team-save" icon={<DownloadOutlined aria-hidden />} loading={busy} onClick={() => void save()}>保存图片</Button>
      </div>
      <div className="team-frame" ref={frame}>
        <svg ref={drawing} role="group" aria-label={`架构图，共 ${chart.boxes.length} 个部门`} width={chart.width * zoom} height={chart.height * zoom} viewBox={`0 0 ${chart.width} ${chart.height}`}>
          <ChartBoxes chart={chart} depts={depts} acting={acting} open={open} />
        </svg>
      </div>
    </section>
  )
}

/** Keys of the part while the focus is in it; a key with a modifier is somebody else's. */
function useKeys(part: { current: HTMLElement | null }, acts: Readonly<Record<string, () => void>>): void {
  const now = useRef(acts)
  useEffect(() => {
    now.current = acts
  })
  useEffect(() => {
    const here = part.current
    const press = (event: KeyboardEvent) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : now.current[event.key]
      if (!act) return
      event.preventDefault()
      act()
    }
    here?.addEventListener('keydown', press)
    return () => here?.removeEventListener('keydown', press)
  }, [part])
}

function within(zoom: number): number {
  return Math.min(most, Math.max(least, zoom))
}

/** The scale at which the chart is as wide as its frame. */
function fitting(frame: HTMLElement | null, { width }: Chart): number {
  return frame && width > 0 ? (frame.clientWidth - 2 * margin) / width : 1
}
