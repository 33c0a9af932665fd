import { firmware_extensions, firmwareApi, FirmwareMd5, FirmwareSignature, FirmwareVersion, most_firmware_mb } from '@campus/devices/contract'
import { AppModal, call, leaving, ruleOf, useSaving, validValues } from '@kit/web'
import { Alert, Button, Checkbox, Form, Input, Select, Upload } from 'antd'
import type { UploadFile } from 'antd'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { useModels } from '../use-devices.ts'
import { useFirmwareChanged } from './use-firmware.ts'

type Values = { file?: UploadFile[]; model_codes: string[]; version: string; md5: string; signature?: string; notes?: string; allow_downgrade?: boolean }
const homes = { 'devices.firmwareExt': 'file', 'devices.firmwareExtOf': 'file', 'devices.firmwareMd5': 'md5', 'devices.firmwareSignature': 'signature', 'devices.firmwareTaken': 'version' }
const endings: readonly string[] = Object.values(firmware_extensions)
const mb = 1_048_576
const OptionalSignature = FirmwareSignature.or(z.literal('')).optional()
const fileRule = { validator: async (_rule: unknown, files: UploadFile[] = []) => {
  const fault = faultOf(files[0]?.originFileObj)
  if (fault !== undefined) throw new Error(fault)
} }

/** Why a file is no package, before it is sent. */
function faultOf(file: File | undefined): string | undefined {
  if (!file) return '请选择文件'
  if (!endings.some(ending => file.name.toLowerCase().endsWith(ending))) return `固件只支持${endings.map(ending => ending.slice(1)).join('、')}格式`
  if (file.size === 0) return '文件是空的，请重新选择'
  return file.size > most_firmware_mb * mb ? `文件超过${most_firmware_mb}MB，请重新选择` : undefined
}

/** Takes a package in; it is checked against its models and its maker's MD5. */
export function UploadDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useFirmwareChanged()
  const models = (useModels().data ?? []).filter(model => model.firmware_kinds.length > 0)
  const save = async () => {
    const values = await validValues(form)
    const file = values?.file?.[0]?.originFileObj
    if (!values || !file) return
    const { model_codes, allow_downgrade, notes, signature, version, md5 } = values
    if (await run(() => call(firmwareApi.upload, { version, md5, model_codes: model_codes.join(','), allow_downgrade: allow_downgrade ? '1' : '0', ...(signature ? { signature } : {}), ...(notes ? { notes } : {}) }, { file, quiet: true }), '上传成功')) {
      await changed()
      onClose()
    }
  }
  return (
    <AppModal open width={560} title="上传固件" okText="上传" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="firmware-upload" layout="vertical">
        <Form.Item name="file" label="文件" required rules={[fileRule]} valuePropName="fileList" getValueFromEvent={({ fileList }: { fileList: UploadFile[] }) => fileList.slice(-1)} extra={`自有终端为jbn（系统）或jap（应用），其他型号见型号说明；不超过${most_firmware_mb}MB`}>
          <Upload accept={endings.join(',')} beforeUpload={() => false}><Button>选择文件</Button></Upload>
        </Form.Item>
        <Form.Item name="model_codes" label="适用型号" rules={[{ required: true, message: '请选择型号' }]}><Select mode="multiple" placeholder="选择型号" options={models.map(model => ({ value: model.model_code, label: `${model.model_code} ${model.model_name}` }))} /></Form.Item>
        <Form.Item name="version" label="版本号" required rules={[ruleOf(FirmwareVersion)]} extra="与设备升级后报告的版本号完全一致"><Input maxLength={40} /></Form.Item>
        <Form.Item name="md5" label="MD5" required rules={[ruleOf(FirmwareMd5)]} extra="由厂家随文件提供，用来确认文件完整"><Input maxLength={40} /></Form.Item>
        <Form.Item name="signature" label="厂家签名" rules={[ruleOf(OptionalSignature)]} extra="只有要求签名的型号需要填写"><Input.TextArea maxLength={100} rows={2} /></Form.Item>
        <Form.Item name="notes" label="说明"><Input.TextArea maxLength={500} rows={2} /></Form.Item>
        <Form.Item name="allow_downgrade" valuePropName="checked"><Checkbox>允许用于降级</Checkbox></Form.Item>
      </Form>
    </AppModal>
  )
}
