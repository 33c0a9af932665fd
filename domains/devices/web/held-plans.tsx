import { Reason, syncApi } from '@campus/devices/contract'
import type { HeldPlan } from '@campus/devices/contract'
import { AppModal, call, Can, instantText, leaving, ruleOf, useCan, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Input } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'

const look_ms = 30_000
const whole = 100

/** Changes that take so many people from a device that somebody has to sign them; nothing while there are none. */
export function HeldPlans(): ReactNode {
  const sees = useCan(syncApi.holds)
  const [signing, sign] = useState<HeldPlan | null>(null)
  const plans = useQuery({ queryKey: [syncApi.holds.call], queryFn: async ({ signal }) => (await call(syncApi.holds, {}, { signal, quiet: true })).list, refetchInterval: look_ms, enabled: sees }).data ?? []
  return (
    <>
      {plans.map(plan => (
        <Alert
          key={plan.plan_id} className="device-held" type="warning" showIcon title={`将从“${plan.device_name}”删除${plan.persons}人（占${shareOf(plan)}%），已暂停，请确认`}
          description={`${instantText(plan.held_at)} ${plan.node_path_name ?? ''} ${plan.names.join('、')}${plan.persons > plan.names.length ? '等' : ''}。确认前这些人仍可通行；如果是误操作，恢复他们的通行权限即可取消。`}
          action={<Can code={syncApi.hold_confirm}><Button danger aria-label={`确认删除 ${plan.device_name}`} onClick={() => sign(plan)}>确认删除</Button></Can>}
        />
      ))}
      {signing && <SignDialog plan={signing} onClose={() => sign(null)} />}
    </>
  )
}

/** Signs such a change with a reason. */
export function SignDialog({ plan, onClose }: { plan: HeldPlan; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<{ reason: string }>()
  const { busy, refused, run } = useSaving(form)
  const changed = useDevicesChanged()
  const save = async () => {
    const values = await form.validateFields().catch(() => null)
    if (!values) return
    if (!(await run(() => call(syncApi.hold_confirm, { plan_id: plan.plan_id, ...values }, { quiet: true }), '已确认，正在从设备删除'))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={480} title={`确认从“${plan.device_name}”删除${plan.persons}人`} okText="确认删除" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? `设备上现有${plan.persons_total}人，确认后${plan.persons}人不能再从这里通行。`} />
      <Form form={form} name="device-hold" layout="vertical"><Form.Item name="reason" label="原因" required rules={[ruleOf(Reason)]}><Input.TextArea maxLength={200} rows={2} placeholder="例如：毕业班离校、调整通行范围" /></Form.Item></Form>
    </AppModal>
  )
}

function shareOf({ persons, persons_total }: HeldPlan): number {
  return persons_total === 0 ? whole : Math.round((persons / persons_total) * whole)
}
