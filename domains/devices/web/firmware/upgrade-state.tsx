import { upgrade_states } from '@campus/devices/contract'
import type { FirmwareTask, UpgradeLine } from '@campus/devices/contract'
import { Progress, Tag } from 'antd'
import type { ReactNode } from 'react'

const colors = { QUEUED: 'default', INITIATED: 'blue', DOWNLOADING: 'blue', DOWNLOADED: 'blue', VERIFIED: 'blue', UPDATING: 'blue', UPDATED: 'green', FAILED: 'red', CANCELED: 'default' } as const
const parts = [['updated', '已升级', 'applied'], ['running', '升级中', 'pending'], ['failed', '失败', 'refused'], ['queued', '等待', 'queued']] as const

/** How far a device is; while it fetches, how much of the package it has. */
export function UpgradeState({ line: { state, progress, error, online } }: { line: UpgradeLine }): ReactNode {
  const words = state === 'QUEUED' && !online ? '离线，上线后升级' : upgrade_states[state]
  return (
    <>
      <Tag color={colors[state]}>{words}</Tag>
      {state === 'DOWNLOADING' && <Progress size="small" percent={progress} />}
      {error !== null && <small className="device-quiet">{error}</small>}
    </>
  )
}

/** A task as one bar and in words. */
export function TaskBar({ task }: { task: FirmwareTask }): ReactNode {
  const shown = parts.filter(([name]) => task[name] > 0)
  return (
    <span className="device-sync">
      <span className="device-sync-bar" aria-hidden>{shown.map(([name, , color]) => <i key={name} className={`device-sync-${color}`} style={{ flexGrow: task[name] }} />)}</span>
      <small>{shown.map(([name, label]) => `${label}${task[name]}`).join(' ')}</small>
    </span>
  )
}
