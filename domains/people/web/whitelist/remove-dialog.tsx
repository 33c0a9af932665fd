import { whitelistApi } from '@campus/people/contract'
import type { WhitelistRow } from '@campus/people/contract'
import { AppModal, call, leaving, useSaving } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { validated } from '../refused.ts'

const named = 3

/** 移除, with its reason; what the channel holds goes when the channel says so. */
export function RemoveDialog({ rows, onClose, onDone }: { rows: readonly WhitelistRow[]; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const waits = rows.filter(row => row.state === 'active' || row.state === 'pushing').length
  const save = async () => {
    const values = await validated(form)
    if (!values || !(await run(() => call(whitelistApi.remove, { ids: rows.map(row => row.id), ...values }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={480} title="移除白名单" okText="移除" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>将移除 {rows.length} 条：{rows.slice(0, named).map(row => row.user_name).join('、')}{rows.length > named ? '等' : ''}。{waits > 0 ? `其中 ${waits} 条已提交支付渠道，渠道确认后才算移除。` : ''}</p>
      <Form form={form} name="whitelist-remove" layout="vertical">
        <Form.Item name="reason" label="原因" required rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input maxLength={100} placeholder="例如：账号有误" /></Form.Item>
      </Form>
    </AppModal>
  )
}
