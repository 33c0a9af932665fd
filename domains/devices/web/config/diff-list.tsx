import { configApi, ConfigDiff, row_states } from '@campus/devices/contract'
import { fields, Filters, ListPage, Table, textFilter, useResourceList } from '@kit/web'
import { Button, Tag } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { placeFilter } from '../place-filter.tsx'
import { usePlaceChoices } from '../use-places.ts'
import type { PlaceChoice } from '../use-places.ts'
import { valueText } from './setting-input.tsx'
import { SourceChip } from './setting-mark.tsx'

const ROW_WIDTH = 88

/** 差异: settings that a device has otherwise than it is to have them, or has not taken. */
export function DiffList({ show }: { show: (device_id: string) => void }): ReactNode {
  const places = usePlaceChoices()
  const list = useResourceList(configApi.diff, useMemo(() => diffFields(places), [places]), { part: 'diff' })
  const row = (diff: ConfigDiff) => <Button type="link" size="small" aria-label={`单机配置 ${diff.device_name}`} onClick={() => show(diff.device_id)}>单机配置</Button>
  return (
    <ListPage of={list} head={<p className="device-hint">离线的设备恢复连接后自动补发；设备上被改动的值在下次连接时和每天凌晨自动改回。“被拒”需要改用设备接受的值。</p>} filters={<Filters of={list} show={['keyword', 'place_id']} />}>
      <Table of={list} show={['device_name', 'node_path_name', 'setting', 'desired', 'reported', 'source', 'state']} row={row} row_width={ROW_WIDTH} empty="所有设备都与方案一致" />
    </ListPage>
  )
}

function diffFields(places: readonly PlaceChoice[]) {
  return fields(ConfigDiff, 'diff_key', {
    keyword: { label: '关键字', filter: textFilter('keyword', '设备名称') },
    place_id: { label: '场所', filter: placeFilter(places) },
    device_name: { label: '设备', width: 170, cell: row => <>{row.device_name}<small className="device-quiet">{row.online ? '在线' : '离线'}</small></> },
    node_path_name: { label: '场所', width: 180, cell: row => row.node_path_name ?? '未绑定场所' },
    setting: { label: '设置', width: 130, cell: row => row.setting.key.title },
    desired: { label: '应为', width: 130, cell: ({ setting }) => (setting.desired === null ? '已设置' : valueText(setting.key, setting.desired)) },
    reported: { label: '设备实际', width: 130, cell: ({ setting }) => (setting.reported === null ? '' : valueText(setting.key, setting.reported)) },
    source: { label: '来源', width: 76, cell: ({ setting }) => setting.source && <SourceChip source={setting.source} name={setting.source_name} /> },
    state: { label: '状态', width: 200, cell: ({ setting: { state, sentence } }) => state && <><Tag color={state === 'refused' ? 'red' : 'blue'}>{row_states[state]}</Tag><small className="device-quiet">{sentence}</small></> },
  })
}
