import type { SyncCounts } from '@campus/devices/contract'
import type { ReactNode } from 'react'

const parts = [['applied', '已生效'], ['pending', '待下发'], ['refused', '被拒'], ['blocked', '阻止']] as const

/** What became of the rows of a device, as one bar and in words. */
export function SyncBar({ sync }: { sync: SyncCounts }): ReactNode {
  if (sync.want === 0) return <span title="没有数据">—</span>
  const shown = parts.filter(([name]) => sync[name] > 0)
  const proven = sync.proven > 0 ? `，其中已回读核对${sync.proven}` : ''
  return (
    <span className="device-sync" title={`${parts.map(([name, label]) => `${label}${sync[name]}`).join('，')}${proven}`}>
      <span className="device-sync-bar" aria-hidden>{shown.map(([name]) => <i key={name} className={`device-sync-${name}`} style={{ flexGrow: sync[name] }} />)}</span>
      <small>{shown.map(([name, label]) => `${label}${sync[name]}`).join(' ')}</small>
    </span>
  )
}
