import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import type { Camera } from '@campus/devices/contract'
import { usePageKeys } from '@kit/web'
import { Button, Checkbox, Empty, InputNumber, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { Tile } from './tile.tsx'
import { useWatched } from './use-live.ts'

const sizes = [1, 4, 9, 16] as const
export type WallSize = (typeof sizes)[number]
const [usual_patrol_s, shortest_s, longest_s, second_ms] = [10, 5, 60, 1000] as const

/** The wall: so many pictures at once, page by page, by hand or on patrol; a double click shows one alone. */
export function Wall({ cameras, size, choose }: { cameras: readonly Camera[]; size: WallSize; choose: (size: WallSize) => void }): ReactNode {
  const [page, turn] = useState(0)
  const [full, setFull] = useState<string | null>(null)
  const [is_patrol, setPatrol] = useState(false)
  const [every_s, setEvery] = useState<number>(usual_patrol_s)
  const pages = Math.max(1, Math.ceil(cameras.length / size))
  const at = Math.min(page, pages - 1)
  const alone = cameras.find(camera => camera.device_id === full)
  const shown = alone ? [alone] : cameras.slice(at * size, at * size + size)
  const move = (by: number) => turn((at + by + pages) % pages)
  useWatched(shown.map(camera => camera.device_id))
  useEffect(() => {
    if (!is_patrol || alone || pages <= 1) return undefined
    const timer = setInterval(() => void (document.hidden || move(1)), every_s * second_ms)
    return () => clearInterval(timer)
  })
  const resize = (next: WallSize) => {
    setFull(null)
    turn(Math.floor((at * size) / next))
    choose(next)
  }
  usePageKeys({ '1': () => resize(1), '4': () => resize(4), '9': () => resize(9), '0': () => resize(16), Escape: alone ? () => setFull(null) : undefined, ArrowLeft: () => move(-1), ArrowRight: () => move(1) })
  return (
    <section className="video-wall" aria-label="画面墙">
      {shown.length === 0 ? <Empty description="这里没有摄像机，请在左侧选择其他场所" /> : <div className={`video-grid video-grid-${alone ? 1 : size}`}>{shown.map(camera => <Tile key={camera.device_id} camera={camera} full={() => setFull(alone ? null : camera.device_id)} />)}</div>}
      <footer className="video-bar">
        <Segmented aria-label="画面数量" value={size} onChange={resize} options={sizes.map(value => ({ value, label: `${value}画面` }))} />
        <Checkbox checked={is_patrol} disabled={pages <= 1} onChange={event => setPatrol(event.target.checked)}>轮巡</Checkbox>
        <InputNumber className="video-every" aria-label="轮巡间隔秒数" min={shortest_s} max={longest_s} precision={0} value={every_s} suffix="秒/页" onChange={value => setEvery(value ?? usual_patrol_s)} />
        <span className="video-pages">
          <Button aria-label="上一页" icon={<LeftOutlined aria-hidden />} disabled={pages <= 1} onClick={() => move(-1)} />
          <span role="status">{`${at + 1} / ${pages} 页，共 ${cameras.length} 台`}</span>
          <Button aria-label="下一页" icon={<RightOutlined aria-hidden />} disabled={pages <= 1} onClick={() => move(1)} />
        </span>
        {alone ? <Button type="primary" onClick={() => setFull(null)}>返回画面墙（Esc）</Button> : <small className="video-keys">按 1、4、9、0 切换画面数，← → 翻页，双击放大</small>}
      </footer>
    </section>
  )
}
