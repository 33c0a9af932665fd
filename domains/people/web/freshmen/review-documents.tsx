import { FilePdfOutlined, RotateLeftOutlined, RotateRightOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import type { FreshmanDocument } from '@campus/people/contract'
import { Button } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'

const [quarter, step, least, most] = [90, 0.5, 0.5, 4]

/** The documents of an application, one at a time: turned, enlarged, or opened beside. */
export function ReviewDocuments({ documents, again }: { documents: readonly FreshmanDocument[]; again: () => void }): ReactNode {
  const [at, choose] = useState(0)
  const shown = documents[at] ?? documents[0]
  if (!shown) return <p>没有上传材料</p>
  return (
    <div className="fresh-papers">
      <div className="fresh-paper-names" role="group" aria-label="已上传的材料">
        {documents.map((one, place) => <Button key={one.file_key} size="small" type={one === shown ? 'primary' : 'default'} aria-pressed={one === shown} onClick={() => choose(place)}>{nameOf(documents, place)}</Button>)}
      </div>
      {shown.mime === 'application/pdf' ? <Opened document={shown} /> : <Paper key={shown.file_key} document={shown} again={again} />}
    </div>
  )
}

/** The material; of several files of one, which. */
function nameOf(documents: readonly FreshmanDocument[], place: number): string {
  const material = documents[place]?.material ?? ''
  const same = documents.filter(one => one.material === material)
  const own = documents.slice(0, place + 1).filter(one => one.material === material)
  return same.length > 1 ? `${material} ${own.length}` : material
}

function Opened({ document }: { document: FreshmanDocument }): ReactNode {
  return <p className="fresh-pdf"><FilePdfOutlined aria-hidden /> <a href={document.url} target="_blank" rel="noreferrer">打开 {document.material}（PDF）</a></p>
}

function Paper({ document: { material, url }, again }: { document: FreshmanDocument; again: () => void }): ReactNode {
  const [turn, setTurn] = useState(0)
  const [scale, setScale] = useState(1)
  const [failed, setFailed] = useState<string | null>(null)
  const zoom = (by: number) => setScale(Math.min(most, Math.max(least, scale + by)))
  return (
    <>
      <div className="fresh-paper-tools" role="toolbar" aria-label="查看材料">
        <Button size="small" icon={<RotateLeftOutlined aria-hidden />} aria-label="向左旋转" onClick={() => setTurn(turn - quarter)} />
        <Button size="small" icon={<RotateRightOutlined aria-hidden />} aria-label="向右旋转" onClick={() => setTurn(turn + quarter)} />
        <Button size="small" icon={<ZoomOutOutlined aria-hidden />} aria-label="缩小" disabled={scale <= least} onClick={() => zoom(-step)} />
        <Button size="small" icon={<ZoomInOutlined aria-hidden />} aria-label="放大" disabled={scale >= most} onClick={() => zoom(step)} />
        <span>{Math.round(scale * 100)}%</span>
      </div>
      {failed === url ? <LoadFailed text="材料的地址已过期或无法打开" again={again} /> : (
        <div className="fresh-paper" role="group" aria-label={`${material}，可滚动`} ref={reachable}>
          <span style={{ width: `${scale * 100}%` }}><img src={url} alt={material} data-turn={((turn % 360) + 360) % 360} style={{ transform: `rotate(${turn}deg)` }} onError={() => setFailed(url)} /></span>
        </div>
      )}
    </>
  )
}

/** An enlarged page is scrolled with the arrow keys, too. */
function reachable(pane: HTMLDivElement | null): void {
  if (pane) pane.tabIndex = 0
}
