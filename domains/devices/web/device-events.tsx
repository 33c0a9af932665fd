import { alarm_names } from '@campus/devices/contract'
import type { deviceApi } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import { instantText } from '@kit/web'
import { Empty, Timeline } from 'antd'
import type { ReactNode } from 'react'

type Detail = Pick<Reply<typeof deviceApi.detail>, 'links' | 'alarms'>
type Line = { at: string; key: string; color: string; word: string; detail: string | null | undefined }

const link_words = { online: ['上线', 'green'], offline: ['离线', 'gray'], kicked: ['被新的连接顶替', 'gold'], refused: ['拒绝连接：密码错误', 'red'] } as const
const reasons: Readonly<Record<string, string>> = { will: '连接中断', keepalive: '心跳超时', kick: '被服务器断开', broker: '消息服务中断', parent: '上级设备离线' }

/** 事件: the turns of a device's line and what it raised the alarm about, the latest first. */
export function DeviceEvents({ links, alarms }: Detail): ReactNode {
  const lines = [...links.map(ofLink), ...alarms.flatMap(ofAlarm)].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  if (lines.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有连接过，也没有报警" />
  return <Timeline items={lines.map(({ at, key, color, word, detail }) => ({ key, color, content: <>{`${instantText(at)} ${word}`}{detail && <small className="device-quiet">{detail}</small>}</> }))} />
}

function ofLink({ at, kind, reason, client_ip }: Detail['links'][number]): Line {
  const [word, color] = link_words[kind]
  return { at, key: `${at} ${kind}`, color, word, detail: kind === 'offline' && reason !== null ? reasons[reason] : client_ip }
}

function ofAlarm({ at, alarm_kind, cleared_at }: Detail['alarms'][number]): Line[] {
  const word = alarm_names[alarm_kind]
  const raised = { at, key: `${at} ${alarm_kind}`, color: 'red', word: `报警：${word}`, detail: cleared_at === null ? '还没有解除' : null }
  return cleared_at === null ? [raised] : [raised, { at: cleared_at, key: `${cleared_at} ${alarm_kind} 解除`, color: 'green', word: `报警解除：${word}`, detail: null }]
}
