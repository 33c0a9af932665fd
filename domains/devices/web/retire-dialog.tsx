import { deviceApi, Reason } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'

type Values = { reason: string; is_lost: boolean }
const homes = { 'devices.deviceNotEmptied': 'is_lost' }

/** Takes a device out for good: asks why, and whether it is lost. */
export function RetireDialog({ device, onClose }: { device: Device; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useDevicesChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (!(await run(() => call(deviceApi.retire, { device_id: device.device_id, row_version: device.row_version, ...values }, { quiet: true }), '操作成功'))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={480} title={`退役 ${device.device_name}`} okText="退役" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? '退役后设备立即断开，接入密码失效，名称可以给其他设备使用，历史记录保留。退役不能撤销。'} />
      <Form form={form} name="device-retire" layout="vertical" initialValues={{ is_lost: false }}>
        <Form.Item name="reason" label="原因" required rules={[ruleOf(Reason)]}><Input.TextArea maxLength={200} rows={2} placeholder="例如：报废、遗失、更换新机" /></Form.Item>
        <Form.Item name="is_lost" valuePropName="checked" extra="设备还能连接时，先在“移动场所”中清空场所，等它删除全部人员后再退役。"><Checkbox>设备已遗失或损坏，数据无法清除</Checkbox></Form.Item>
      </Form>
    </AppModal>
  )
}
