import type { Device } from '@campus/devices/contract'
import { DEVICE_STATE } from '@campus/devices/contract'
import { instantText } from '@kit/web'
import { Badge } from 'antd'
import type { ReactNode } from 'react'

type State = NonNullable<Device['device_state']>
const colors = { '0': 'default', '1': 'success', '2': 'error', '3': 'default', '4': 'processing', '5': 'warning' } as const
/** The fault of one that hangs below another is told by that one, without a code. */
const of_parent = 'child'
const why: Readonly<Record<string, string>> = { will: '连接中断', keepalive: '心跳超时', kick: '被服务器断开', broker: '消息服务中断', parent: '上级设备离线', never: '从未连接' }

/** The state in words, without the device. */
export function stateName(state: Device['device_state']): string {
  return state === null ? '已退役' : DEVICE_STATE.names[state]
}

export function stateColor(state: State): (typeof colors)[State] {
  return colors[state]
}

/** What a device is doing, since when and why; one that its rule has switched off is not missed. */
export function StateDot({ device }: { device: Device & { is_planned_off?: boolean; maintained_until?: string | null } }): ReactNode {
  const { device_state, online_since, last_seen_at, offline_reason, fault_code, confirming_since } = device
  const since = device_state === '1' ? online_since : last_seen_at
  const is_planned = device.is_planned_off === true
  const is_confirming = confirming_since !== null
  const until = device.maintained_until ?? null
  const reason = is_confirming ? '消息服务中断，正在确认设备是否还在线' : is_planned ? '按关机规则关机，到时间自动开机' : device_state === '2' ? (fault_code === null || fault_code === of_parent ? '设备报告故障，点“详情”看怎么处理' : fault_code) : device_state === '0' && offline_reason !== null ? why[offline_reason] : undefined
  return (
    <span className="device-state" title={reason}>
      <Badge status={is_confirming ? 'warning' : device_state === null ? 'default' : colors[device_state]} text={is_planned ? '按计划关机' : is_confirming ? `${stateName(device_state)}，确认中` : stateName(device_state)} />
      {until !== null && <small>{`维护中，到${instantText(until)}`}</small>}
      {until === null && since !== null && device_state !== '5' && <small>{instantText(since)}</small>}
    </span>
  )
}
