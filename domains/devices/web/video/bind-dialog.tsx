import { bind_names, box_types, cameraApi, gate_types } from '@campus/devices/contract'
import type { Camera } from '@campus/devices/contract'
import { AppModal, call, instantText, mayDiscard, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, Radio, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { DeviceChoice } from '../device-choice.tsx'
import { usePlaceChoices } from '../use-places.ts'

type Values = { kind: 'gate' | 'room' | 'none'; device_id?: string; place_id?: string; box_id?: string }

/** What a camera watches: a gate or a place, and the AI box that looks through it. */
export function BindDialog({ camera, onClose, onDone }: { camera: Camera; onClose: () => void; onDone: () => Promise<void> }): ReactNode {
  const [form] = Form.useForm<Values>()
  const chosen_kind = Form.useWatch('kind', form) ?? 'gate'
  const places = usePlaceChoices()
  const { busy, refused, run } = useSaving()
  const [watched, fed] = [false, true].map(of_box => camera.bindings.find(one => (one.bind_kind === 'box') === of_box))
  const kind = watched ? 'none' : chosen_kind
  // What it watches may be left open where a box is chosen.
  const chosen = (message: string) => ({ validator: (_rule: unknown, value: string | undefined) => (value === undefined && form.getFieldValue('box_id') === undefined ? Promise.reject(new Error(`${message}，或只选择AI盒子`)) : Promise.resolve()) })
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const bind = async () => {
    const values = await validValues(form)
    if (!values) return
    const { device_id, place_id, box_id } = values
    const target = kind === 'gate' && device_id !== undefined ? { device_id } : kind === 'room' && place_id !== undefined ? { place_id } : {}
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
    <AppModal open width={520} title={`绑定摄像机：${camera.device_name}`} okText="绑定" confirmLoading={busy} okButtonProps={{ disabled: watched !== undefined && fed !== undefined }} onOk={() => void bind()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {camera.bindings.map(one => <p key={`${one.bind_kind} ${one.target_id}`} className="device-row"><span>{`${bind_names[one.bind_kind]}：${one.target_name}`}<small>{`自 ${instantText(one.valid_from)}`}</small></span><Button onClick={() => void unbind(one)}>解绑</Button></p>)}
      <Form form={form} name="bind" layout="vertical" initialValues={{ kind: watched ? 'none' : 'gate' }} onValuesChange={() => form.setFields([{ name: 'device_id', errors: [] }, { name: 'place_id', errors: [] }, { name: 'box_id', errors: [] }])}>
        {watched ? <p className="device-hint">{`已监看“${watched.target_name}”，要更换请先解绑。`}</p> : <Form.Item name="kind" label="监看"><Radio.Group options={[{ value: 'gate', label: '通道设备' }, { value: 'room', label: '场所' }, { value: 'none', label: '只绑定AI盒子' }]} /></Form.Item>}
        {kind === 'gate' && <Form.Item name="device_id" label="通道设备" extra="一个通道最多绑定2台摄像机。" rules={[chosen('请选择通道设备')]}><DeviceChoice types={gate_types} placeholder="人脸终端、闸机、门禁等，可按名称搜索" nothing="没有可选的通道设备，请先在设备管理中新增" /></Form.Item>}
        {kind === 'room' && <Form.Item name="place_id" label="场所" rules={[chosen('请选择场所')]}><TreeSelect allowClear showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} placeholder="监看哪里" /></Form.Item>}
        {fed ? <p className="device-hint">{`已由“${fed.target_name}”分析画面，要更换请先解绑。`}</p> : <Form.Item name="box_id" label="AI盒子" rules={kind === 'none' ? [{ required: true, message: '请选择AI盒子' }] : []}><DeviceChoice types={box_types} placeholder="用这台摄像机分析画面的盒子" nothing="没有可选的AI盒子，请先在设备管理中新增" /></Form.Item>}
      </Form>
    </AppModal>
  )
}
