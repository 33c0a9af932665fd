import { deviceApi, DeviceDraft, Reason } from '@campus/devices/contract'
import type { Device, DeviceSetup } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Checkbox, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'

type Values = { device_sn: string; reason: string; is_lost: boolean }
const homes = { 'devices.deviceSnTaken': 'device_sn', 'devices.deviceClientConflict': 'device_sn', 'devices.deviceNotEmptied': 'is_lost' }

/** A new piece of hardware takes the place and the name of another one, which is retired. */
export function ReplaceDialog({ device, onClose, onSetup }: { device: Device; onClose: () => void; onSetup: (setup: DeviceSetup) => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useDevicesChanged()
  const { device_id, row_version, device_name, model_name, node_path_name } = device
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const told: { setup?: DeviceSetup | null } = {}
    if (!(await run(async () => void (told.setup = (await call(deviceApi.replace, { device_id, row_version, ...values }, { quiet: true })).setup), '更换成功'))) return
    await changed()
    onClose()
    if (told.setup) onSetup(told.setup)
  }
  return (
    <AppModal open width={520} title={`更换 ${device_name}`} okText="更换" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? `新设备沿用名称“${device_name}”、型号${model_name}和场所${node_path_name ?? '（未绑定）'}，连接后自动下发全部数据；旧设备立即退役。`} />
      <Form form={form} name="device-replace" layout="vertical" initialValues={{ is_lost: false }}>
        <Form.Item name="device_sn" label="新设备序列号" required rules={[ruleOf(DeviceDraft.shape.device_sn)]}><Input maxLength={64} /></Form.Item>
        <Form.Item name="reason" label="原因" required rules={[ruleOf(Reason)]}><Input.TextArea maxLength={200} rows={2} placeholder="例如：损坏、遗失、升级换代" /></Form.Item>
        <Form.Item name="is_lost" valuePropName="checked" extra="旧设备还能连接时，先在“移动场所”中清空场所，等它删除全部人员后再更换。"><Checkbox>旧设备已遗失或损坏，数据无法清除</Checkbox></Form.Item>
      </Form>
    </AppModal>
  )
}
