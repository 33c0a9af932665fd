import { UPGRADE_ACTION } from '@campus/people/contract'
import type { UpgradeAction, UpgradeItem, UpgradePlan } from '@campus/people/contract'
import { AppModal, leaving, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input, Radio } from 'antd'
import type { ReactNode } from 'react'
import type { PlanPatch } from './use-upgrade.ts'

const grade_type = 3
/** What a class may do while its grade does that. */
const of_class: Readonly<Record<UpgradeAction, readonly UpgradeAction[]>> = { UPGRADE: ['UPGRADE', 'CLOSE'], GRADUATE: ['GRADUATE', 'CLOSE'], CONTINUE: ['CONTINUE', 'GRADUATE', 'CLOSE'], HOLD: ['HOLD', 'CLOSE'], CLOSE: ['CLOSE'] }
const of_grade: readonly UpgradeAction[] = ['UPGRADE', 'CONTINUE', 'GRADUATE', 'HOLD', 'CLOSE']

type Values = { action: UpgradeAction; new_name?: string; is_pool?: boolean }
type Props = { plan: UpgradePlan; item: UpgradeItem; save: (patch: PlanPatch) => Promise<unknown>; onClose: () => void }

/** Where one grade, with all its classes, or one class goes. */
export function ItemDialog({ plan, item, save, onClose }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const is_grade = item.dept_type === grade_type
  const above = plan.items.find(one => one.dept_id === item.parent_id)?.action ?? null
  const choices = is_grade || above === null ? of_grade : of_class[above]
  const action = Form.useWatch('action', form) ?? item.action
  const submit = async () => {
    const values = await validValues(form)
    if (!values) return
    const own = { dept_id: item.dept_id, action: values.action, new_name: values.new_name?.trim() || null, is_pool: values.is_pool ?? false }
    const below = is_grade && values.action !== item.action ? plan.items.filter(one => one.parent_id === item.dept_id).map(one => ({ dept_id: one.dept_id, action: values.action })) : []
    if (await run(() => save({ items: [own, ...below] }), '去向已保存')) onClose()
  }
  return (
    <AppModal open title={`${item.dept_name}的去向`} okText="保存" confirmLoading={busy} onOk={() => void submit()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p>{item.pupils} 名学生{is_grade && '，所选去向适用于该年级的全部班级'}</p>
      <Form form={form} layout="vertical" initialValues={{ action: item.action, new_name: item.new_name ?? '', is_pool: item.is_pool }} onFinish={() => void submit()}>
        <Form.Item name="action" label="去向" rules={[{ required: true, message: '请选择去向' }]}>
          <Radio.Group options={choices.map(value => ({ value, label: UPGRADE_ACTION.names[value] }))} />
        </Form.Item>
        {(action === 'UPGRADE' || action === 'CONTINUE') && (
          <Form.Item name="new_name" label="新名称（不填则按年级自动生成）">
            <Input maxLength={30} showCount placeholder="例如：七年级1班" />
          </Form.Item>
        )}
        {is_grade && action === 'CONTINUE' && (
          <Form.Item name="is_pool" valuePropName="checked">
            <Checkbox>全部进入“待分班”，之后重新分班（不勾选则按原班级升入）</Checkbox>
          </Form.Item>
        )}
      </Form>
    </AppModal>
  )
}
