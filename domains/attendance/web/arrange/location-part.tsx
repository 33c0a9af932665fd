import { attendLocationApi, least_radius_m, most_radius_m } from '@campus/attendance/contract'
import type { LocationRow } from '@campus/attendance/contract'
import { convertPoint, readPoint } from '@campus/school/contract'
import type { MapSystem } from '@campus/school/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, InputNumber, Select, Space, Table } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PlaceSelect } from './scope-select.tsx'

type Values = { place_id: string; system: MapSystem; point: string; radius_m: number }
const page_size = 20
const satellite = 3
const systems: { value: MapSystem; label: string }[] = [
  { value: 1, label: 'GCJ-02（高德、腾讯地图）' },
  { value: 2, label: 'BD-09（百度地图）' },
  { value: satellite, label: 'WGS-84（GPS）' },
]
const usual = { system: 1, radius_m: 150 } as const
const wrong_point = '坐标格式不正确，请按“经度,纬度”填写，经度在前'

/** 定位打卡点: places around which a phone signs in (chapter 55 §4). */
export function LocationPart(): ReactNode {
  const [page_index, turn] = useState(1)
  const query = useCall(attendLocationApi.list, { page_index }, { keep: true })
  const { open, close, dialog } = useDialog()
  const edit = (row: LocationRow | null) => open(<LocationDialog row={row} onClose={close} onDone={() => void query.refetch()} />)
  const columns = [
    { key: 'place', title: '场所', width: 200, dataIndex: 'place_name' },
    { key: 'point', title: '中心（WGS-84）', width: 200, render: (_: unknown, row: LocationRow) => `${row.lng}, ${row.lat}` },
    { key: 'radius', title: '半径（米）', width: 100, align: 'right' as const, dataIndex: 'radius_m' },
    { key: 'acts', title: '操作', render: (_: unknown, row: LocationRow) => <Acts row={row} onEdit={edit} /> },
  ]
  return (
    <section aria-label="定位打卡点" className="attend-location">
      <header>
        <h3>定位打卡点</h3>
        <Button onClick={() => edit(null)}>新增定位打卡点</Button>
      </header>
      <Loaded query={query} rows={3} empty="没有定位打卡点：新增后，师生可在手机上“定位打卡”" isEmpty={({ total }) => total === 0}>
        {({ list, total }) => (
          <Table<LocationRow>
            size="small"
            rowKey="place_id"
            columns={columns}
            dataSource={list}
            pagination={{ current: page_index, pageSize: page_size, total, onChange: turn, showSizeChanger: false, hideOnSinglePage: true }}
          />
        )}
      </Loaded>
      {dialog}
    </section>
  )
}

function Acts({ row, onEdit }: { row: LocationRow; onEdit: (row: LocationRow) => void }): ReactNode {
  const { place_id, place_name } = row
  const { act } = useAct([attendLocationApi.list])
  const ask = { title: `删除“${place_name}”的定位打卡点？`, touches: '删除后不能在此定位打卡，已有打卡记录不变。', ok: '删除' }
  const remove = () => act(() => call(attendLocationApi.remove, { place_id }, { quiet: true }), { ask, done: '删除成功' })
  return (
    <Space>
      <Button type="link" size="small" aria-label={`修改 ${place_name}`} onClick={() => onEdit(row)}>修改</Button>
      <Button type="link" size="small" danger aria-label={`删除 ${place_name}`} onClick={() => void remove()}>删除</Button>
    </Space>
  )
}

type DialogProps = { row: LocationRow | null; onClose: () => void; onDone: () => void }

function LocationDialog({ row, onClose, onDone }: DialogProps): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, {})
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const typed = readPoint(values.point)
    if (!typed) return
    const { lng, lat } = convertPoint(typed, values.system, satellite)
    const draft = { place_id: row?.place_id ?? values.place_id, lng, lat, radius_m: values.radius_m, row_version: row?.row_version ?? 0 }
    if (!(await run(() => call(attendLocationApi.save, draft, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  const before = row ? { ...row, system: satellite, point: `${row.lng},${row.lat}` } : usual
  const isPoint = (_: unknown, text: string | undefined) =>
    text === undefined || text === '' || readPoint(text) ? Promise.resolve() : Promise.reject(new Error(wrong_point))
  const radius = `打卡半径应为${least_radius_m}到${most_radius_m}米`
  return (
    <AppModal
      open
      width={520}
      title={row ? `修改定位打卡点：${row.place_name}` : '新增定位打卡点'}
      okText="保存"
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>在中心半径内的手机可打卡；考勤规则接受“定位”的课程和时段才会采用。</p>
      <Form form={form} name="attend-location" layout="vertical" initialValues={before}>
        {!row && <Form.Item name="place_id" label="场所" rules={[{ required: true, message: '请选择场所' }]}><PlaceSelect /></Form.Item>}
        <Form.Item name="system" label="坐标来自"><Select options={systems} /></Form.Item>
        <Form.Item name="point" label="中心坐标" rules={[{ required: true, message: '请填写中心坐标' }, { validator: isPoint }]}>
          <Input maxLength={60} autoComplete="off" placeholder="经度,纬度，如120.382639,36.067108" />
        </Form.Item>
        <Form.Item name="radius_m" label="半径（米）" rules={[{ type: 'integer', min: least_radius_m, max: most_radius_m, required: true, message: radius }]}>
          <InputNumber className="kit-fill" />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
