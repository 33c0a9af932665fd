import { foreign_policies, read_back_hours, read_back_span_hours, SchoolSetting, schoolSettingApi, setting_bounds } from '@campus/devices/contract'
import { call, confirmDanger, instantText, Loading, ruleOf, sentenceOf, toast, useCan, useSaving, validValues } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Input, InputNumber, Radio, Select } from 'antd'
import type { ReactNode } from 'react'

const { shape } = SchoolSetting
const hours_a_day = 24
const hour = (at: number) => `${String(at % hours_a_day).padStart(2, '0')}:00`
/** What each number does, in plain words. */
const numbers: readonly { name: keyof typeof setting_bounds; label: string; unit: string; extra: string }[] = [
  { name: 'offline_alert_minutes', label: '离线报警', unit: '分钟', extra: '设备这么久没有消息就报警并通知负责人。按关机规则关机和维护时段内的设备不报。' },
  { name: 'mass_delete_pct', label: '批量删除：占比超过', unit: '%', extra: '一次变更要从一台设备删除的人，占比和人数都超过时暂停下发，等人签字。丢失的卡和已离校的人不受限制。' },
  { name: 'mass_delete_min', label: '批量删除：人数超过', unit: '人', extra: '占比和人数要同时超过才暂停，小设备不会因为删几个人就停下来。' },
  { name: 'pass_keep_days', label: '通行记录保留', unit: '天', extra: '超过的按整月删除，删除后不能恢复。最少180天。' },
]

/** 学校设置: what counts for all devices of the school, with what each value does; saving tells first what will happen. */
export function SchoolSettings({ mark }: { mark: (is_typed: boolean) => void }): ReactNode {
  const query = useQuery({ queryKey: [schoolSettingApi.read.call], queryFn: ({ signal }) => call(schoolSettingApi.read, {}, { signal, quiet: true }), refetchOnWindowFocus: false })
  if (query.error) return <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />
  if (!query.data) return <Loading rows={8} />
  const { setting, row_version, updated_at } = query.data
  return <SettingForm key={row_version} setting={setting} row_version={row_version} updated_at={updated_at} mark={mark} again={() => query.refetch()} />
}

type Props = { setting: SchoolSetting; row_version: number; updated_at: string | null; mark: (is_typed: boolean) => void; again: () => Promise<unknown> }

function SettingForm({ setting, row_version, updated_at, mark, again }: Props): ReactNode {
  const [form] = Form.useForm<SchoolSetting>()
  const may_edit = useCan(schoolSettingApi.update)
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (values) await run(() => apply(values))
  }
  /** Says first what saving will do; what is not confirmed stays typed. */
  const apply = async (values: SchoolSetting) => {
    const { list } = await call(schoolSettingApi.preview, values, { quiet: true })
    const touches = <ul className="config-effects">{list.map(effect => <li key={effect.key}>{effect.text}</li>)}</ul>
    if (list.length > 0 && !(await confirmDanger({ title: '保存后会这样', touches, ok: '保存' }))) return
    await call(schoolSettingApi.update, { ...values, row_version }, { quiet: true })
    toast.success('设置成功')
    mark(false)
    await again()
  }
  return (
    <Form form={form} name="school-setting" layout="vertical" className="config-school" initialValues={setting} disabled={!may_edit} onValuesChange={() => mark(true)}>
      {refused !== null && <Alert className="config-wide" type="warning" showIcon title={refused} />}
      <p className="device-hint config-wide">{`对全校设备生效。${updated_at === null ? '还没有修改过，以下是默认值。' : `上次修改：${instantText(updated_at)}。`}`}</p>
      {numbers.map(({ name, label, unit, extra }) => (
        <Form.Item key={name} name={name} label={label} required rules={[ruleOf(shape[name])]} extra={extra}>
          <InputNumber className="kit-fill" suffix={unit} precision={0} parser={readNumber} aria-valuemin={setting_bounds[name][0]} aria-valuemax={setting_bounds[name][1]} />
        </Form.Item>
      ))}
      <Form.Item name="foreign_policy" label="设备上的外来数据" extra="核对时发现的、不是平台下发的人员和卡。两种方式都会通知负责人。"><Radio.Group options={Object.entries(foreign_policies).map(([value, label]) => ({ value, label }))} /></Form.Item>
      <Form.Item name="read_back_hour" label="每天核对设备数据" extra="逐台读回设备上的数据与平台比对，3小时内错开进行，避开上下学时间。">
        <Select options={read_back_hours.map(at => ({ value: at, label: `${hour(at)} 至 ${hour(at + read_back_span_hours)}` }))} />
      </Form.Item>
      <Form.Item className="config-wide" name="broker_notes" label="消息服务备注" rules={[ruleOf(shape.broker_notes)]} extra="写给安装设备的人看，例如内网地址、要放行的端口、联系人。请不要写密码。"><Input.TextArea rows={3} maxLength={500} showCount /></Form.Item>
      {may_edit && <div className="config-wide"><Button type="primary" loading={busy} onClick={() => void save()}>保存</Button></div>}
    </Form>
  )
}
