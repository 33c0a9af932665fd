import type { SyncCounts } from '@campus/devices/contract'
import { instantText } from '@kit/web'
import type { ReactNode } from 'react'

const parts = [['applied', '已生效'], ['pending', '待下发'], ['refused', '被拒'], ['blocked', '阻止']] as const

/** What became of the rows of a device, as one bar and in words; below it what the last read-back has shown. */
export function SyncBar({ sync, drift, proof_at }: { sync: SyncCounts; drift: number; proof_at: string | null }): ReactNode {
  if (sync.want === 0) return <span title="没有数据">—</span>
  const shown = parts.filter(([name]) => sync[name] > 0)
  const end = sync.eta_s === null ? '' : `，${timeLeft(sync.eta_s)}`
  const oldest = sync.oldest_pending_at === null ? '' : `，最早的从${instantText(sync.oldest_pending_at)}开始等待`
  const proven = sync.proven > 0 ? `，其中已回读核对${sync.proven}` : ''
  return (
    <span className="device-sync" title={`${parts.map(([name, label]) => `${label}${sync[name]}`).join('，')}${proven}${oldest}${end}`}>
      <span className="device-sync-bar" aria-hidden>{shown.map(([name]) => <i key={name} className={`device-sync-${name}`} style={{ flexGrow: sync[name] }} />)}</span>
      <span className="device-sync-words">
        <small>{shown.map(([name, label]) => `${label}${sync[name]}`).join(' ')}</small>
        <Proved drift={drift} proof_at={proof_at} />
      </span>
    </span>
  )
}

/** By the device's own pace so far. */
function timeLeft(seconds: number): string {
  return seconds < 60 ? '约1分钟内下发完' : `约${Math.ceil(seconds / 60)}分钟下发完`
}

function Proved({ drift, proof_at }: { drift: number; proof_at: string | null }): ReactNode {
  if (drift > 0) return <small className="device-drift">{`差异${drift}`}</small>
  if (proof_at === null) return <small>未校验</small>
  return <small title={`回读核对于${instantText(proof_at)}`}>一致</small>
}
