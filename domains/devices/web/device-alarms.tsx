import { alarm_names } from '@campus/devices/contract'
import type { DeviceAlarm } from '@campus/devices/contract'
import { instantText } from '@kit/web'
import { Alert, Tag } from 'antd'
import type { ReactNode } from 'react'

/** What a device raises the alarm about: what goes on stands out, what is over is told below it. */
export function DeviceAlarms({ alarms }: { alarms: readonly DeviceAlarm[] }): ReactNode {
  const open = alarms.filter(alarm => alarm.cleared_at === null)
  const over = alarms.filter(alarm => alarm.cleared_at !== null)
  return (
    <>
      {open.map(({ alarm_kind, at }) => <Alert key={`${alarm_kind} ${at}`} className="device-alarm" type="warning" showIcon title={`${alarm_names[alarm_kind]}（${instantText(at)}起）`} />)}
      {over.length > 0 && (
        <p className="device-alarms-over">
          <small className="device-quiet">已解除的报警</small>
          {over.map(({ alarm_kind, at, cleared_at }) => <Tag key={`${alarm_kind} ${at}`} title={`${instantText(at)} 至 ${cleared_at === null ? '' : instantText(cleared_at)}`}>{alarm_names[alarm_kind]}</Tag>)}
        </p>
      )}
    </>
  )
}
