import { syncApi } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import { AppModal, call, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'

/** Writes everything a device holds anew; the name is typed, so that it is the right one. */
export function RebuildDialog({ device, onClose }: { device: Device; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<{ confirm: string }>()
  const { busy, refused, run } = useSaving(form)
  const changed = useDevicesChanged()
  const { device_id, device_name } = device
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    if (!(await run(() => call(syncApi.resync, { id: device_id, mode: 'rebuild', ...values }, { quiet: true }), '已开始重建'))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={480} title={`重建 ${device_name}`} okText="重建" okButtonProps={{ danger: true }} confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? '把这台设备的全部数据重新下发一遍，然后回读核对。期间可以照常通行，人数多时需要几分钟。'} />
      <Form form={form} name="device-rebuild" layout="vertical">
        <Form.Item name="confirm" label="设备名称" required rules={[{ validator: (_rule, typed: string | undefined) => (typed?.trim() === device_name ? Promise.resolve() : Promise.reject(new Error(`请输入设备名称“${device_name}”，确认重建`))) }]}>
          <Input maxLength={50} placeholder={device_name} />
        </Form.Item>
      </Form>
    </AppModal>
  )
}
