import { ErasureAsk, erasureApi } from '@campus/devices/contract'
import type { Erasure } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ErasureSheet } from './erasure-sheet.tsx'

type Values = { user_no: string; reason: string }
const { user_no, reason } = ErasureAsk.shape

/** Takes out the certificate of one person's face, for a reason; then it is shown to be printed. */
export function ErasureDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const [issued, setIssued] = useState<Erasure | null>(null)
  const { busy, refused, run } = useSaving(form, { 'devices.erasureUnknown': 'user_no' })
  const issue = async () => {
    const values = await validValues(form)
    if (values) await run(async () => setIssued(await call(erasureApi.issue, values, { quiet: true })))
  }
  if (issued) return <ErasureSheet erasure={issued} onClose={onClose} />
  return (
    <AppModal open width={480} title="人脸清除证明" okText="出具" confirmLoading={busy} onOk={() => void issue()} onCancel={leaving(form, onClose)}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? '列出保存过此人人脸的每台设备、设备的删除确认和回读核对结果。出具人和原因记入操作日志。'} />
      <Form form={form} name="device-erasure" layout="vertical">
        <Form.Item name="user_no" label="学号或工号" required rules={[ruleOf(user_no)]}><Input maxLength={64} placeholder="完整的学号或工号" /></Form.Item>
        <Form.Item name="reason" label="原因" required rules={[ruleOf(reason)]}><Input.TextArea maxLength={200} rows={2} placeholder="例如：家长撤回人脸采集同意，要求提供清除证明" /></Form.Item>
      </Form>
    </AppModal>
  )
}
