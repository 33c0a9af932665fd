import { audit_modes, reasonApi } from '@campus/access/contract'
import type { VisitorReason } from '@campus/access/contract'
import { AppModal, call, Can, leaving, PageFrame, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { readNumber, wholeRule } from '@kit/web/number'
import { Alert, Button, Form, Input, InputNumber, Select, Switch, Table, Tag, TreeSelect } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { usePlaceTree } from '../pass/pickers.tsx'
import '../pass/pass.css'

const modes: Readonly<Record<string, string>> = audit_modes
const mode_options = [1, 2, 3].map(value => ({ value, label: modes[String(value)] ?? '' }))

/** 访客事由: why people come, how long, who audits it and through which doors (chapter 35 §5). */
export default function VisitorReasons(): ReactNode {
  const query = useCall(reasonApi.list, {})
  const { open, close, dialog } = useDialog()
  const { act } = useAct([reasonApi.list, reasonApi.choices])
  const refresh = () => void query.refetch()
  const edit = (reason: VisitorReason | null) => open(<ReasonDialog reason={reason} onClose={close} onDone={refresh} />)
  const remove = ({ reason_code, reason_name }: VisitorReason) => void act(() => call(reasonApi.remove, { reason_code }, { quiet: true }), { ask: { title: `确定删除事由“${reason_name}”吗？`, ok: '删除' }, done: '删除成功!' })
  return (
    <PageFrame actions={<Can code={reasonApi.create}><Button type="primary" onClick={() => edit(null)}>新增</Button></Can>}>
      <Loaded query={query}>
        {({ list }) => {
          const move = (at: number, by: number) => {
            const codes = list.map(one => one.reason_code)
            const [moved = ''] = codes.splice(at, 1)
            codes.splice(at + by, 0, moved)
            void act(() => call(reasonApi.sort, { reason_codes: codes }, { quiet: true }))
          }
          return <Table<VisitorReason> size="small" rowKey="reason_code" pagination={false} dataSource={list} columns={[...columns, actColumn(list.length, { edit, remove, move })]} locale={{ emptyText: '还没有事由' }} data-ready="list" />
        }}
      </Loaded>
      {dialog}
    </PageFrame>
  )
}

const columns: TableColumnType<VisitorReason>[] = [
  { title: '编码', dataIndex: 'reason_code', width: 80 }, { title: '名称', dataIndex: 'reason_name' }, { title: '默认时长(分钟)', dataIndex: 'default_minutes', width: 120, align: 'right' },
  { title: '审核方式', key: 'audit', width: 140, render: (_, row) => (row.audit_mode === null ? '按学校设置' : modes[String(row.audit_mode)]) }, { title: '路线', key: 'route', width: 110, render: (_, row) => (row.place_ids.length === 0 ? '默认通行门' : `${row.place_ids.length}个门`) },
  { title: '需关联学生', key: 'student', width: 100, render: (_, row) => (row.need_student ? '是' : '否') }, { title: '状态', key: 'status', width: 80, render: (_, row) => <Tag color={row.status === 1 ? 'green' : 'default'}>{row.status === 1 ? '启用' : '停用'}</Tag> },
]

type Acts = { edit: (reason: VisitorReason) => void; remove: (reason: VisitorReason) => void; move: (at: number, by: number) => void }

function actColumn(count: number, { edit, remove, move }: Acts): TableColumnType<VisitorReason> {
  return {
    title: '操作', key: 'act', width: 220,
    render: (_, row, at) => (
      <Can code={reasonApi.update}>
        <Button type="link" size="small" disabled={at === 0} aria-label={`上移 ${row.reason_name}`} onClick={() => move(at, -1)}>上移</Button>
        <Button type="link" size="small" disabled={at === count - 1} aria-label={`下移 ${row.reason_name}`} onClick={() => move(at, 1)}>下移</Button>
        <Button type="link" size="small" aria-label={`编辑 ${row.reason_name}`} onClick={() => edit(row)}>编辑</Button>
        <Button type="link" size="small" danger aria-label={`删除 ${row.reason_name}`} onClick={() => remove(row)}>删除</Button>
      </Can>
    ),
  }
}

type Values = { reason_name: string; default_minutes: number; audit_mode?: number | null; place_ids: string[]; need_student: boolean; status: boolean }

function ReasonDialog({ reason, onClose, onDone }: { reason: VisitorReason | null; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, { 'access.reasonName': 'reason_name' })
  const places = usePlaceTree()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const body = { ...values, audit_mode: values.audit_mode ?? null, status: values.status ? (1 as const) : (0 as const) }
    const write = () => (reason === null ? call(reasonApi.create, body, { quiet: true }) : call(reasonApi.update, { ...body, reason_code: reason.reason_code, row_version: reason.row_version }, { quiet: true }))
    if (!(await run(write, '操作成功'))) return
    onDone()
    onClose()
  }
  const first = reason === null ? { default_minutes: 60, place_ids: [], need_student: false, status: true } : { ...reason, status: reason.status === 1 }
  return (
    <AppModal open width={480} title={reason === null ? '新增事由' : '编辑事由'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="visitor-reason" layout="vertical" initialValues={first}>
        <Form.Item name="reason_name" label="名称" rules={[{ required: true, whitespace: true, message: '请填写名称' }]}><Input maxLength={20} /></Form.Item>
        <Form.Item name="default_minutes" label="默认时长(分钟)" rules={[{ required: true, message: '请填写默认时长' }, wholeRule(10, 720)]}>
          <InputNumber className="kit-fill" precision={0} parser={readNumber} />
        </Form.Item>
        <Form.Item name="audit_mode" label="审核方式"><Select allowClear placeholder="按学校设置" options={mode_options} /></Form.Item>
        <Form.Item name="place_ids" label="路线"><TreeSelect multiple allowClear treeData={places} placeholder="默认通行门" /></Form.Item>
        <Form.Item name="need_student" label="需关联学生" valuePropName="checked"><Switch /></Form.Item>
        <Form.Item name="status" label="启用" valuePropName="checked"><Switch /></Form.Item>
      </Form>
    </AppModal>
  )
}
