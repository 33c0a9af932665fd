import { signApi } from '@campus/people/contract'
import type { SignRow } from '@campus/people/contract'
import { AppModal, call, JobProgress, leaving, useJob, useSaving } from '@kit/web'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { validated } from '../refused.ts'

const named = 3

/** 解约, with its reason; then how far the job is, with a result for each contract. */
export function TerminateDialog({ rows, onClose, onDone }: { rows: readonly SignRow[]; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const [job_no, setJob] = useState<string | null>(null)
  const job = useJob(job_no)
  const close = () => {
    if (job_no !== null) onDone()
    onClose()
  }
  const start = async () => {
    const values = await validated(form)
    if (!values) return
    await run(async () => {
      const started = await call(signApi.terminate, { sign_ids: rows.flatMap(row => row.sign_id ?? []), ...values }, { quiet: true })
      setJob(started.job_no)
    })
  }
  const footer = job_no === null ? undefined : <Button onClick={close}>关闭</Button>
  return (
    <AppModal open width={520} title="解约" okText="申请解约" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void start()} onCancel={job_no === null ? leaving(form, close) : close} {...(footer ? { footer } : {})}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>将解约 {rows.length} 份：{rows.slice(0, named).map(row => row.user_name).join('、')}{rows.length > named ? '等' : ''}。提交后为“解约中”，不再扣款，支付渠道确认后才算解约；24小时没有答复的显示“待人工核对”。</p>
      {job_no === null && (
        <Form form={form} name="sign-terminate" layout="vertical">
          <Form.Item name="reason" label="原因" required rules={[{ required: true, whitespace: true, message: '请填写原因' }]}><Input maxLength={100} placeholder="例如：家长申请" /></Form.Item>
        </Form>
      )}
      {job && <JobProgress job={job} />}
    </AppModal>
  )
}
