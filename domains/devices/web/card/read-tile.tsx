import type { CardRead } from '@campus/devices/contract'
import { instantText, schoolToday, secondText } from '@kit/web'
import { Button, Tag } from 'antd'
import type { ReactNode } from 'react'
import { outcomeOf, placeOf, wayOf, whoOf } from './read-words.ts'

const tones = { good: 'success', bad: 'error', plain: 'processing' } as const

/** The last reading, large enough to be read from across a room. */
export function ReadTile({ read }: { read: CardRead }): ReactNode {
  const { text, tone } = outcomeOf(read)
  return (
    <section className={`card-tile card-${tone}`} aria-label="最近一次">
      <span className="card-face" aria-hidden="true">{[...whoOf(read)][0]}</span>
      <div>
        <strong className="card-who">{whoOf(read)}</strong>
        <span>{read.dept_name ?? '—'}</span>
      </div>
      <strong className="card-result">{text}</strong>
      <div className="card-where">
        <span>{placeOf(read)}</span>
        <span>{`${read.device_name} · ${wayOf(read)}`}</span>
        <time dateTime={read.at}>{timeText(read)}</time>
      </div>
    </section>
  )
}

/** One line of the stream. */
export function ReadLine({ read, copy }: { read: CardRead; copy: (text: string) => void }): ReactNode {
  const { text, tone } = outcomeOf(read)
  const { code_masked, user_id } = read
  return (
    <li className="card-line">
      <time dateTime={read.at}>{timeText(read)}</time>
      <span className="card-name">{whoOf(read)}<small>{read.dept_name}</small>{user_id === null && code_masked !== null && <Button size="small" type="link" onClick={() => copy(code_masked)}>复制卡号尾号</Button>}</span>
      <Tag color={tones[tone]}>{text}</Tag>
      <span>{wayOf(read)}</span>
      <span className="card-place" title={`${read.node_path_name ?? '未绑定场所'} ${read.device_name}`}>{read.device_name}<small>{placeOf(read)}</small></span>
    </li>
  )
}

function timeText({ at, is_time_sure }: CardRead): string {
  const day = instantText(at).slice(0, 10)
  const time = `${day === schoolToday() ? '' : `${day.slice(5)} `}${secondText(at)}`
  return is_time_sure ? time : `${time}（设备时钟有误）`
}
