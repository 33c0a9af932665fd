import { control_kinds, control_phases, controlApi } from '@campus/exams/contract'
import type { ControlRow, ExamRow } from '@campus/exams/contract'
import { AppModal, call, instantText, useCan, useSaving } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Select, Table, Tag, Tooltip } from 'antd'
import type { ReactNode } from 'react'

type Devices = ControlRow['boards']
type Kind = ControlRow['lifted'][number]['kind']
const kinds: readonly Kind[] = ['board', 'door']
const colors: Readonly<Record<ControlRow['phase'], string>> = { draft: 'default', planned: 'blue', active: 'green', ended: 'default' }

/** 管制: which boards show the exam and which doors open for it, room by room (chapter 55 rule 31). */
export function ControlTab({ exam }: { exam: ExamRow }): ReactNode {
  const query = useCall(controlApi.read, { exam_id: exam.exam_id })
  const { open, close, dialog } = useDialog()
  const may_lift = useCan(controlApi.override)
  const lift = (row: ControlRow) => open(<LiftDialog row={row} onClose={close} onDone={() => void query.refetch()} />)
  const columns = [
    { key: 'session', title: '场次', width: 184, render: (_: unknown, row: ControlRow) =>
      `${instantText(row.from).slice(5, 16)} 起 ${row.session_name}` },
    { key: 'room', title: '考场', width: 160, render: (_: unknown, row: ControlRow) => `${row.room_number} ${row.place_name}` },
    { key: 'phase', title: '状态', width: 88, render: (_: unknown, row: ControlRow) =>
      <Tag color={colors[row.phase]}>{control_phases[row.phase]}</Tag> },
    { key: 'until', title: '结束', width: 120, render: (_: unknown, row: ControlRow) => instantText(row.until).slice(5, 16) },
    { key: 'boards', title: '班牌考场模式', width: 224, render: (_: unknown, row: ControlRow) => <DeviceTags list={row.boards} none="没有班牌" /> },
    { key: 'doors', title: '考场门禁', width: 224, render: (_: unknown, row: ControlRow) => <DeviceTags list={row.doors} none="没有门禁" /> },
    { key: 'people', title: '放行', width: 72, align: 'right' as const, render: (_: unknown, row: ControlRow) =>
      (row.doors.length === 0 ? '—' : `${row.people}人`) },
    { key: 'lifted', title: '已解除', width: 152, render: (_: unknown, row: ControlRow) => row.lifted.map(one => (
      <Tooltip key={one.kind} title={`${one.by_name} ${instantText(one.at).slice(5, 16)}：${one.reason}`}><Tag color="orange">{control_kinds[one.kind]}</Tag></Tooltip>
    )) },
    { key: 'act', title: '', width: 72, render: (_: unknown, row: ControlRow) => may_lift && (row.phase === 'planned'
      || row.phase === 'active')
      && row.lifted.length < kinds.length
      && <Button type="link" size="small" aria-label={`解除管制 ${row.session_name} ${row.room_number}考场`} onClick={() => lift(row)}>解除</Button> },
  ]
  return (
    <>
      <div className="exam-head">
        <small>发布安排后自动下达：开考前30分钟班牌显示考场信息，只有本场考生和监考能开考场门，到场次结束自动失效；校门不受影响</small>
        <Button className="exam-spring" onClick={() => void query.refetch()}>刷新</Button>
      </div>
      <Loaded query={query} rows={8}>
        {({ list }) => (
          <Table<ControlRow>
            size="small" rowKey={row =>
              `${row.session_id} ${row.room_id}`} columns={columns} dataSource={list} pagination={{ pageSize: 50, showSizeChanger: false }}
            scroll={{ x: 1296, y: 'calc(100vh - 340px)' }} locale={{ emptyText: '还没有编排座位：管制按使用的考场下达' }}
          />
        )}
      </Loaded>
      {dialog}
    </>
  )
}

function DeviceTags({ list, none }: { list: Devices; none: string }): ReactNode {
  if (list.length === 0) return <small>{none}</small>
  return list.map(one => <Tag key={one.device_name} color={one.online ? 'green' : 'orange'}>{one.device_name}{one.online
    ? '' : '（离线）'}</Tag>)
}

type DialogProps = { row: ControlRow; onClose: () => void; onDone: () => void }

/** Ends the exam mode of a board or the closing of a door in one room, with a reason. */
function LiftDialog({ row, onClose, onDone }: DialogProps): ReactNode {
  const [form] = Form.useForm<{ kind: Kind; reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const left = kinds.filter(kind => !row.lifted.some(one => one.kind === kind))
  const save = async () => {
    const values = await form.validateFields()
    const { session_id, room_id } = row
    if (!(await run(() => call(controlApi.override, { session_id, room_id, ...values }, { quiet: true }), '已解除'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open width={440} title={`解除管制：${row.session_name} ${row.room_number}考场`} okText="解除" okButtonProps={{ danger: true }}
      confirmLoading={busy} onOk={() => void save().catch(() => undefined)} onCancel={onClose}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="exam-control" layout="vertical" initialValues={{ kind: left[0] }}>
        <Form.Item name="kind" label="管制" extra="解除后到本场结束不再恢复；其他考场不受影响">
          <Select options={left.map(value => ({ value, label: control_kinds[value] }))} />
        </Form.Item>
        <Form.Item name="reason" label="原因" required rules={[{ required: true, min: 2, message: '请填写2至200个字的原因' }]}>
          <Input.TextArea rows={3} maxLength={200} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
