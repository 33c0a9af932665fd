import { boardApi } from '@campus/devices/contract'
import type { Board } from '@campus/devices/contract'
import { call, confirmDanger, instantText, Loading, sentenceOf, serverNow, useCan } from '@kit/web'
import { Alert, Badge, Button, Progress, Slider } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { stateColor, stateName } from '../state-dot.tsx'
import { tellBoard, useBoard } from './use-board.ts'
import './board.css'

const quiet = { quiet: true }
/** Free space below this share is shown in red. */
const short_percent = 90
/** A picture that is older says little of what is seen now. */
const fresh_ms = 5 * 60_000

/** A board as its hardware is: what it last showed, whether it is there, its space, and what it can be told at once. */
export function BoardTile({ device_id }: { device_id: string }): ReactNode {
  const { data: board, error, refetch } = useBoard(device_id)
  if (error && !board) return <Alert type="error" showIcon title={sentenceOf(error)} action={<Button onClick={() => void refetch()}>重试</Button>} />
  if (!board) return <Loading rows={6} />
  return (
    <section className="board-tile" aria-label={board.device_name}>
      <Shot board={board} />
      <div className="board-facts">
        <Badge status={board.device_state === null ? 'default' : stateColor(board.device_state)} text={board.is_planned_off ? '按计划关机' : stateName(board.device_state)} />
        <span>{contentText(board)}</span>
        <Space board={board} />
        <small className="device-quiet">{[board.resolution, board.player_version && `播放器${board.player_version}`].filter(Boolean).join(' · ')}</small>
        {board.secure_context === false && <small className="device-quiet">未启用安全连接，断电重启后需联网</small>}
      </div>
      <Acts key={`${board.brightness} ${board.volume}`} board={board} />
    </section>
  )
}

function Shot({ board: { device_name, screenshot_url, screenshot_at, power_state, device_state } }: { board: Board }): ReactNode {
  const is_old = screenshot_at === null || serverNow() - Date.parse(screenshot_at) > fresh_ms
  return (
    <figure className={is_old || device_state !== '1' ? 'board-shot board-shot-old' : 'board-shot'}>
      {screenshot_url === null ? <span className="board-none">无截图</span> : <img src={screenshot_url} alt={`${device_name}的截图`} />}
      <figcaption>{[screenshot_at && `截图 ${instantText(screenshot_at)}`, power_state === 'dark' && '屏幕已关闭'].filter(Boolean).join(' · ')}</figcaption>
    </figure>
  )
}

function contentText({ content: { total, ready, moving, fault } }: Board): string {
  if (total === 0) return '没有下发内容'
  return [`内容${ready}/${total}就绪`, moving > 0 && `${moving}项传输中`, fault > 0 && `${fault}项故障`].filter(Boolean).join('，')
}

function Space({ board: { storage_free_mb, storage_total_mb } }: { board: Board }): ReactNode {
  if (storage_free_mb === null || storage_total_mb === null || storage_total_mb === 0) return null
  const used = Math.round((1 - storage_free_mb / storage_total_mb) * 100)
  return <Progress size="small" percent={used} status={used >= short_percent ? 'exception' : 'normal'} aria-label="已用空间" format={percent => `已用${percent ?? 0}%`} />
}

/** What a board is told at once; nothing waits for one that is not there. */
function Acts({ board: { device_id, device_name, device_state, brightness, volume } }: { board: Board }): ReactNode {
  const may = useCan(boardApi.brightness)
  const [busy, setBusy] = useState(false)
  if (!may) return null
  const is_off = device_state !== '1' || busy
  const tell = async (what: string, send: Parameters<typeof tellBoard>[1]) => {
    setBusy(true)
    await tellBoard(`${device_name}${what}`, send)
    setBusy(false)
  }
  const restart = async () => {
    if (await confirmDanger({ title: `重启${device_name}？`, touches: '重启期间约一分钟不显示内容', ok: '重启' })) await tell('重启', () => call(boardApi.restart, { device_id }, quiet))
  }
  return (
    <div className="board-acts">
      <span className="board-name">亮度</span>
      <Slider ariaLabelForHandle="亮度" min={0} max={100} disabled={is_off} defaultValue={brightness ?? 0} marks={{ 0: '关闭', 100: '100' }} onChangeComplete={value => void tell(value === 0 ? '关闭屏幕' : `亮度${value}`, () => call(boardApi.brightness, { device_id, brightness: value }, quiet))} />
      <span className="board-name">音量</span>
      <Slider ariaLabelForHandle="音量" min={0} max={100} disabled={is_off} defaultValue={volume ?? 0} marks={{ 0: '静音', 100: '100' }} onChangeComplete={value => void tell(`音量${value}`, () => call(boardApi.volume, { device_id, volume: value }, quiet))} />
      <div className="board-buttons">
        <Button size="small" disabled={is_off} onClick={() => void tell('截屏', () => call(boardApi.screenshot, { device_id }, quiet))}>截屏</Button>
        <Button size="small" disabled={is_off} onClick={() => void restart()}>重启</Button>
        {device_state !== '1' && <small className="device-quiet">设备离线，恢复连接后才能操作</small>}
      </div>
    </div>
  )
}
