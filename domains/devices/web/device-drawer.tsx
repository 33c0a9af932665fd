import { board_types, boardApi, configApi, deviceApi, firmwareApi, ruleApi, syncApi, wireApi } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import type { Reply } from '@kit/contract'
import { AppDrawer, call, dictionaryName, instantText, leaving, useCan } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Alert, Empty, Tabs, Tag, Timeline } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { BoardPanel } from './board/board-panel.tsx'
import { DeviceSettings } from './config/device-settings.tsx'
import './config/config.css'
import { CommandList } from './command-list.tsx'
import { adviceOf } from './device-advice.ts'
import { ClockNote } from './device-clock.tsx'
import { DeviceAdoption } from './device-adoption.tsx'
import { DeviceAlarms } from './device-alarms.tsx'
import { DeviceEvents } from './device-events.tsx'
import { DeviceOverview } from './device-overview.tsx'
import { DriftList } from './drift-list.tsx'
import { UpgradeHistory } from './firmware/upgrade-history.tsx'
import { RulesThen } from './rule/rules-then.tsx'
import { StateDot } from './state-dot.tsx'
import { StateRows } from './state-rows.tsx'
import { useDeviceTurns } from './use-devices.ts'
import { WireTab } from './wire/wire-tab.tsx'

type Detail = Reply<typeof deviceApi.detail>

/** One device: what it is, what it holds, where it stood, how its line was. */
export function DeviceDrawer({ device_id, onClose }: { device_id: string; onClose: () => void }): ReactNode {
  const query = useQuery({ queryKey: [deviceApi.detail.call, device_id], queryFn: ({ signal }) => call(deviceApi.detail, { id: device_id }, { signal, quiet: true }) })
  useDeviceTurns(device_id)
  const { data } = query
  const [is_typed, type] = useState(false)
  const sees_rows = useCan(syncApi.state_rows)
  const sees_drift = useCan(syncApi.drift)
  const sees_config = useCan(configApi.read)
  const sees_rules = useCan(ruleApi.live_at)
  const sees_firmware = useCan(firmwareApi.history)
  const sees_wire = useCan(wireApi.watch)
  const is_connecting = data?.device.driver === 'jdev' || data?.device.driver === 'vf105'
  const sees_board = useCan(boardApi.detail) && data !== undefined && data.device.lifecycle !== 'retired' && board_types.includes(data.device.device_type)
  return (
    <AppDrawer size={760} title={data ? data.device.device_name : '设备'} onClose={leaving(is_typed, onClose)}>
      {!query.data && <PartState query={query} />}
      {data && (
        <Tabs items={[
          { key: 'facts', label: '概览', children: <><Advised device={{ ...data.device, is_planned_off: data.is_planned_off, maintained_until: data.maintained_until }} /><ClockNote clock={data.clock} /><DeviceAdoption device={data.device} adoption={data.adoption} /><DeviceAlarms alarms={data.alarms} /><DeviceOverview device_id={device_id} /><Facts device={{ ...data.device, is_planned_off: data.is_planned_off, maintained_until: data.maintained_until }} /></> },
          ...(sees_board ? [{ key: 'board', label: '屏幕', children: <BoardPanel device_id={device_id} /> }] : []),
          ...(sees_rows ? [{ key: 'rows', label: '下发数据', children: <StateRows device={data.device} /> }] : []),
          ...(sees_drift ? [{ key: 'drift', label: '差异', children: <DriftList device_id={device_id} /> }] : []),
          { key: 'commands', label: '命令记录', children: <CommandList device_id={device_id} /> },
          ...(sees_config && is_connecting ? [{ key: 'config', label: '配置', children: <DeviceSettings device_id={device_id} mark={type} /> }] : []),
          ...(sees_rules && is_connecting ? [{ key: 'rules', label: '规则', children: <RulesThen device_id={device_id} /> }] : []),
          ...(sees_firmware && is_connecting ? [{ key: 'firmware', label: '固件', children: <UpgradeHistory device={data.device} /> }] : []),
          ...(sees_wire && is_connecting ? [{ key: 'wire', label: '报文', children: <WireTab device={data.device} /> }] : []),
          { key: 'events', label: '事件', children: <DeviceEvents device_id={device_id} device_name={data.device.device_name} links={data.links} alarms={data.alarms} /> },
          { key: 'places', label: '位置历史', children: <Placements placements={data.placements} /> },
        ]}
        />
      )}
    </AppDrawer>
  )
}

type Opened = Device & { is_planned_off: boolean; maintained_until: string | null }
const gone = '0'

/** What to do about a device that is not simply there. */
function Advised({ device }: { device: Opened }): ReactNode {
  const advice = adviceOf(device)
  const until = device.device_state === gone && device.maintained_until !== null ? `，到${instantText(device.maintained_until)}` : ''
  const since = device.device_state !== gone || device.last_seen_at === null ? '' : `，最后联系 ${instantText(device.last_seen_at)}`
  return advice && <Alert className="device-alarm" type={advice.type} showIcon title={`${advice.title}${until}${since}`} description={advice.next_step} />
}

function Facts({ device }: { device: Opened }): ReactNode {
  const facts: [string, ReactNode][] = [
    ['状态', <StateDot key="state" device={device} />],
    ['序列号', device.device_sn],
    ['类型', dictionaryName('DEVICE_TYPE', device.device_type)],
    ['型号', `${device.model_code} ${device.model_name}`],
    ['场所', device.node_path_name ?? '未绑定场所'],
    ['方向', device.direction === null ? null : dictionaryName('DEVICE_DIRECTION', String(device.direction))],
    ['上级设备', device.parent_name],
    ['下发', <Tag key="push" color={device.is_push ? 'green' : 'default'}>{device.is_push ? '开' : '已暂停'}</Tag>],
    ['固件', device.firmware_version],
    ['应用版本', device.app_version],
    ['最近在线', device.last_seen_at === null ? '从未连接' : instantText(device.last_seen_at)],
    ['IP地址', device.ip],
    ['MAC地址', device.mac],
    ['备注', device.note],
  ]
  return <dl className="device-facts">{facts.filter(([, value]) => value !== null).map(([label, value]) => [<dt key={label}>{label}</dt>, <dd key={`${label}-value`}>{value}</dd>])}</dl>
}

function Placements({ placements }: { placements: Detail['placements'] }): ReactNode {
  if (placements.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有绑定过场所" />
  return (
    <Timeline items={placements.map(({ node_path_name, then_name, direction, valid_from, valid_to }) => ({
      key: valid_from, color: valid_to === null ? 'green' : 'gray',
      content: <>{`${node_path_name}（${dictionaryName('DEVICE_DIRECTION', String(direction))}）`}{then_name !== null && <small className="device-quiet">{`当时名称：${then_name} `}</small>}<small className="device-quiet">{`${instantText(valid_from)} 至 ${valid_to === null ? '今' : instantText(valid_to)}`}</small></>,
    }))}
    />
  )
}
