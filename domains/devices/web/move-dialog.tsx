import { deviceApi } from '@campus/devices/contract'
import type { Device } from '@campus/devices/contract'
import { AppModal, call, useDictionary, useSaving } from '@kit/web'
import { Alert, Form, Radio, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { useDevicesChanged } from './use-devices.ts'
import { usePlaceChoices } from './use-places.ts'

type Values = { place_id: string | null; direction: 1 | 2 | 3 }

/** Puts a device somewhere else from now on; where it stood before stays in its history. */
export function MoveDialog({ device, onClose }: { device: Pick<Device, 'device_id' | 'device_name' | 'place_id' | 'direction' | 'node_path_name'>; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const places = usePlaceChoices()
  const directions = useDictionary('DEVICE_DIRECTION').map(({ value, label }) => ({ value: Number(value), label }))
  const { busy, refused, run } = useSaving(form, { 'devices.devicePrivate': 'place_id' })
  const changed = useDevicesChanged()
  const save = async () => {
    const { place_id, direction } = form.getFieldsValue()
    if (!(await run(() => call(deviceApi.place, { device_id: device.device_id, place_id: place_id ?? null, direction }, { quiet: true }), '设置成功'))) return
    await changed()
    onClose()
  }
  return (
    <AppModal open width={520} title={`移动场所：${device.device_name}`} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <p className="device-hint">{device.node_path_name === null ? '现在没有绑定场所。' : `现在在：${device.node_path_name}`}移动立即生效，原场所的人员权限会先从设备上清除，再下发新场所的。</p>
      <Form form={form} name="device-move" layout="vertical" initialValues={{ place_id: device.place_id, direction: device.direction ?? 3 }}>
        <Form.Item name="place_id" label="新场所"><TreeSelect allowClear showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} placeholder="不绑定场所" /></Form.Item>
        <Form.Item name="direction" label="方向"><Radio.Group options={directions} /></Form.Item>
      </Form>
    </AppModal>
  )
}
