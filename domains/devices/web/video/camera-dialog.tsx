import { cameraApi, CameraDraft, codec_names, recorder_types, StreamAddress } from '@campus/devices/contract'
import type { Camera } from '@campus/devices/contract'
import type { Request } from '@kit/contract'
import { AppModal, call, mayDiscard, ruleOf, useSaving, validValues } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Checkbox, Form, Input, InputNumber, Select, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import { DeviceChoice } from '../device-choice.tsx'
import { usePlaceChoices } from '../use-places.ts'

type Values = Omit<Request<typeof cameraApi.create>, 'stream_url'> & { stream_url?: string; drop_stream?: boolean }
const homes = { 'devices.deviceSnTaken': 'device_sn', 'devices.deviceNameTaken': 'device_name', 'devices.devicePrivate': 'place_id', 'devices.cameraChannelTaken': 'channel', 'devices.cameraChannel': 'channel', 'devices.cameraChannelAlone': 'channel', 'devices.cameraRecorder': 'nvr_device_id' }
const { device_sn, device_name, channel, note } = CameraDraft.shape
/** An address may be left out; one that is written has to be one. */
const addressRule = { validator: async (_rule: unknown, text?: string) => { if (text && text.trim() !== '' && !StreamAddress.safeParse(text).success) throw new Error('取流地址以rtsp://、rtmp://或http(s)://开头') } }
const codecs = Object.entries(codec_names).map(([value, label]) => ({ value, label }))

/** Registers a camera, or changes what is written about one. A stream address is written, never read. */
export function CameraDialog({ camera, onClose, onDone }: { camera: Camera | null; onClose: () => void; onDone: () => Promise<void> }): ReactNode {
  const [form] = Form.useForm<Values>()
  const places = usePlaceChoices()
  const { busy, refused, run } = useSaving(form, homes)
  const save = async () => {
    const values = await validValues(form)
    if (!values || !(await run(() => send(values, camera), camera ? '设置成功' : '添加成功'))) return
    await onDone()
    onClose()
  }
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  return (
    <AppModal open width={560} title={camera ? `编辑摄像机：${camera.device_name}` : '新增摄像机'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={() => void leave()}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="camera" layout="vertical" initialValues={camera ? { ...camera, place_id: camera.place_id ?? undefined } : { ptz: false, codec: 'h264' }}>
        <Form.Item name="device_name" label="名称" required rules={[ruleOf(device_name)]}><Input maxLength={50} showCount placeholder="例如：南门全景" /></Form.Item>
        {!camera && <Form.Item name="device_sn" label="序列号" required rules={[ruleOf(device_sn)]}><Input maxLength={64} /></Form.Item>}
        <Form.Item name="place_id" label="场所" required rules={[{ required: true, message: '请选择场所' }]} extra="宿舍房间、卫生间和浴室等私密区域不能安装摄像机。"><TreeSelect showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} placeholder="安装在哪里" /></Form.Item>
        <div className="device-pair">
          <Form.Item name="nvr_device_id" label="录像机"><DeviceChoice types={recorder_types} known={recorderOf(camera)} placeholder="画面从哪里取，可按名称搜索" nothing="没有可选的录像机，请先在设备管理中新增" /></Form.Item>
          <Form.Item name="channel" label="通道号" rules={[ruleOf(channel)]}><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
        </div>
        <Form.Item name="stream_url" label="取流地址" rules={[addressRule]} extra={camera?.has_stream ? '已填写并加密保存，不再显示；要更换时重新填写。' : '加密保存，保存后不再显示。'}><Input.Password autoComplete="off" maxLength={500} placeholder="rtsp://" /></Form.Item>
        {camera?.has_stream === true && <Form.Item name="drop_stream" valuePropName="checked"><Checkbox>清除取流地址</Checkbox></Form.Item>}
        <div className="device-pair">
          <Form.Item name="codec" label="编码"><Select allowClear options={codecs} /></Form.Item>
          <Form.Item name="ptz" label="云台" valuePropName="checked"><Checkbox>可以转动</Checkbox></Form.Item>
        </div>
        <Form.Item name="note" label="备注" rules={[ruleOf(note)]}><Input maxLength={200} /></Form.Item>
      </Form>
    </AppModal>
  )
}

async function send({ stream_url, drop_stream, device_sn: sn, ...values }: Values, camera: Camera | null): Promise<void> {
  const address = stream_url === undefined || stream_url.trim() === '' ? {} : { stream_url }
  const own = { ...values, nvr_device_id: values.nvr_device_id ?? null, channel: values.channel ?? null, codec: values.codec ?? null }
  if (camera) await call(cameraApi.update, { id: camera.device_id, row_version: camera.row_version, ...own, ...(drop_stream ? { stream_url: null } : address) }, { quiet: true })
  else await call(cameraApi.create, { device_sn: sn, ...own, ...address }, { quiet: true })
}

/** Through which recorder or box its picture comes now. */
function recorderOf(camera: Camera | null) {
  return camera?.nvr_device_id ? { device_id: camera.nvr_device_id, device_name: camera.nvr_name ?? camera.nvr_device_id } : undefined
}
