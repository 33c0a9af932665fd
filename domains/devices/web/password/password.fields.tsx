import { password_states, PasswordLine } from '@campus/devices/contract'
import { dictionaryFilter, fields, instantText, selectFilter, textFilter } from '@kit/web'
import type { Fields } from '@kit/web'
import { Badge } from 'antd'
import type { ReactNode } from 'react'
import { placeFilter } from '../place-filter.tsx'
import type { PlaceChoice } from '../use-places.ts'

type Name = 'keyword' | 'place_id' | 'stale' | 'device_name' | 'device_type' | 'model_code' | 'node_path_name' | 'version' | 'state' | 'set_at'
const colors = { none: 'default', waiting: 'processing', applied: 'success', refused: 'error' } as const

/** Fields of a device's password: which version it has and whether the device has said so. */
export function passwordFields(places: readonly PlaceChoice[]): Fields<PasswordLine, Name> {
  return fields(PasswordLine, 'device_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '名称/序列号') },
    place_id: { label: '场所', filter: placeFilter(places) },
    stale: { label: '更新情况', filter: selectFilter('stale', [{ value: '1', label: '未更新设备' }, { value: '0', label: '已更新设备' }]) },
    device_name: { label: '名称', width: 180, default_action: true },
    device_type: { label: '类型', width: 112, dictionary: 'DEVICE_TYPE', filter: dictionaryFilter('device_type', 'DEVICE_TYPE') },
    model_code: { label: '型号', width: 90 },
    node_path_name: { label: '场所', width: 190, cell: row => <span title={row.node_path_name ?? undefined}>{row.node_path_name?.split('/').slice(-2).join('/') ?? '未绑定场所'}</span> },
    version: { label: '版本', width: 70, cell: row => (row.version === 0 ? '' : `第${row.version}版`) },
    state: { label: '状态', width: 220, cell: row => <State line={row} /> },
    set_at: { label: '设置时间', width: 200, cell: row => (row.set_at === null ? '' : `${instantText(row.set_at)} ${row.set_by_name ?? ''}`) },
  })
}

function State({ line: { state, prior_valid, online, reason_text } }: { line: PasswordLine }): ReactNode {
  const why = [state === 'refused' ? reason_text : null, state === 'waiting' && !online ? '设备离线，恢复后更新' : null, prior_valid ? '旧密码仍有效' : null].filter(Boolean).join('；')
  return (
    <span>
      <Badge status={colors[state]} text={password_states[state]} />
      {why !== '' && <small className="device-quiet">{why}</small>}
    </span>
  )
}
