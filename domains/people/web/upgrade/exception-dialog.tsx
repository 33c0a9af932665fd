import { UPGRADE_EXCEPTION, upgrade_exceptions } from '@campus/people/contract'
import type { UpgradeException, UpgradePlan } from '@campus/people/contract'
import { AppModal, leaving, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input, Select } from 'antd'
import type { ReactNode } from 'react'
import { PersonPicker } from '../picker/person-picker.tsx'
import { nameAfter } from './flow.ts'
import type { PlanPatch } from './use-upgrade.ts'

const class_type = 4

type Values = { user_id: string; action: UpgradeException; target_dept_id?: string; reason: string }
type Props = { plan: UpgradePlan; save: (patch: PlanPatch) => Promise<unknown>; onClose: () => void }

/** One more pupil who does otherwise than his class. */
export function ExceptionDialog({ plan, save, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const action = Form.useWatch('action', form)
  const classes = plan.items.filter(item => item.dept_type === class_type && item.action !== null && item.action !== 'GRADUATE' && item.action !== 'CLOSE')
  const submit = async () => {
    const values = await validValues(form)
    if (!values) return
    const kept = plan.people.filter(person => person.user_id !== values.user_id).map(({ user_id, action: what, target_dept_id, reason }) => ({ user_id, action: what, target_dept_id, reason }))
    const target_dept_id = values.action === 'OUT' ? null : (values.target_dept_id ?? null)
    if (await run(() => save({ people: [...kept, { ...values, target_dept_id }] }), '例外已添加')) onClose()
  }
  return (
    <AppModal open title="添加例外学生" okText="添加" confirmLoading={busy} onOk={() => void submit()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} layout="vertical" onFinish={() => void submit()}>
        <Form.Item name="user_id" label="学生" rules={[{ required: true, message: '请选择学生' }]}>
          <PersonPicker of={['student']} />
        </Form.Item>
        <Form.Item name="action" label="类型" rules={[{ required: true, message: '请选择类型' }]}>
          <Select options={upgrade_exceptions.map(value => ({ value, label: UPGRADE_EXCEPTION.names[value] }))} placeholder="请选择" />
        </Form.Item>
        {action !== undefined && action !== 'OUT' && (
          <Form.Item name="target_dept_id" label="要去的班级" rules={[{ required: true, message: '请选择要去的班级' }]}>
            <Select
              showSearch={{ optionFilterProp: 'label' }} placeholder="请选择"
              options={classes.map(item => ({ value: item.dept_id, label: `${item.dept_name} → ${item.new_name ?? nameAfter(item.dept_name, item.from_grade, item.to_grade)}` }))}
            />
          </Form.Item>
        )}
        <Form.Item name="reason" label="原因" rules={[{ required: true, whitespace: true, message: '请填写原因' }]}>
          <Input maxLength={200} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
