import { firmware_extensions, firmwareApi, most_firmware_mb } from '@campus/devices/contract'
import { AppModal, call, useSaving } from '@kit/web'
import { Alert, Button, Checkbox, Form, Input, Select, Upload } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useModels } from '../use-devices.ts'
import { useFirmwareChanged } from './use-firmware.ts'

type Values = { model_codes: string[]; version: string; md5: string; notes?: string; allow_downgrade?: boolean }

/** Takes a package in; it is checked against its models and its maker's MD5. */
export function UploadDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const [file, choose] = useState<File | null>(null)
  const [is_tried, tried] = useState(false)
  const { busy, refused, run } = useSaving(form)
  const changed = useFirmwareChanged()
  const models = (useModels().data ?? []).filter(model => model.firmware_kinds.length > 0)
  const save = async () => {
    const values = await form.validateFields().catch(() => null)
    tried(true)
    if (!values || !file) return
    const { model_codes, allow_downgrade, notes, ...rest } = values
    if (await run(() => call(firmwareApi.upload, { ...rest, model_codes: model_codes.join(','), allow_downgrade: allow_downgrade ? '1' : '0', ...(notes ? { notes } : {}) }, { file, quiet: true }), '上传成功')) {
      await changed()
      onClose()
    }
  }
  return (
    <AppModal open width={560} title="上传固件" okText="上传" confirmLoading={busy} onOk={() => void save()} onCancel={onClose}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="firmware-upload" layout="vertical">
        <Form.Item label="文件" required {...(is_tried && !file ? { validateStatus: 'error' as const, help: '请选择文件' } : {})} extra={`自有终端为jbn（系统）或jap（应用），其他型号见型号说明；不超过${most_firmware_mb}MB`}>
          <Upload accept={Object.values(firmware_extensions).join(',')} maxCount={1} fileList={file ? [{ uid: file.name, name: file.name }] : []} beforeUpload={one => { choose(one); return false }} onRemove={() => choose(null)}><Button>选择文件</Button></Upload>
        </Form.Item>
        <Form.Item name="model_codes" label="适用型号" rules={[{ required: true, message: '请选择型号' }]}><Select mode="multiple" placeholder="选择型号" options={models.map(model => ({ value: model.model_code, label: `${model.model_code} ${model.model_name}` }))} /></Form.Item>
        <Form.Item name="version" label="版本号" rules={[{ required: true, message: '请填写版本号' }]} extra="与设备升级后报告的版本号完全一致"><Input maxLength={40} /></Form.Item>
        <Form.Item name="md5" label="MD5" rules={[{ required: true, message: '请填写文件的MD5' }, { pattern: /^[0-9a-f]{32}$/iu, message: 'MD5为32位十六进制' }]} extra="由厂家随文件提供，用来确认文件完整"><Input maxLength={32} /></Form.Item>
        <Form.Item name="notes" label="说明"><Input.TextArea maxLength={500} rows={2} /></Form.Item>
        <Form.Item name="allow_downgrade" valuePropName="checked"><Checkbox>允许用于降级</Checkbox></Form.Item>
      </Form>
    </AppModal>
  )
}
