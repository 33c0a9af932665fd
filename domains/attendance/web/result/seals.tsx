import { ATTEND_STATE, seal_state_names, sealApi } from '@campus/attendance/contract'
import type { SealRow } from '@campus/attendance/contract'
import { AppDrawer, AppModal, call, instantText, leaving, useSaving, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Button, Form, Input, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'

const colors = { open: 'blue', sealed: 'green', reopened: 'orange' } as const
const names: Readonly<Record<string, string>> = ATTEND_STATE.names
const most_digits = 12

/** 月度封存: what keeps a month open, its seal, and what came afterwards. */
export function Seals(): ReactNode {
  const { open, close, dialog } = useDialog()
  const query = useCall(sealApi.list, {})
  const { act, busy } = useAct([sealApi.list])
  const seal = ({ month, rows }: SealRow) =>
    act(() => call(sealApi.add, { month }, { quiet: true }), {
      ask: { title: `确定封存${month}的${rows}条考勤结果吗？封存后结果不再自动变化。`, ok: '封存' },
      done: `已封存${month}`,
    })
  const reopen = (row: SealRow) => open(<ReopenDialog of={row} onClose={close} onDone={() => void query.refetch()} />)
  const show = (row: SealRow) => open(<PendingDrawer of={row} onClose={close} />)
  return (
    <>
      <Loaded query={query} empty="还没有考勤结果，月份结束后可以在这里封存">
        {({ list }) => (
          <Table<SealRow>
            size="small"
            rowKey="month"
            dataSource={list}
            pagination={false}
            columns={columnsOf({ busy, seal, reopen, show })}
          />
        )}
      </Loaded>
      {dialog}
    </>
  )
}

function sealText({ state, sealed_name, sealed_at, reopened_name, reopen_reason }: SealRow): string {
  if (state === 'reopened') return `${reopened_name ?? ''} 解封：${reopen_reason ?? ''}`
  return sealed_at === null ? '' : `${sealed_name ?? ''} ${instantText(sealed_at)}`
}

function columnsOf(acts: Omit<ActsProps, 'of'>): TableColumnType<SealRow>[] {
  return [
    { key: 'month', dataIndex: 'month', title: '月份', width: 88 },
    { key: 'rows', dataIndex: 'rows', title: '结果', width: 96, align: 'right', className: 'kit-number' },
    { key: 'unverified', dataIndex: 'unverified', title: '待核实', width: 84, align: 'right', className: 'kit-number' },
    { key: 'unfinished', dataIndex: 'unfinished', title: '未完成', width: 84, align: 'right', className: 'kit-number' },
    {
      key: 'state',
      title: '状态',
      width: 96,
      render: (_: unknown, row) => <Tag color={colors[row.state]}>{seal_state_names[row.state]}</Tag>,
    },
    { key: 'sealed', title: '封存', width: 220, render: (_: unknown, row) => sealText(row) },
    {
      key: 'hash',
      title: '封存号',
      width: 128,
      render: (_: unknown, row) => (row.state === 'sealed' ? row.result_hash?.slice(0, most_digits) : ''),
    },
    {
      key: 'acts',
      title: '操作',
      width: 200,
      render: (_: unknown, row) => <Acts of={row} {...acts} />,
    },
  ]
}

type ActsProps = { of: SealRow; busy: boolean } & Record<'seal' | 'reopen' | 'show', (row: SealRow) => unknown>

function Acts({ of, busy, seal, reopen, show }: ActsProps): ReactNode {
  if (of.state !== 'sealed')
    return (
      <Button type="link" size="small" disabled={busy} aria-label={`封存 ${of.month}`} onClick={() => void seal(of)}>
        封存
      </Button>
    )
  return (
    <>
      <Button type="link" size="small" aria-label={`${of.month} 待处理差异`} onClick={() => show(of)}>
        待处理差异（{of.pending}）
      </Button>
      <Button type="link" size="small" danger aria-label={`解封 ${of.month}`} onClick={() => reopen(of)}>
        解封
      </Button>
    </>
  )
}

function PendingDrawer({ of, onClose }: { of: SealRow; onClose: () => void }): ReactNode {
  const query = useCall(sealApi.pending, { seal_id: of.seal_id ?? '0' })
  return (
    <AppDrawer title={`${of.month} 待处理差异`} size={560} onClose={onClose}>
      <Loaded query={query} empty="封存后没有新的记录，结果与封存时一致">
        {({ list }) => (
          <ul className="attend-pending">
            {list.map(row => (
              <li key={row.pending_key}>
                {row.lesson_date} {row.user_name} {row.text}
                {row.to_state !== null && `：${names[String(row.from_state)] ?? '无'} → ${names[String(row.to_state)] ?? ''}`}
                <small>{instantText(row.at)}</small>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </AppDrawer>
  )
}

function ReopenDialog({ of, onClose, onDone }: { of: SealRow; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (
      !values ||
      !(await run(() => call(sealApi.reopen, { seal_id: of.seal_id ?? '0', ...values }, { quiet: true }), `已解封${of.month}`))
    )
      return
    onDone()
    onClose()
  }
  return (
    <AppModal
      open
      width={480}
      title={`解封 ${of.month}`}
      okText="解封"
      okButtonProps={{ danger: true }}
      confirmLoading={busy}
      onOk={() => void save()}
      onCancel={leaving(form, onClose)}
    >
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>须由封存人以外的人员解封；解封后，{of.pending}条待处理差异将在重新计算时生效。</p>
      <Form form={form} name="attend-reopen" layout="vertical">
        <Form.Item
          name="reason"
          label="解封原因"
          rules={[
            { required: true, whitespace: true, message: '请填写解封原因' },
            { min: 2, message: '原因至少2个字' },
          ]}
        >
          <Input.TextArea rows={3} maxLength={200} showCount />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
