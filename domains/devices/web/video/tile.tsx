import { CameraOutlined, ExpandOutlined } from '@ant-design/icons'
import type { Camera, CameraLive } from '@campus/devices/contract'
import { instantText, sentenceOf, toast } from '@kit/web'
import { Button, Tag } from 'antd'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { stateName } from '../state-dot.tsx'
import { keepPicture } from './keep-picture.ts'
import { useAge, useLive, usePicture } from './use-live.ts'

const on = '1'
const minute_s = 60

/** One camera of the wall: its newest picture, where it is, how old it is. One that is away shows its last picture, greyed, and since when. */
export function Tile({ camera, full }: { camera: Camera; full: () => void }): ReactNode {
  const query = useLive(camera.device_id)
  const live = query.data
  const picture = usePicture(live)
  const shown = useRef<HTMLButtonElement>(null)
  const state = live?.device_state ?? camera.device_state
  const keep = () => {
    const source = shown.current?.querySelector('img, video')
    if (source instanceof HTMLImageElement || source instanceof HTMLVideoElement) void keepPicture(source, { camera, viewer: live?.viewer ?? '', at: live?.snapshot_at ?? null }).then(() => toast.success('已保存截图'), () => toast.error('截图失败，请重试'))
  }
  return (
    <figure className={`video-tile${state === on ? '' : ' video-away'}`} aria-label={camera.device_name}>
      <button type="button" className="video-picture" title="双击放大" ref={shown} onDoubleClick={full}>
        {live?.kind === 'hls' && live.url !== null ? <video src={live.url} autoPlay muted playsInline crossOrigin="anonymous" /> : picture !== undefined ? <img src={picture} alt={`${camera.device_name}的画面`} /> : <span className="video-none">{query.error ? sentenceOf(query.error) : wordsOf(state, live)}</span>}
      </button>
      <figcaption>
        <span className="video-name" title={camera.node_path_name ?? undefined}>{camera.device_name}</span>
        {camera.bindings.some(one => one.bind_kind === 'box') && <Tag color="purple">AI</Tag>}
        <State camera={camera} live={live} />
      </figcaption>
      <div className="video-acts">
        <Button size="small" aria-label={`截图 ${camera.device_name}`} title="截图保存（带水印）" icon={<CameraOutlined aria-hidden />} disabled={picture === undefined && live?.kind !== 'hls'} onClick={keep} />
        <Button size="small" aria-label={`放大 ${camera.device_name}`} title="放大，双击画面也可以" icon={<ExpandOutlined aria-hidden />} onClick={full} />
      </div>
    </figure>
  )
}

function wordsOf(state: Camera['device_state'], live: CameraLive | undefined): string {
  if (!live) return '正在连接…'
  return state === on ? '正在取第一张画面…' : `${stateName(state)}，还没有画面`
}

function State({ camera, live }: { camera: Camera; live: CameraLive | undefined }): ReactNode {
  const age = useAge(live?.snapshot_at)
  const state = live?.device_state ?? camera.device_state
  const last_seen_at = live?.last_seen_at ?? camera.last_seen_at
  if (state !== on) return <span className="video-state">{`${stateName(state)}${last_seen_at === null ? '' : ` 自 ${instantText(last_seen_at)}`}`}</span>
  if (live?.kind === 'hls') return <span className="video-state">实时</span>
  return <span className="video-state">{age === null ? '等待画面' : age < minute_s ? `${age}秒前` : `${Math.floor(age / minute_s)}分钟前`}</span>
}
