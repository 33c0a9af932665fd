import { DEVICE_DIRECTION, deviceApi, placeDeviceApi } from '@campus/devices/contract'
import type { PlaceDevice } from '@campus/devices/contract'
import { call, dictionaryName, instantText, useCan } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery } from '@tanstack/react-query'
import { Alert, Badge, Button, Checkbox, Empty, Table } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import { stateColor, stateName } from '../state-dot.tsx'
import { useDeviceStates } from '../use-devices.ts'
import '../devices.css'

const MoveDialog = lazy(() => import('../move-dialog.tsx').then(part => ({ default: part.MoveDialog })))
const [shown_at_once, way_width, since_width] = [50, 64, 140] as const
const directions = [1, 2, 3] as const

/** Tells how many devices stand in each place, now or at an instant, and again when one of them turns. */
export function PlaceCounts({ at, told }: { at: string | undefined; told: (counts: ReadonlyMap<string, { total: number; online: number }>) => void }): ReactNode {
  const enabled = useCan(placeDeviceApi.counts)
  const query = useQuery({ queryKey: [placeDeviceApi.counts.call, at ?? ''], queryFn: async ({ signal }) => (await call(placeDeviceApi.counts, { at }, { signal, quiet: true })).list, enabled })
  useDeviceStates()
  const { data } = query
  useEffect(() => {
    if (data) told(new Map(data.map(({ place_id, total, online }) => [place_id, { total, online }])))
  }, [data, told])
  return null
}

/** What stands in a place and below it, with its state of now; at an instant of the past what stood there then. */
export function PlaceDevices({ place_id, path, is_leaf, at }: { place_id: string; path: string; is_leaf: boolean; at: string | undefined }): ReactNode {
  const may_see = useCan(placeDeviceApi.list)
  const may_move = useCan(deviceApi.place) && at === undefined
  const [is_deep, setDeep] = useState(!is_leaf)
  const [moving, move] = useState<PlaceDevice | null>(null)
  const query = useQuery({ queryKey: [placeDeviceApi.list.call, place_id, is_deep, at ?? ''], queryFn: async ({ signal }) => (await call(placeDeviceApi.list, { id: place_id, subtree: is_deep ? '1' : '0', at }, { signal, quiet: true })).list, enabled: may_see })
  if (!may_see) return <Alert type="info" showIcon title="无权限查看" />
  if (!query.data) return <PartState query={query} />
  const list = query.data
  const act = (_: unknown, device: PlaceDevice) => may_move && device.lifecycle !== 'retired' && <Button type="link" size="small" aria-label={`移动 ${device.device_name}`} onClick={() => move(device)}>移动</Button>
  return (
    <div className="place-devices" data-ready="place-devices">
      <div className="place-devices-bar">
        <span role="status">{sumOf(list, at)}</span>
        {!is_leaf && <Checkbox checked={is_deep} onChange={event => setDeep(event.target.checked)}>包括下级场所</Checkbox>}
      </div>
      {list.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={at === undefined ? '这里没有设备，可在设备管理中把设备移动到这里' : '当时这里没有设备'} />}
      {list.length > 0 && (
        <Table<PlaceDevice>
          size="small" rowKey="device_id" dataSource={list} pagination={list.length > shown_at_once && { pageSize: shown_at_once, showSizeChanger: false }}
          columns={[
            { title: '设备', dataIndex: 'device_name', ellipsis: true },
            { title: '类型', key: 'type', width: 112, render: (_, row) => dictionaryName('DEVICE_TYPE', row.device_type) },
            { title: '方向', key: 'way', width: way_width, render: (_, row) => wayOf(row.direction) },
            { title: '状态', key: 'state', width: way_width + 24, render: (_, row) => <Badge status={row.device_state === null ? 'default' : stateColor(row.device_state)} text={stateName(row.device_state)} /> },
            ...(is_deep ? [{ title: '所在场所', key: 'where', ellipsis: true, render: (_: unknown, row: PlaceDevice) => <span title={row.node_path_name ?? undefined}>{whereOf(row, path)}</span> }] : []),
            { title: '自', key: 'since', width: since_width, render: (_, row) => instantText(row.valid_from) },
            { title: '', key: 'act', width: way_width, render: act },
          ]}
        />
      )}
      <Suspense>{moving && <MoveDialog device={{ ...moving, direction: directions.find(way => way === moving.direction) ?? null }} onClose={() => move(null)} />}</Suspense>
    </div>
  )
}

function sumOf(list: readonly PlaceDevice[], at: string | undefined): string {
  if (at !== undefined) return `当时 ${list.length} 台，状态为现在的状态`
  const count = (state: string) => list.filter(device => device.device_state === state).length
  const parts = [['1', '在线'], ['0', '离线'], ['2', '故障'], ['4', '升级中'], ['3', '停用'], ['5', '未激活']].flatMap(([state = '', name]) => (count(state) > 0 ? [`${name} ${count(state)}`] : []))
  return [`共 ${list.length} 台`, ...parts].join('，')
}

/** Where it stands, seen from the chosen place. */
function whereOf({ node_path_name }: PlaceDevice, path: string): string {
  if (node_path_name === null || node_path_name === path) return '本场所'
  return node_path_name.startsWith(`${path}/`) ? node_path_name.slice(path.length + 1) : node_path_name
}

function wayOf(direction: number): string {
  const code = DEVICE_DIRECTION.codes.find(one => Number(one) === direction)
  return code === undefined ? '' : DEVICE_DIRECTION.names[code]
}
