import { presence_bases, presence_states, wallApi } from '@campus/access/contract'
import type { PresenceRow } from '@campus/access/contract'
import { AppDrawer, AppModal, call, instantText, leaving, useCan, useSaving, validValues } from '@kit/web'
import { useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Radio, Segmented, Table } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'

type Kind = 'student' | 'teacher'
type State = '0' | '1' | '2'
const names = (of: Readonly<Record<string, string>>, code: number) => of[String(code)] ?? ''

/** 谁在校: those of whom nothing is known first, with how it is known (chapter 35 §5). */
export function PresenceDrawer({ onClose }: { onClose: () => void }): ReactNode {
  const [kind, setKind] = useState<Kind>('student')
  const [state, setState] = useState<State>('1')
  const { open, close, dialog } = useDialog()
  const query = useCall(wallApi.presence, { kind, state }, { keep: true })
  const may_fix = useCan(wallApi.fix)
  const fix = (row: PresenceRow) => open(<FixDialog of={row} onClose={close} onDone={() => void query.refetch()} />)
  const acts: TableColumnType<PresenceRow>[] = may_fix ? [{ title: '操作', key: 'act', width: 72, render: (_, row) => <Button type="link" size="small" aria-label={`更正 ${row.user_name ?? ''}`} onClick={() => fix(row)}>更正</Button> }] : []
  return (
    <AppDrawer title="谁在校" size={760} onClose={onClose}>
      <p><Segmented<Kind> options={kinds} value={kind} onChange={setKind} /> <Segmented<State> options={states} value={state} onChange={setState} /></p>
      <Loaded query={query}>
        {({ list, total }) => (
          <>
            <p>{`共 ${total} 人${total > list.length ? `，列出前 ${list.length} 人` : ''}`}</p>
            <Table<PresenceRow> size="small" rowKey="user_id" pagination={{ pageSize: 20, showSizeChanger: false }} dataSource={list} columns={[...columns, ...acts]} locale={{ emptyText: '没有人' }} />
          </>
        )}
      </Loaded>
      {dialog}
    </AppDrawer>
  )
}

const kinds: { value: Kind; label: string }[] = [{ value: 'student', label: '学生' }, { value: 'teacher', label: '教职工' }]
const states: { value: State; label: string }[] = [{ value: '1', label: '在校' }, { value: '2', label: '离校' }, { value: '0', label: '未知' }]
const columns: TableColumnType<PresenceRow>[] = [
  { title: '姓名', dataIndex: 'user_name', width: 96 }, { title: '部门', dataIndex: 'dept_name' }, { title: '状态', key: 'state', width: 64, render: (_, row) => names(presence_states, row.state) },
  { title: '依据', key: 'basis', width: 64, render: (_, row) => (row.state === 0 ? '—' : names(presence_bases, row.basis)) },
  { title: '自', key: 'since', width: 132, render: (_, row) => (row.since === null ? '—' : instantText(row.since)) }, { title: '说明', key: 'note', render: (_, row) => row.note ?? row.place_name ?? '' },
]

function FixDialog({ of, onClose, onDone }: { of: PresenceRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ state: 1 | 2; reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => call(wallApi.fix, { user_id: of.user_id, ...values }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={440} title={`更正 ${of.user_name ?? ''} 的在校状态`} okText="确定" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="presence-fix" layout="vertical" initialValues={{ state: of.state === 1 ? 2 : 1 }}>
        <Form.Item name="state" label="实际状态"><Radio.Group options={[{ value: 1, label: '在校' }, { value: 2, label: '离校' }]} /></Form.Item>
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, min: 2, message: '请填写原因' }]}><Input.TextArea maxLength={100} showCount rows={2} /></Form.Item>
      </Form>
    </AppModal>
  )
}
