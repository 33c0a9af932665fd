import { schoolManageApi } from '@campus/school/contract'
import type { SchoolListRow } from '@campus/school/contract'
import { AppModal, call, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'

const name_rule = schoolManageApi.update.details.body?.shape.school_name

/** Gives a school another name. */
export function NameDialog({ school, onClose, onSaved }: { school: SchoolListRow; onClose: () => void; onSaved: () => Promise<unknown> }): ReactNode {
  const [form] = Form.useForm<{ school_name: string }>()
  const { busy, refused, run } = useSaving(form)
  const { school_id: id, school_name, row_version } = school
  const save = async () => {
    const values = await validValues(form)
    if (values && (await run(() => call(schoolManageApi.update, { id, row_version, ...values }, { quiet: true }), '修改成功'))) await onSaved()
  }
  return (
    <AppModal open width={480} title={`改名：${school_name}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} className="record-refused" />}
      <Form form={form} name="school-name" layout="vertical" initialValues={{ school_name }}>
        <Form.Item name="school_name" label="学校名称" required rules={name_rule && [ruleOf(name_rule)]}><Input maxLength={30} showCount /></Form.Item>
      </Form>
    </AppModal>
  )
}
