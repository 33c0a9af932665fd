import { Reason, syncApi } from '@campus/devices/contract'
import type { HeldPlan } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { groupsText, heldShare, lostWay } from './held-text.ts'
import { useDevicesChanged } from './use-devices.ts'

type Values = { plan_ids: string[]; reason: string }

/** Signs one such change, or those of several that are chosen, with a reason. */
export function SignDialog({ plans, onClose }: { plans: readonly HeldPlan[]; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const changed = useDevicesChanged()
  const chosen = Form.useWatch('plan_ids', form) ?? []
  const [only, ...others] = plans
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const signed = await run(async () => {
      for (const { plan_id } of plans.filter(plan => values.plan_ids.includes(plan.plan_id))) await call(syncApi.hold_confirm, { plan_id, reason: values.reason }, { quiet: true })
    }, '已确认，正在从设备删除')
    await changed()
    if (signed) onClose()
  }
  if (!only) return null
  const is_one = others.length === 0
  return (
    <AppModal
      open width={is_one ? 480 : 640} title={is_one ? `确认从“${only.device_name}”删除${only.persons}人` : '批量删除等待确认'} okText={is_one ? '确认删除' : `确认删除（${chosen.length}台）`} okButtonProps={{ danger: true }}
      confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}
    >
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? (is_one ? `设备上现有${only.persons_total}人，确认后${groupsText(only)}不能再${lostWay(only)}。` : '请核对每台设备要删除的人员，只勾选确实要删除的设备。不勾选的继续暂停。')} />
      <Form form={form} name="device-hold" layout="vertical" initialValues={{ plan_ids: is_one ? [only.plan_id] : [] }}>
        <Form.Item name="plan_ids" label="设备" hidden={is_one} rules={[{ required: true, message: '请勾选要确认的设备' }]}>
          <Checkbox.Group className="device-held-list" options={plans.map(plan => ({ value: plan.plan_id, label: lineOf(plan) }))} />
        </Form.Item>
        <Form.Item name="reason" label="原因" required rules={[ruleOf(Reason)]}><Input.TextArea maxLength={200} rows={2} placeholder="例如：毕业班离校、调整通行范围" /></Form.Item>
      </Form>
    </AppModal>
  )
}

function lineOf(plan: HeldPlan): string {
  return `${plan.device_name}：删除${plan.persons}人（占${heldShare(plan)}%），${groupsText(plan)}不能再${lostWay(plan)}`
}
