import { ai_most } from '@campus/devices/contract'
import type { AiPoint } from '@campus/devices/contract'
import { Button } from 'antd'
import { useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useShot } from './use-shot.ts'
import { moved, withCorner } from './roi.ts'

const [step, long_step] = [0.01, 0.05] as const
const arrows: Readonly<Record<string, readonly [number, number]>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }
const grid = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const
type Props = { camera_id: string; camera_name: string; roi: readonly AiPoint[]; change: (roi: AiPoint[]) => void }

/** Draws the part of a camera's picture that is looked at: a click sets a corner, arrows move it, Del takes it away. Without corners it is the whole picture. */
export function RoiEditor({ camera_id, camera_name, roi, change }: Props): ReactNode {
  const { picture, is_asking, busy, told, take } = useShot(camera_id)
  const canvas = useRef<HTMLDivElement>(null)
  const [held, hold] = useState<number | null>(null)
  const partOf = ({ clientX, clientY }: PointerEvent): AiPoint => {
    const box = canvas.current?.getBoundingClientRect()
    return box ? moved({ x: (clientX - box.left) / box.width, y: (clientY - box.top) / box.height }, 0, 0) : { x: 0, y: 0 }
  }
  const put = (at: number, corner: AiPoint) => change(roi.map((one, n) => (n === at ? corner : one)))
  const press = (at: number) => (event: KeyboardEvent) => {
    const arrow = arrows[event.key]
    const size = event.shiftKey ? long_step : step
    const corner = roi[at]
    if (arrow && corner) put(at, moved(corner, arrow[0] * size, arrow[1] * size))
    else if (event.key === 'Delete' || event.key === 'Backspace') change(roi.filter((_, n) => n !== at))
    else return
    event.preventDefault()
  }
  const drag = (event: PointerEvent) => {
    if (held !== null) put(held, partOf(event))
  }
  return (
    <div className="ai-roi">
      <div className="ai-canvas" ref={canvas} onPointerMove={drag} onPointerUp={() => hold(null)} onPointerLeave={() => hold(null)}>
        {picture !== undefined && <img src={picture} alt={`${camera_name}画面`} draggable={false} />}
        <svg viewBox="0 0 1 1" preserveAspectRatio="none" role="presentation" onPointerDown={event => roi.length < ai_most.corners && change(withCorner(roi, partOf(event)))}>
          {picture === undefined && grid.flatMap(at => [<line key={`x${at}`} className="ai-grid" x1={at / 10} x2={at / 10} y1={0} y2={1} />, <line key={`y${at}`} className="ai-grid" y1={at / 10} y2={at / 10} x1={0} x2={1} />])}
          <polygon points={roi.map(({ x, y }) => `${x},${y}`).join(' ')} />
        </svg>
        {roi.map(({ x, y }, at) => (
          <button key={at} type="button" className="ai-corner" style={{ left: `${x * 100}%`, top: `${y * 100}%` }} aria-pressed={held === at} aria-label={`第${at + 1}个点，横${Math.round(x * 100)}%，纵${Math.round(y * 100)}%`} onKeyDown={press(at)} onPointerDown={event => { event.preventDefault(); event.currentTarget.focus(); hold(at) }} />
        ))}
      </div>
      <div>
        <p className="device-hint">{roi.length === 0 ? '没有划定区域：检测整个画面。点击画面依次设置3到12个点。' : `已设置${roi.length}个点。拖动或用方向键移动（按住Shift移动更多），Del删除。`}</p>
        {picture === undefined && !is_asking && <p className="device-hint">暂时没有这台摄像机的画面，可以先按网格划定，有画面后再调整。</p>}
        {told !== null && <p className="device-hint" role="status">{told}</p>}
        <Button loading={busy} onClick={() => void take()}>测试抓图</Button>
        {roi.length > 0 && <Button onClick={() => change([])}>清除，检测整个画面</Button>}
      </div>
    </div>
  )
}
