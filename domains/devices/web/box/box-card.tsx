import type { Box } from '@campus/devices/contract'
import { dictionaryName, instantText } from '@kit/web'
import { Progress, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { StateDot, stateName } from '../state-dot.tsx'
import { Ribbon } from './ribbon.tsx'
import { troubleOf } from './trouble.ts'

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
      <Ribbon spans={box.ribbon} now={now} />
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
