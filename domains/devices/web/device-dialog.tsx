import { camera_type, deviceApi, DeviceDraft } from '@campus/devices/contract'
import type { Device, DeviceModel, DeviceSetup } from '@campus/devices/contract'
import { AppModal, call, mayDiscard, ruleOf, useDictionary, useSaving, validValues } from '@kit/web'
import { Alert, Form, Input, Radio, Select, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { DeviceChoice } from './device-choice.tsx'
import { useDevicesChanged, useModels } from './use-devices.ts'
import { usePlaceChoices } from './use-places.ts'

type Values = Pick<Device, 'device_sn' | 'device_name' | 'device_type' | 'model_code' | 'parent_device_id' | 'place_id' | 'direction' | 'ip' | 'mac' | 'note'>
const homes = { 'devices.deviceSnTaken': 'device_sn', 'devices.deviceClientConflict': 'device_sn', 'devices.deviceNameTaken': 'device_name', 'devices.deviceModelType': 'model_code', 'devices.devicePrivate': 'place_id', 'devices.deviceParent': 'parent_device_id', 'devices.deviceHasChildren': 'parent_device_id' }
const { device_sn, device_name, device_type, model_code, ip, mac, note } = DeviceDraft.shape
const empty = { direction: 3, place_id: null, parent_device_id: null, ip: null, mac: null, note: null }

type Props = { device: Device | null; /** serial number of a device that waits for being claimed */ claim?: string | undefined; onClose: () => void; onSetup: (setup: DeviceSetup) => void }

/** Registers a device, claims one that waits, or changes what is written about one. */
export function DeviceDialog({ device, claim, onClose, onSetup }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const type = Form.useWatch('device_type', form) ?? device?.device_type
  const all = useModels().data ?? []
  const models = type === undefined ? all : fitting(all, type)
  const places = usePlaceChoices()
  const types = useDictionary('DEVICE_TYPE')
  const directions = useDictionary('DEVICE_DIRECTION').map(({ value, label }) => ({ value: Number(value), label }))
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useDevicesChanged()
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const told: { setup?: DeviceSetup | null } = {}
    if (!(await run(async () => void (told.setup = await send(values, device, claim)), device ? '设置成功' : '添加成功'))) return
    await changed()
    onClose()
    if (told.setup) onSetup(told.setup)
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const choose = (next: string) => form.setFieldValue('model_code', fitting(all, next)[0]?.model_code)
  return (
    <AppModal open width={560} title={device ? `编辑设备：${device.device_name}` : claim ? `认领设备 ${claim}` : '新增设备'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="device" layout="vertical" initialValues={device ?? { ...empty, device_sn: claim }}>
        <Form.Item name="device_name" label="名称" required rules={[ruleOf(device_name)]}><Input maxLength={50} showCount placeholder="例如：南门-1 进" /></Form.Item>
        {!device && (
          <>
            <Form.Item name="device_sn" label="序列号" required rules={[ruleOf(device_sn)]} extra="机身标签上的序列号，也是设备连接时的用户名。"><Input maxLength={64} disabled={claim !== undefined} /></Form.Item>
            <div className="device-pair">
              <Form.Item name="device_type" label="类型" required rules={[ruleOf(device_type)]}><Select showSearch={{ optionFilterProp: 'label' }} options={types} onChange={choose} /></Form.Item>
              <Form.Item name="model_code" label="型号" required rules={[ruleOf(model_code)]}><Select options={models.map(model => ({ value: model.model_code, label: `${model.model_code} ${model.model_name}` }))} /></Form.Item>
            </div>
            <Form.Item name="place_id" label="场所"><TreeSelect allowClear showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} placeholder="安装在哪里，可以以后再绑定" /></Form.Item>
            <Form.Item name="direction" label="方向"><Radio.Group options={directions} /></Form.Item>
          </>
        )}
        {type !== camera_type && <ParentField device={device} />}
        <div className="device-pair">
          <Form.Item name="ip" label="IP地址" normalize={nullable} rules={[ruleOf(ip)]}><Input /></Form.Item>
          <Form.Item name="mac" label="MAC地址" normalize={nullable} rules={[ruleOf(mac)]}><Input placeholder="00:11:22:33:44:55" /></Form.Item>
        </div>
        <Form.Item name="note" label="备注" normalize={nullable} rules={[ruleOf(note)]}><Input.TextArea maxLength={200} rows={2} /></Form.Item>
      </Form>
    </AppModal>
  )
}

async function send(values: Values, device: Device | null, claim: string | undefined): Promise<DeviceSetup | null> {
  const quiet = { quiet: true }
  const { device_name: name, ip: address, mac: hardware, note: text, parent_device_id } = values
  const parent = parent_device_id === undefined ? {} : { parent_device_id }
  if (device) {
    await call(deviceApi.update, { id: device.device_id, row_version: device.row_version, device_name: name, ip: address, mac: hardware, note: text, ...parent }, quiet)
    return null
  }
  const draft = { ...values, place_id: values.place_id ?? null, ...parent, direction: values.direction ?? undefined }
  if (claim === undefined) return (await call(deviceApi.create, draft, quiet)).setup
  await call(deviceApi.claim, draft, quiet)
  return null
}

/** Models of a kind, and the one that stands for whatever the product does not know. */
function fitting(models: readonly DeviceModel[], wanted: string): DeviceModel[] {
  return models.filter(model => model.device_type === wanted || model.device_type === '99')
}

/** What it hangs below; cameras have their recorder and its channel on a page of their own. */
function ParentField({ device }: { device: Device | null }): ReactNode {
  const known = device?.parent_device_id ? { device_id: device.parent_device_id, device_name: device.parent_name ?? '' } : undefined
  return (
    <Form.Item name="parent_device_id" label="上级设备" normalize={nothing} extra="经网关、录像机、AI盒子或控制器接入时选择；直接联网的设备不选。">
      <DeviceChoice can_parent known={known} placeholder="没有上级设备，可按名称搜索" nothing="还没有可作为上级的设备，请先新增网关、录像机、AI盒子或控制器" />
    </Form.Item>
  )
}

function nothing(chosen: string | undefined): string | null {
  return chosen ?? null
}

function nullable(text: string): string | null {
  return text === '' ? null : text
}
