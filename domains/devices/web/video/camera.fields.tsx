import { bind_names, Camera, DEVICE_STATE } from '@campus/devices/contract'
import { fields, instantText, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Badge, Tag } from 'antd'
import { placeFilter } from '../place-filter.tsx'
import { stateColor, stateName } from '../state-dot.tsx'
import type { PlaceChoice } from '../use-places.ts'

type Name = 'keyword' | 'place_id' | 'bound' | 'device_name' | 'device_sn' | 'node_path_name' | 'nvr_name' | 'channel' | 'device_state' | 'bindings' | 'has_stream' | 'snapshot_at' | 'note'

const states = DEVICE_STATE.codes.map(value => ({ value, label: DEVICE_STATE.names[value] }))

/** Fields of a camera; its stream address is never among them. */
export function cameraFields(places: readonly PlaceChoice[]): Fields<Camera, Name> {
  return fields(Camera, 'device_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '名称/序列号') },
    place_id: { label: '场所', filter: placeFilter(places) },
    bound: { label: '绑定', filter: selectFilter('bound', [{ value: '1', label: '已绑定' }, { value: '0', label: '未绑定' }]) },
    device_name: { label: '名称', width: 176, default_action: true },
    device_sn: { label: '序列号', width: 112 },
    node_path_name: { label: '场所', width: 200, cell: row => <span title={row.node_path_name ?? undefined}>{row.node_path_name?.split('/').slice(-2).join('/') ?? '未绑定场所'}</span> },
    nvr_name: { label: '录像机', width: 152 },
    channel: { label: '通道', width: 56 },
    device_state: { label: '状态', width: 88, cell: row => <Badge status={row.device_state === null ? 'default' : stateColor(row.device_state)} text={stateName(row.device_state)} />, filter: selectFilter('device_state', states) },
    bindings: { label: '绑定到', width: 216, cell: row => <span className="video-binds">{row.bindings.map(one => <Tag key={one.target_id} title={one.target_name} color={one.bind_kind === 'box' ? 'purple' : 'blue'}>{`${bind_names[one.bind_kind]} ${one.target_name.split('/').slice(-1).join()}`}</Tag>)}</span> },
    has_stream: { label: '取流地址', width: 80, cell: row => (row.has_stream ? '已填写' : '') },
    snapshot_at: { label: '最近画面', width: 136, cell: row => (row.snapshot_at === null ? '' : instantText(row.snapshot_at)) },
    note: { label: '备注', width: 140 },
  })
}
