import { cameraApi, deviceApi } from '@campus/devices/contract'
import { placeApi } from '@campus/places/contract'
import type { AddableDevice } from '@campus/places/contract'
import { call, dictionaryName, sentenceOf, useCan } from '@kit/web'
import { PartState } from '@kit/web/part'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Alert, Button, Empty, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDevicesChanged } from '../use-devices.ts'
import '../devices.css'

type Purpose = AddableDevice['purpose']
type Line = AddableDevice['devices'][number]
const [both_ways, type_width, act_width] = [3, 120, 150] as const
const none = { device: '所有设备都已绑定场所', camera: '所有摄像机都已绑定通道或场所' } as const

async function found(purpose: Purpose, signal: AbortSignal): Promise<AddableDevice | null> {
  const reply = await call(placeApi.addable, { purpose }, { signal, quiet: true })
  return reply.purpose === 'class' ? null : reply
}

/** Puts a device into a place, or a camera before one; undefined takes it away again. */
function put(purpose: Purpose, device_id: string, place_id: string, is_undo: boolean): Promise<unknown> {
  if (purpose === 'camera') return call(is_undo ? cameraApi.unbind : cameraApi.bind, { camera_id: device_id, place_id }, { quiet: true })
  return call(deviceApi.place, { device_id, place_id: is_undo ? null : place_id, direction: both_ways }, { quiet: true })
}

/** Devices that stand nowhere, or cameras that watch nothing: one click binds one or all that have a proposal, and the same row takes it back. */
export function PlaceAddable({ purpose }: { purpose: Purpose }): ReactNode {
  const may_bind = useCan(purpose === 'camera' ? cameraApi.bind : deviceApi.place)
  const query = useQuery({ queryKey: [placeApi.addable.call, purpose], queryFn: ({ signal }) => found(purpose, signal), enabled: may_bind, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 })
  if (!may_bind) return <Alert type="info" showIcon title="无权限查看" />
  if (!query.data) return <PartState query={query} />
  if (query.data.devices.length === 0) return <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={none[purpose]} />
  return <Lines purpose={purpose} found={query.data} />
}

/** What has been bound here, what went wrong, and what is being done. */
function useBinding(purpose: Purpose) {
  const client = useQueryClient()
  const changed = useDevicesChanged()
  const [bound, setBound] = useState<Readonly<Record<string, string>>>({})
  const [faults, setFaults] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const one = async (device_id: string, place_id: string, is_undo: boolean) => {
    const fault = await put(purpose, device_id, place_id, is_undo).then(() => '', (cause: unknown) => sentenceOf(cause))
    setFaults(before => ({ ...before, [device_id]: fault }))
    if (fault === '') setBound(before => ({ ...before, [device_id]: is_undo ? '' : place_id }))
  }
  const run = async (pairs: readonly { device_id: string; place_id: string }[], is_undo = false) => {
    setBusy(true)
    for (const pair of pairs) await one(pair.device_id, pair.place_id, is_undo)
    setBusy(false)
    await Promise.all([changed(), client.invalidateQueries({ queryKey: [placeApi.history.call] })])
  }
  return { bound, faults, busy, run }
}

function Lines({ purpose, found: { devices, rooms, pairs } }: { purpose: Purpose; found: AddableDevice }): ReactNode {
  const [chosen, setChosen] = useState<Readonly<Record<string, string | undefined>>>(Object.fromEntries(pairs.map(pair => [pair.device_id, pair.place_id])))
  const { bound, faults, busy, run } = useBinding(purpose)
  const options = rooms.map(room => ({ value: room.place_id, label: room.node_path_name }))
  const waiting = devices.flatMap(({ device_id }) => {
    const place_id = chosen[device_id]
    return place_id === undefined || bound[device_id] ? [] : [{ device_id, place_id }]
  })
  const room = (_: unknown, { device_id, device_name }: Line) => (
    <>
      <Select className="kit-fill" allowClear showSearch={{ optionFilterProp: 'label' }} aria-label={`${device_name}的场所`} placeholder="选择场所" disabled={Boolean(bound[device_id])} value={chosen[device_id]} options={options} onChange={(place_id: string | undefined) => setChosen({ ...chosen, [device_id]: place_id })} />
      {faults[device_id] && <small className="device-drift">{faults[device_id]}</small>}
    </>
  )
  const act = (_: unknown, { device_id, device_name }: Line) => {
    const [is_bound, place_id] = [bound[device_id], chosen[device_id]]
    if (is_bound) return <><Tag color="green">已绑定</Tag><Button type="link" size="small" disabled={busy} aria-label={`撤销 ${device_name}`} onClick={() => void run([{ device_id, place_id: is_bound }], true)}>撤销</Button></>
    return <Button size="small" type="primary" ghost disabled={busy || place_id === undefined} aria-label={`绑定 ${device_name}`} onClick={() => place_id !== undefined && void run([{ device_id, place_id }])}>绑定</Button>
  }
  return (
    <div className="place-devices place-addable" data-ready="place-addable">
      <div className="place-devices-bar">
        <span role="status">{`${devices.length} 台${purpose === 'camera' ? '摄像机没有绑定通道或场所' : '设备没有绑定场所'}，${pairs.length === 0 ? '请逐台选择场所' : `其中 ${pairs.length} 台有建议，可以修改`}`}</span>
        <Button type="primary" loading={busy} disabled={waiting.length === 0} onClick={() => void run(waiting)}>{`绑定全部 ${waiting.length} 台`}</Button>
      </div>
      <Table<Line>
        size="small" rowKey="device_id" pagination={false} dataSource={devices}
        columns={[{ title: '设备', key: 'name', ellipsis: true, render: (_, line) => <>{line.device_name}<small className="device-quiet">{line.device_sn}</small></> }, { title: '类型', key: 'type', width: type_width, render: (_, line) => dictionaryName('DEVICE_TYPE', line.device_type) }, { title: '场所', key: 'room', width: 300, render: room }, { title: '', key: 'act', width: act_width, render: act }]}
      />
    </div>
  )
}
