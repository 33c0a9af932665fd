import { ribbon_hours } from '@campus/devices/contract'
import type { Box } from '@campus/devices/contract'
import { dictionaryName, instantText } from '@kit/web'
import { Progress, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { StateDot, stateName } from '../state-dot.tsx'
import { troubleOf } from './trouble.ts'

const hour_ms = 3_600_000
const [mebi_per_gibi, full, busy, hottest, arc] = [1024, 100, 90, 100, 64]
const colours = { good: '#389e0d', bad: '#cf1322' } as const

/** One box: how it is, its channels, and when its line was there. */
export function BoxCard({ box, now }: { box: Box; now: string }): ReactNode {
  const { why } = troubleOf(box)
  return (
    <article className="box-card" aria-label={box.device_name}>
      <header>
        <strong title={box.device_sn}>{box.device_name}</strong>
        <Tag>{dictionaryName('DEVICE_TYPE', box.device_type)}</Tag>
        {why !== null && <Tag color={box.device_state === '5' ? 'gold' : 'red'}>{why}</Tag>}
      </header>
      <p className="box-where"><StateDot device={box} /><span>{box.node_path_name ?? '未绑定场所'}</span></p>
      <Arcs box={box} />
      {box.children.length > 0 && <Channels box={box} />}
      <Ribbon box={box} now={now} />
    </article>
  )
}

function Arcs({ box: { metric } }: { box: Box }): ReactNode {
  if (!metric) return <p className="device-quiet">最近24小时没有运行数据</p>
  const arcs = [['CPU', metric.cpu_pct, '%', full], ['内存', metric.mem_pct, '%', full], ['温度', metric.temp_c, '℃', hottest]] as const
  return (
    <div className="box-arcs" title={`数据时间 ${instantText(metric.at)}`}>
      {arcs.map(([name, value, unit, most]) => (
        <figure key={name}>
          <Progress type="dashboard" size={arc} percent={value === null ? 0 : Math.min(full, (value / most) * full)} strokeColor={(value ?? 0) >= busy ? colours.bad : colours.good} format={() => (value === null ? '—' : `${value}${unit}`)} aria-label={name} />
          <figcaption>{name}</figcaption>
        </figure>
      ))}
      <figure><span className="box-disk">{metric.disk_free_mb === null ? '—' : `${(metric.disk_free_mb / mebi_per_gibi).toFixed(1)} GB`}</span><figcaption>磁盘剩余</figcaption></figure>
    </div>
  )
}

/** One dot a channel: green is here, grey away, red broken, gold never seen. */
function Channels({ box: { children } }: { box: Box }): ReactNode {
  const here = children.filter(child => child.device_state === '1').length
  return (
    <div className="box-channels">
      <span>{`通道 ${here}/${children.length}`}</span>
      <span className="box-dots">
        {children.map(child => (
          <Tooltip key={child.device_id} title={`${child.channel === null ? '' : `${child.channel} `}${child.device_name}：${stateName(child.device_state)}${child.snapshot_at === null ? '' : `，最近画面 ${instantText(child.snapshot_at)}`}`}>
            <i className={`box-dot box-dot-${child.device_state}`} role="img" aria-label={`${child.device_name}：${stateName(child.device_state)}`} />
          </Tooltip>
        ))}
      </span>
    </div>
  )
}

/** The last 24 hours of its line; what is blank it was away. */
function Ribbon({ box: { ribbon }, now }: { box: Box; now: string }): ReactNode {
  const end = Date.parse(now)
  const begin = end - ribbon_hours * hour_ms
  const at = (instant: string) => ((Date.parse(instant) - begin) / (ribbon_hours * hour_ms)) * full
  const share = Math.round(ribbon.reduce((sum, span) => sum + at(span.to) - at(span.from), 0))
  return (
    <figure className="box-ribbon">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`最近24小时在线${share}%`}>
        {ribbon.map(span => <rect key={span.from} x={at(span.from)} y="0" width={Math.max(0.3, at(span.to) - at(span.from))} height="6"><title>{`${instantText(span.from)} 至 ${instantText(span.to)} 在线`}</title></rect>)}
      </svg>
      <figcaption>{`最近24小时在线 ${share}%`}</figcaption>
    </figure>
  )
}
