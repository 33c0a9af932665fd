import { attend_setting_names, attendSettingApi } from '@campus/attendance/contract'
import type { AttendSetting } from '@campus/attendance/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Loaded, useCall } from '@kit/web/part'
import { Alert, Form, Input, InputNumber } from 'antd'
import type { ReactNode } from 'react'

type Values = Omit<AttendSetting, 'row_version'>
const numbers = ['lesson_hours', 'head_days', 'office_days', 'undo_days', 'settle_hours', 'consecutive_absent'] as const
const clocks = ['quiet_from', 'quiet_to'] as const
const required = [{ required: true, message: '请填写' }]
const clock_rules = [...required, { pattern: /^([01]\d|2[0-3]):[0-5]\d$/, message: '格式为 22:00' }]

/** 考勤设置: time limits of corrections, when a day settles, and when families are not written to. */
export function SettingDialog({ onClose }: { onClose: () => void }): ReactNode {
  const query = useCall(attendSettingApi.read, {})
  return (
    <Loaded query={query} rows={6}>
      {setting => <SettingForm key={setting.row_version} setting={setting} onClose={onClose} />}
    </Loaded>
  )
}

function SettingForm({ setting: { row_version, ...values }, onClose }: { setting: AttendSetting; onClose: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const wanted = await validValues(form)
    if (!wanted) return
    if (await run(() => call(attendSettingApi.save, { ...wanted, row_version }, { quiet: true }), '设置成功')) onClose()
  }
  return (
    <AppModal open width={560} title="考勤设置" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="attend-setting" layout="vertical" initialValues={values} className="attend-setting">
        {numbers.map(name => (
          <Form.Item key={name} name={name} label={attend_setting_names[name]} rules={required}>
            <InputNumber className="kit-fill" precision={0} />
          </Form.Item>
        ))}
        {clocks.map(name => (
          <Form.Item key={name} name={name} label={attend_setting_names[name]} rules={clock_rules}>
            <Input placeholder="22:00" maxLength={5} />
          </Form.Item>
        ))}
      </Form>
      <p>免打扰时段内不向家长发送缺勤和迟到提醒，时段结束后再发送；待核实的记录不通知家长。开始和结束相同表示不设免打扰。</p>
    </AppModal>
  )
}
