import { bind_names, cameraApi, deviceApi, gate_types } from '@campus/devices/contract'
import type { Camera } from '@campus/devices/contract'
import { AppModal, call, instantText, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Radio, Select, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'

type Values = { kind: 'gate' | 'room' | 'none'; device_id?: string; place_id?: string; box_id?: string }
const page_size = 300
const box = '15'

/** What a camera watches: a gate or a place, and the AI box that looks through it. */
export function BindDialog({ camera, onClose, onDone }: { camera: Camera; onClose: () => void; onDone: () => Promise<void> }): ReactNode {
  const [form] = Form.useForm<Values>()
  const kind = Form.useWatch('kind', form) ?? 'gate'
  const places = usePlaceChoices()
  const devices = useQuery({ queryKey: [deviceApi.list.call, 'bindable'], queryFn: async ({ signal }) => (await Promise.all([...gate_types, box].flatMap(type => deviceTypes(type)).map(device_type => call(deviceApi.list, { device_type, page_size }, { signal, quiet: true })))).flatMap(page => page.list) })
  const choices = (is_box: boolean) => (devices.data ?? []).filter(device => (device.device_type === box) === is_box).map(device => ({ value: device.device_id, label: device.device_name }))
  const { busy, refused, run } = useSaving()
  const bind = async () => {
    const { kind: wanted, device_id, place_id, box_id } = await form.validateFields()
    const target = wanted === 'gate' && device_id !== undefined ? { device_id } : wanted === 'room' && place_id !== undefined ? { place_id } : {}
    if (!(await run(() => call(cameraApi.bind, { camera_id: camera.device_id, ...target, ...(box_id === undefined ? {} : { box_id }) }, { quiet: true }), '设置成功'))) return
    await onDone()
    onClose()
  }
  const unbind = async (one: Camera['bindings'][number]) => {
    const name = ({ gate: 'device_id', room: 'place_id', box: 'box_id' } as const)[one.bind_kind]
    if (!(await run(() => call(cameraApi.unbind, { camera_id: camera.device_id, [name]: one.target_id }, { quiet: true }), '已解绑'))) return
    await onDone()
    onClose()
  }
  return (
    <AppModal open width={520} title={`绑定摄像机：${camera.device_name}`} okText="绑定" confirmLoading={busy} onOk={() => void bind()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {camera.bindings.map(one => <p key={`${one.bind_kind} ${one.target_id}`} className="device-row"><span>{`${bind_names[one.bind_kind]}：${one.target_name}`}<small>{`自 ${instantText(one.valid_from)}`}</small></span><Button onClick={() => void unbind(one)}>解绑</Button></p>)}
      <Form form={form} name="bind" layout="vertical" initialValues={{ kind: 'gate' }}>
        <Form.Item name="kind" label="监看"><Radio.Group options={[{ value: 'gate', label: '通道设备' }, { value: 'room', label: '场所' }, { value: 'none', label: '只绑定AI盒子' }]} /></Form.Item>
        {kind === 'gate' && <Form.Item name="device_id" label="通道设备" extra="一个通道最多绑定2台摄像机。"><Select allowClear showSearch={{ optionFilterProp: 'label' }} options={choices(false)} placeholder="人脸终端、闸机、门禁等" /></Form.Item>}
        {kind === 'room' && <Form.Item name="place_id" label="场所"><TreeSelect allowClear showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} placeholder="监看哪里" /></Form.Item>}
        <Form.Item name="box_id" label="AI盒子"><Select allowClear showSearch={{ optionFilterProp: 'label' }} options={choices(true)} placeholder="用这台摄像机分析画面的盒子" /></Form.Item>
      </Form>
    </AppModal>
  )
}

function deviceTypes(type: string) {
  return type === '01' || type === '02' || type === '04' || type === '12' || type === '15' || type === '22' ? [type] as const : []
}
