import { exemptApi, rule_kinds } from '@campus/attendance/contract'
import type { ExemptRow } from '@campus/attendance/contract'
import { AppModal, call, leaving, schoolToday, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Checkbox, DatePicker, Form, Input, Select, Table } from 'antd'
import { dayjs } from '@kit/web/day'
import type { Dayjs } from 'dayjs'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PersonPicker } from '@campus/people/web'

type Values = { user_id: string; kind?: 'course' | 'clock'; weekdays: number[]; days: [Dayjs, Dayjs]; reason: string }
const names = ['一', '二', '三', '四', '五', '六', '日']
const weekdays = names.map((name, value) => ({ value, label: `周${name}` }))
const page_size = 20

/** 免考勤: who need not clock, on which days, and why. */
export function ExemptTab(): ReactNode {
  const [page_index, turn] = useState(1)
  const query = useCall(exemptApi.list, { page_index }, { keep: true })
  const { open, close, dialog } = useDialog()
  const add = () => open(<ExemptDialog onClose={close} onDone={() => void query.refetch()} />)
  const columns = [
    { key: 'name', title: '姓名', width: 96, dataIndex: 'user_name' },
    { key: 'dept', title: '班级/部门', width: 140, dataIndex: 'dept_name' },
    { key: 'kind', title: '类型', width: 96, render: (_: unknown, row: ExemptRow) => (row.kind === null ? '全部' : rule_kinds[row.kind]) },
    { key: 'week', title: '星期', width: 140, render: (_: unknown, row: ExemptRow) => (row.weekdays === null ? '每天' : names.filter((_name, at) => row.weekdays?.[at] === '1').join('、')) },
    { key: 'days', title: '日期', width: 192, render: (_: unknown, row: ExemptRow) => `${row.valid_from}至${row.valid_to}` },
    { key: 'reason', title: '原因', dataIndex: 'reason' },
    { key: 'acts', title: '操作', width: 80, render: (_: unknown, row: ExemptRow) => <End row={row} /> },
  ]
  return (
    <>
      <Button type="primary" className="attend-search" onClick={add}>新增免考勤</Button>
      <Loaded query={query} rows={6} empty="没有免考勤人员" isEmpty={({ total }) => total === 0}>
        {({ list, total }) => <Table<ExemptRow> size="small" rowKey="exempt_id" columns={columns} dataSource={list} pagination={{ current: page_index, pageSize: page_size, total, onChange: turn, showSizeChanger: false }} />}
      </Loaded>
      {dialog}
    </>
  )
}

function End({ row }: { row: ExemptRow }): ReactNode {
  const { act } = useAct([exemptApi.list])
  const ask = { title: `结束“${row.user_name}”的免考勤？`, touches: '从今天起恢复考勤，今天以前不变。', ok: '结束' }
  return <Button type="link" size="small" danger aria-label={`结束 ${row.user_name}`} onClick={() => void act(() => call(exemptApi.remove, { id: row.exempt_id }, { quiet: true }), { ask, done: '已结束' })}>结束</Button>
}

function ExemptDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'attend.exemptOverlap': 'days' })
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { days: [from, to], weekdays: chosen, kind = null, ...rest } = values
    const flags = chosen.length === 0 || chosen.length === names.length ? null : names.map((_name, at) => (chosen.includes(at) ? '1' : '0')).join('')
    const draft = { ...rest, kind, weekdays: flags, valid_from: from.format('YYYY-MM-DD'), valid_to: to.format('YYYY-MM-DD') }
    if (!(await run(() => call(exemptApi.add, draft, { quiet: true }), '设置成功'))) return
    onDone()
    onClose()
  }
  const today = dayjs(schoolToday())
  return (
    <AppModal open width={520} title="新增免考勤" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="attend-exempt" layout="vertical" initialValues={{ weekdays: [], days: [today, today.add(1, 'month')] }}>
        <Form.Item name="user_id" label="人员" rules={[{ required: true, message: '请选择人员' }]}><PersonPicker of={['student', 'teacher']} /></Form.Item>
        <Form.Item name="kind" label="类型"><Select allowClear placeholder="课程和班级打卡" options={Object.entries(rule_kinds).map(([value, label]) => ({ value, label }))} /></Form.Item>
        <Form.Item name="weekdays" label="星期" extra="不选为每天"><Checkbox.Group options={weekdays} /></Form.Item>
        <Form.Item name="days" label="日期" rules={[{ required: true, message: '请选择日期' }]}><DatePicker.RangePicker className="kit-fill" allowClear={false} /></Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, min: 2, message: '请填写原因' }]}><Input.TextArea maxLength={200} showCount rows={2} /></Form.Item>
      </Form>
    </AppModal>
  )
}
