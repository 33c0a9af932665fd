import { DEVICE_STATE, DeviceListed } from '@campus/devices/contract'
import type { DeviceModel } from '@campus/devices/contract'
import { dictionaryFilter, dictionaryName, fields, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Tag } from 'antd'
import { placeFilter } from './place-filter.tsx'
import { skewText } from './clock-words.ts'
import { StateDot } from './state-dot.tsx'
import { SyncBar } from './sync-bar.tsx'
import type { PlaceChoice } from './use-places.ts'

type Name = 'keyword' | 'place_id' | 'retired' | 'device_name' | 'device_sn' | 'device_type' | 'model_code' | 'node_path_name' | 'direction' | 'device_state' | 'queue' | 'drift' | 'sync' | 'firmware_version' | 'clock_skew_ms' | 'is_push' | 'parent_name' | 'ip' | 'note'

const states = DEVICE_STATE.codes.map(value => ({ value, label: DEVICE_STATE.names[value] }))
const skew_red_ms = 60_000

/** Fields of a device; `places` and `models` may be filtered by. */
export function deviceFields(places: readonly PlaceChoice[], models: readonly DeviceModel[]): Fields<DeviceListed, Name> {
  return fields(DeviceListed, 'device_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '名称/序列号/IP') },
    place_id: { label: '场所', filter: placeFilter(places) },
    retired: { label: '已退役', filter: selectFilter('retired', [{ value: '1', label: '只看已退役' }]) },
    device_name: { label: '名称', width: 168, default_action: true },
    device_sn: { label: '序列号', width: 128 },
    device_type: { label: '类型', width: 104, dictionary: 'DEVICE_TYPE', filter: dictionaryFilter('device_type', 'DEVICE_TYPE') },
    model_code: { label: '型号', width: 112, cell: row => <span title={row.model_name}>{row.model_code}</span>, filter: selectFilter('model_code', models.map(model => ({ value: model.model_code, label: `${model.model_code} ${model.model_name}` }))) },
    node_path_name: { label: '场所', width: 196, cell: row => row.node_path_name === null ? <span className="device-quiet">未绑定场所</span> : <span title={row.node_path_name}>{row.node_path_name.split('/').slice(-2).join('/')}</span> },
    direction: { label: '方向', width: 56, cell: row => (row.direction === null ? '' : dictionaryName('DEVICE_DIRECTION', String(row.direction))) },
    device_state: { label: '状态', width: 148, cell: row => <StateDot device={row} />, filter: selectFilter('device_state', states) },
    queue: { label: '积压', filter: selectFilter('queue', [{ value: '1', label: '有积压' }, { value: '0', label: '没有积压' }]) },
    drift: { label: '差异', filter: selectFilter('drift', [{ value: '1', label: '有差异' }, { value: '0', label: '没有差异' }]) },
    sync: { label: '同步', width: 132, cell: row => <SyncBar sync={row.sync} drift={row.drift} proof_at={row.proof_at} /> },
    firmware_version: { label: '固件', width: 76 },
    clock_skew_ms: { label: '时钟偏差', width: 96, cell: row => skew(row.clock_skew_ms) },
    is_push: { label: '下发', width: 64, cell: row => <Tag color={row.is_push ? 'green' : 'default'}>{row.is_push ? '开' : '已暂停'}</Tag> },
    parent_name: { label: '上级设备', width: 120 },
    ip: { label: 'IP地址', width: 112 },
    note: { label: '备注', width: 140 },
  })
}

/** A clock that is more than a minute off is red: its passes are corrected (chapter 30 rule 15). */
function skew(ms: number | null) {
  if (ms === null) return ''
  const text = skewText(ms)
  return Math.abs(ms) > skew_red_ms ? <Tag color="red">{text}</Tag> : text
}
