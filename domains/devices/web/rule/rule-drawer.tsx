import { calendar_modes, DeviceRuleDraft, wake_names } from '@campus/devices/contract'
import type { DeviceRule } from '@campus/devices/contract'
import { AppDrawer, mayDiscard } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Button, Checkbox, DatePicker, Form, Input, InputNumber, Select, TreeSelect } from 'antd'
import { dayjs } from '@kit/web/day'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { usePlaceChoices } from '../use-places.ts'
import { DeviceSelect } from './device-select.tsx'
import { draftOf, valuesOf } from './rule-draft.ts'
import type { RuleValues } from './rule-draft.ts'
import { RulePreview } from './rule-preview.tsx'
import { kindName } from './rule-words.ts'
import type { RuleKind } from './rule-words.ts'
import { useRuleSave } from './use-rule-save.ts'
import { usePreview } from './use-rules.ts'
import { windowsOf } from './week.ts'
import type { WeekWindow } from './week.ts'
import { WeekPainter } from './week-painter.tsx'
import { WindowRows } from './window-rows.tsx'

type Props = { kind: RuleKind; /** the rule to change or to copy */ rule: DeviceRule | null; is_copy?: boolean; onClose: () => void }

const day = { getValueProps: (value: string | null) => ({ value: value ? dayjs(value) : null }), getValueFromEvent: (_: unknown, text: string | null) => text || null }
const option = <K extends string>(names: Readonly<Record<K, string>>) => Object.entries<string>(names).map(([value, label]) => ({ value, label }))

/** Writes a rule: what it is for, its week painted or typed, and what it would do. */
export function RuleDrawer({ kind, rule, is_copy = false, onClose }: Props): ReactNode {
  const [form] = Form.useForm<RuleValues>()
  const [windows, setWindows] = useState<WeekWindow[]>(rule ? windowsOf(rule.body) : [])
  const [is_touched, touch] = useState(false)
  const values = Form.useWatch([], form)
  const places = usePlaceChoices()
  const draft = DeviceRuleDraft.safeParse(draftOf(kind, values, windows)).data ?? null
  const { busy, refused, faults, missing, save, forget } = useRuleSave({ form, kind, windows, rule: is_copy ? null : rule, onClose })
  const seen = usePreview(draft && { ...draft, ...(rule && !is_copy ? { rule_id: rule.rule_id } : {}) }).data
  const change = (next: WeekWindow[]) => {
    touch(true)
    forget()
    setWindows(next)
  }
  const leave = async () => {
    if ((!is_touched && !form.isFieldsTouched()) || (await mayDiscard())) onClose()
  }
  return (
    <AppDrawer size={960} title={`${rule && !is_copy ? '编辑' : '新增'}${kindName(kind)}`} onClose={() => void leave()} extra={<Button type="primary" loading={busy} onClick={() => void save()}>保存</Button>}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="device-rule" layout="vertical" className="rule-form" onValuesChange={() => form.setFields([{ name: 'place_ids', errors: [] }])} initialValues={valuesOf(kind, rule, is_copy)}>
        <Form.Item name="rule_name" label="规则名称" required><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="priority" label="优先级" extra="1到99，数字大的优先"><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
        <Form.Item name="calendar_mode" label="节假日"><Select options={option(calendar_modes)} /></Form.Item>
        <Form.Item name="valid_from" label="开始日期" required {...day}><DatePicker className="kit-fill" /></Form.Item>
        <Form.Item name="valid_to" label="结束日期" {...day}><DatePicker className="kit-fill" placeholder="长期" /></Form.Item>
        <KindFields kind={kind} />
        <Form.Item className="rule-wide" name="place_ids" label="适用场所" extra="包括所选场所的全部下级，以后安装到这里的设备也会自动适用"><TreeSelect multiple allowClear maxTagCount={4} showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} treeDefaultExpandedKeys={places.map(place => place.value)} placeholder="选择场所" /></Form.Item>
        <Form.Item className="rule-wide" name="device_ids" label="另外指定设备"><DeviceSelect known={rule?.devices ?? []} /></Form.Item>
      </Form>
      <h3>每周时段</h3>
      <WeekPainter kind={kind} windows={windows} change={change} />
      {missing !== null && <p className="rule-fault" role="alert">{missing}</p>}
      <WindowRows kind={kind} windows={windows} faults={faults} change={change} />
      {seen && draft && <RulePreview seen={seen} />}
    </AppDrawer>
  )
}

/** What only one kind of rule has. */
function KindFields({ kind }: { kind: RuleKind }): ReactNode {
  const seconds = <InputNumber className="kit-fill" precision={0} parser={readNumber} suffix="秒" />
  if (kind === 1) {
    return (
      <>
        <Form.Item name="unlock_sec" label="开门时长">{seconds}</Form.Item>
        <Form.Item name="held_open_sec" label="门开超时报警" extra="0为不报警">{seconds}</Form.Item>
        <Form.Item name="fire_opens" label="消防联动" valuePropName="checked"><Checkbox>消防报警时自动开门</Checkbox></Form.Item>
      </>
    )
  }
  if (kind === 2) return <Form.Item name="stays_on" label="例外日期" extra="这些日期不关机"><DatePicker multiple className="kit-fill" /></Form.Item>
  return (
    <>
      <Form.Item name="idle_minutes" label="无操作"><InputNumber className="kit-fill" precision={0} parser={readNumber} suffix="分钟后休眠" /></Form.Item>
      <Form.Item name="brightness" label="休眠亮度" extra="0为关闭屏幕"><InputNumber className="kit-fill" precision={0} parser={readNumber} suffix="%" /></Form.Item>
      <Form.Item name="wake_on" label="唤醒方式"><Select options={option(wake_names)} /></Form.Item>
    </>
  )
}
