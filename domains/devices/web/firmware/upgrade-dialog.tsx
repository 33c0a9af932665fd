import { firmware_kinds, firmwareApi } from '@campus/devices/contract'
import type { Firmware } from '@campus/devices/contract'
import { AppModal, call, leaving, toast, useSaving, validValues } from '@kit/web'
import { Alert, Form, Select, TimePicker } from 'antd'
import type dayjs from 'dayjs'
import type { ReactNode } from 'react'
import { DeviceSelect } from '../rule/device-select.tsx'
import { useFirmwareChanged, usePackages } from './use-firmware.ts'

type Values = { firmware_id: string; device_ids: string[]; window: [dayjs.Dayjs, dayjs.Dayjs] | null }
type Props = { /** devices that were chosen in a list */ chosen: readonly { device_id: string; device_name: string; model_code: string }[]; firmware?: Firmware; onClose: () => void; onDone?: () => void }

/** Brings a package to devices: one first, then a tenth, then all. */
export function UpgradeDialog({ chosen, firmware, onClose, onDone }: Props): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const changed = useFirmwareChanged()
  const packages = usePackages([...new Set(chosen.map(one => one.model_code))])
  const choices = firmware ? [firmware] : (packages.data ?? [])
  const firmware_id = Form.useWatch('firmware_id', form)
  const wanted = choices.find(one => one.firmware_id === firmware_id)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const [from, to] = values.window ?? []
    const window = from && to ? { window_from: from.format('HH:mm'), window_to: to.format('HH:mm') } : {}
    const send = async () => {
      const { task, skipped } = await call(firmwareApi.create, { firmware_id: values.firmware_id, device_ids: values.device_ids, ...window }, { quiet: true })
      toast.success(`已开始升级${task.devices}台设备${skipped > 0 ? `，${skipped}台已是此版本` : ''}`)
    }
    if (!(await run(send))) return
    await changed()
    onDone?.()
    onClose()
  }
  return (
    <AppModal open width={560} title="升级固件" okText="开始升级" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      <Alert type={refused === null ? 'info' : 'warning'} showIcon title={refused ?? '先升级1台，成功后升级十分之一，再升级全部。某一批失败过多会自动暂停；离线的设备上线后再升级。升级过程中请勿断电！'} />
      <Form form={form} name="device-upgrade" layout="vertical" initialValues={{ firmware_id: firmware?.firmware_id, device_ids: chosen.map(one => one.device_id), window: null }}>
        <Form.Item name="firmware_id" label="固件" rules={[{ required: true, message: '请选择固件' }]}>
          <Select disabled={firmware !== undefined} placeholder={packages.data?.length === 0 ? '没有适用于所选型号的固件，请先在“设备配置”的“固件包”中上传' : '选择固件'} options={choices.map(one => ({ value: one.firmware_id, label: `${one.version}（${firmware_kinds[one.kind]}，${one.model_codes.join('、')}）` }))} />
        </Form.Item>
        <Form.Item name="device_ids" label="设备" rules={[{ required: true, message: '请选择设备' }]}><DeviceSelect known={chosen.map(one => ({ id: one.device_id, name: one.device_name }))} {...(wanted ? { models: wanted.model_codes } : {})} maxTagCount={6} /></Form.Item>
        <Form.Item name="window" label="升级时段" extra="不选则立即开始；结束早于开始表示到次日"><TimePicker.RangePicker className="kit-fill" format="HH:mm" order={false} needConfirm={false} /></Form.Item>
      </Form>
    </AppModal>
  )
}
