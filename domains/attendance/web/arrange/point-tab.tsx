import { point_uses, pointApi } from '@campus/attendance/contract'
import type { PointRow } from '@campus/attendance/contract'
import { call, dictionaryName, instantText } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Input, Select, Table, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { LocationPart } from './location-part.tsx'

const uses = Object.entries(point_uses).map(([value, label]) => ({ value, label }))
const page_size = 20
const CodeDialog = lazyDialog(() => import('./code-dialog.tsx').then(part => part.CodeDialog))

/** 考勤点位: which devices count for attendance; those in teaching places do without a word; and where phones may sign in. */
export function PointTab(): ReactNode {
  const [page_index, turn] = useState(1)
  const [keyword, find] = useState('')
  const { open, close, dialog } = useDialog()
  const show = (place_id: string) => open(<CodeDialog place_id={place_id} onClose={close} />)
  const query = useCall(pointApi.list, { page_index, keyword }, { keep: true })
  const columns = [
    { key: 'name', title: '设备', width: 180, dataIndex: 'device_name' },
    { key: 'type', title: '类型', width: 120, render: (_: unknown, row: PointRow) => dictionaryName('DEVICE_TYPE', row.device_type) },
    { key: 'place', title: '场所', width: 180, render: (_: unknown, row: PointRow) => row.place_name ?? '未安装' },
    { key: 'line', title: '在线', width: 80, render: (_: unknown, row: PointRow) => <Tag color={row.online ? 'green' : 'default'}>{row.online ? '在线' : '离线'}</Tag> },
    { key: 'drained', title: '记录已上传至', width: 152, render: (_: unknown, row: PointRow) => (row.drained_to === null ? '还没有上传' : instantText(row.drained_to)) },
    { key: 'use', title: '用于', width: 180, render: (_: unknown, row: PointRow) => <Use row={row} /> },
    { key: 'code', title: '扫码打卡', width: 100, render: (_: unknown, row: PointRow) => <ShowCode row={row} onShow={show} /> },
  ]
  const search = (text: string) => {
    find(text.trim())
    turn(1)
  }
  return (
    <>
      <Input.Search className="attend-search" aria-label="设备或场所" placeholder="设备或场所" allowClear maxLength={50} onSearch={search} />
      <Loaded query={query} rows={8} empty="没有可用于考勤的设备" isEmpty={({ total }) => total === 0}>
        {({ list, total }) => <Table<PointRow> size="small" rowKey="device_id" columns={columns} dataSource={list} pagination={{ current: page_index, pageSize: page_size, total, onChange: turn, showSizeChanger: false, showTotal: n => `共 ${n}台` }} />}
      </Loaded>
      <LocationPart />
      {dialog}
    </>
  )
}

function ShowCode({ row: { place_id, place_name }, onShow }: { row: PointRow; onShow: (place_id: string) => void }): ReactNode {
  if (place_id === null) return null
  return <Button type="link" size="small" aria-label={`打卡码 ${place_name ?? ''}`} onClick={() => onShow(place_id)}>打卡码</Button>
}

function Use({ row }: { row: PointRow }): ReactNode {
  const { busy, act } = useAct([pointApi.list])
  const save = (use: PointRow['use']) => void act(() => call(pointApi.save, { device_id: row.device_id, use }, { quiet: true }), { done: '设置成功' })
  return <Select size="small" className="kit-fill" aria-label={`${row.device_name}用于`} loading={busy} disabled={row.place_id === null} value={row.use} options={uses} onChange={save} />
}
