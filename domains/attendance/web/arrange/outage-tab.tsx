import { outage_bases, outageApi } from '@campus/attendance/contract'
import type { OutageRow } from '@campus/attendance/contract'
import { AppModal, call, instantText, leaving, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, DatePicker, Form, Input, Table } from 'antd'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PlaceSelect } from './scope-select.tsx'

type Values = { place_id: string; span: [Dayjs, Dayjs]; reason: string }
const page_size = 20

/** 设备中断: when rooms could see nothing; who was expected there is 待核实 and never 缺勤. */
export function OutageTab(): ReactNode {
  const [page_index, turn] = useState(1)
  const query = useCall(outageApi.page, { page_index }, { keep: true })
  const { open, close, dialog } = useDialog()
  const add = () => open(<DeclareDialog onClose={close} onDone={() => void query.refetch()} />)
  const bases: Readonly<Record<string, string>> = outage_bases
  const columns = [
    { key: 'where', title: '场所/设备', width: 200, render: (_: unknown, row: OutageRow) => row.device_name ?? row.place_name ?? '' },
    { key: 'basis', title: '来源', width: 96, render: (_: unknown, row: OutageRow) => bases[row.basis] },
    { key: 'begin', title: '开始', width: 152, render: (_: unknown, row: OutageRow) => instantText(row.begin_at) },
    { key: 'end', title: '结束', width: 152, render: (_: unknown, row: OutageRow) => (row.end_at === null ? '未恢复' : instantText(row.end_at)) },
    { key: 'rows', title: '待核实', width: 80, align: 'right' as const, dataIndex: 'rows' },
    { key: 'reason', title: '说明', dataIndex: 'reason' },
    { key: 'acts', title: '操作', width: 80, render: (_: unknown, row: OutageRow) => <Close row={row} /> },
  ]
  return (
    <>
      <Button type="primary" className="attend-search" onClick={add}>登记中断</Button>
      <Loaded query={query} rows={6} empty="没有设备中断" isEmpty={({ total }) => total === 0}>
        {({ list, total }) => <Table<OutageRow> size="small" rowKey="outage_id" columns={columns} dataSource={list} pagination={{ current: page_index, pageSize: page_size, total, onChange: turn, showSizeChanger: false }} />}
      </Loaded>
      {dialog}
    </>
  )
}

function Close({ row }: { row: OutageRow }): ReactNode {
  const { act } = useAct([outageApi.page])
  if (row.end_at !== null && row.basis === 'link') return null
  const name = row.device_name ?? row.place_name ?? ''
  const ask = { title: `结束“${name}”的中断？`, touches: '结束后按设备记录重新判定考勤。', ok: '结束' }
  return <Button type="link" size="small" aria-label={`结束 ${name}`} onClick={() => void act(() => call(outageApi.close, { id: row.outage_id }, { quiet: true }), { ask, done: '已结束' })}>结束</Button>
}

function DeclareDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'attend.outageSpan': 'span' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { span: [begin, end], ...rest } = values
    if (!(await run(() => call(outageApi.declare, { ...rest, begin_at: begin.toISOString(), end_at: end.toISOString() }, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={520} title="登记中断" okText="登记" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>停电、设备故障等期间没有打卡记录的场所，登记后该时段的考勤为待核实，由任课教师批量补录。</p>
      <Form form={form} name="attend-outage" layout="vertical">
        <Form.Item name="place_id" label="场所" rules={[{ required: true, message: '请选择场所' }]}><PlaceSelect /></Form.Item>
        <Form.Item name="span" label="时间" rules={[{ required: true, message: '请选择时间' }]}><DatePicker.RangePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, min: 2, message: '请填写原因' }]}><Input maxLength={200} autoComplete="off" /></Form.Item>
      </Form>
    </AppModal>
  )
}
