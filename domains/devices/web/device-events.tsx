import { alarm_names, deviceLinkApi, linkReason } from '@campus/devices/contract'
import type { deviceApi } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import { downloadFile, instantText } from '@kit/web'
import { Empty, Timeline } from 'antd'
import type { ReactNode } from 'react'
import { DayExport } from './day-export.tsx'

type Detail = Pick<Reply<typeof deviceApi.detail>, 'links' | 'alarms'>
type Line = { at: string; key: string; color: string; word: string; detail: string | null | undefined }

const link_words = { online: ['上线', 'green'], offline: ['离线', 'gray'], kicked: ['被新的连接顶替', 'gold'], refused: ['拒绝连接：密码错误', 'red'] } as const

/** 事件: the turns of a device's line and what it raised the alarm about, the latest first. */
export function DeviceEvents({ device_id, device_name, links, alarms }: Detail & { device_id: string; device_name: string }): ReactNode {
  return (
    <>
      <div className="device-events-bar"><DayExport code={deviceLinkApi.export} title={`导出连接记录 ${device_name}`} what="这台设备上线、离线、被顶替和被拒绝的记录" kept="7 天" run={({ from, to }) => downloadFile(deviceLinkApi.export, { from, to, device_id }, { quiet: true })} /></div>
      <Lines links={links} alarms={alarms} />
    </>
  )
}

function Lines({ links, alarms }: Detail): ReactNode {
  const lines = [...links.map(ofLink), ...alarms.flatMap(ofAlarm)].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))
  if (lines.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有连接过，也没有报警" />
  return <Timeline items={lines.map(({ at, key, color, word, detail }) => ({ key, color, content: <>{`${instantText(at)} ${word}`}{detail && <small className="device-quiet">{detail}</small>}</> }))} />
}

function ofLink({ at, kind, reason, client_ip }: Detail['links'][number]): Line {
  const [word, color] = link_words[kind]
  return { at, key: `${at} ${kind}`, color, word, detail: kind === 'offline' && reason !== null ? linkReason(kind, reason) : client_ip }
}

function ofAlarm({ at, alarm_kind, cleared_at }: Detail['alarms'][number]): Line[] {
  const word = alarm_names[alarm_kind]
  const raised = { at, key: `${at} ${alarm_kind}`, color: 'red', word: `报警：${word}`, detail: cleared_at === null ? '还没有解除' : null }
  return cleared_at === null ? [raised] : [raised, { at: cleared_at, key: `${cleared_at} ${alarm_kind} 解除`, color: 'green', word: `报警解除：${word}`, detail: null }]
}
