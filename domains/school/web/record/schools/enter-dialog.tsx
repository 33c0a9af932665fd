import { schoolManageApi } from '@campus/school/contract'
import type { SchoolListRow } from '@campus/school/contract'
import { AppModal, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { schoolPorts } from '../../ports.ts'

const reason_rule = schoolManageApi.suspend.details.body?.shape.reason

/** Asks why another school is entered, then turns the session into one there. */
export function EnterDialog({ school, onClose }: { school: SchoolListRow; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const enter = async () => {
    const values = await validValues(form)
    if (values) await run(() => schoolPorts().enter(school.school_id, values.reason))
  }
  return (
    <AppModal open width={480} title={`进入：${school.school_name}`} okText="进入" confirmLoading={busy} onOk={() => void enter()} onCancel={onClose}>
      <p className="record-hint">您将以超级管理员身份进入该校，原因记入该校的操作日志，该校管理员可以查看。</p>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="record-refused" />}
      <Form form={form} name="school-enter" layout="vertical" className="record-dialog">
        <Form.Item name="reason" label="进入原因" required rules={reason_rule && [ruleOf(reason_rule)]}><Input maxLength={60} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
