import { maintenanceApi, Reason } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Button, DatePicker, Form, Input } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'

type Values = { begin_at: Dayjs | null; end_at: Dayjs; reason: string }
const homes = { 'devices.maintenanceSpan': 'end_at' }
const format = 'YYYY-MM-DD HH:mm'

/** Says that somebody will work at the chosen devices, so that nobody is told that they are off; or that the work is over. */
export function MaintenanceDialog({ chosen, onClose }: { chosen: readonly Device[]; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useDevicesChanged()
  const device_ids = chosen.map(device => device.device_id)
  const send = async (change: () => Promise<unknown>, done: string) => {
    if (!(await run(change, done))) return
    await changed()
    onClose()
  }
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { begin_at, end_at, reason } = values
    await send(() => call(maintenanceApi.declare, { device_ids, reason, end_at: end_at.toISOString(), ...(begin_at ? { begin_at: begin_at.toISOString() } : {}) }, { quiet: true }), '设置成功')
  }
  const end = () => send(() => call(maintenanceApi.end, { device_ids }, { quiet: true }), '维护已结束')
  return (
    <AppModal
      open width={480} title={chosen.length === 1 ? `维护时段 ${chosen[0]?.device_name ?? ''}` : `维护时段（${chosen.length}台设备）`} onCancel={leaving(form, onClose)}
      footer={[<Button key="end" disabled={busy} onClick={() => void end()}>结束维护</Button>, <Button key="save" type="primary" loading={busy} onClick={() => void save()}>保存</Button>]}
    >
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? '维护期间设备离线不报警，数据照常下发。到结束时间还没有恢复，按离线报警时间报警。'} />
      <Form form={form} name="device-maintenance" layout="vertical" initialValues={{ begin_at: null }}>
        <Form.Item name="begin_at" label="开始时间" extra="不选则从现在开始"><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format={format} placeholder="现在" /></Form.Item>
        <Form.Item name="end_at" label="结束时间" required rules={[{ required: true, message: '请选择结束时间' }]}><DatePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format={format} /></Form.Item>
        <Form.Item name="reason" label="原因" required rules={[ruleOf(Reason)]}><Input.TextArea maxLength={200} rows={2} placeholder="例如：停电检修、更换门锁" /></Form.Item>
      </Form>
    </AppModal>
  )
}
