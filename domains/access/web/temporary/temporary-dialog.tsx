import { direction_names, effect_names, reason_names, temporaryApi } from '@campus/access/contract'
import { AppModal, call, leaving, useSaving, validValues } from '@kit/web'
import { Alert, Button, DatePicker, Form, Input, InputNumber, Radio, Select } from 'antd'
import { dayjs } from '@kit/web/day'
import { readNumber, wholeRule } from '@kit/web/number'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import { DeptSelect, PeopleChoice } from '../grant/choices.tsx'
import { DoorSelect } from '../grant/door-select.tsx'

type Values = {
  effect: 1 | 2; direction: 1 | 2 | 3; user_ids?: string[]; dept_ids?: string[]; place_ids?: string[]; span: [Dayjs, Dayjs]; max_times?: number | null; reason_code: '1' | '2' | '3' | '4' | '5' | '9'; reason: string
}
const numbered = (names: Readonly<Record<number, string>>) => Object.entries(names).map(([code, label]) => ({ value: Number(code), label }))
const reasons = Object.entries(reason_names).map(([value, label]) => ({ value, label }))
const quick_minutes = [10, 30, 60]

/** 新增临时规则; the three buttons fill the time from now on. */
export function TemporaryDialog({ person_kind, onClose, onDone }: { person_kind: 1 | 2; onClose: () => void; onDone: () => void }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const { span: [begin, end], ...draft } = values
    if (!(await run(() => call(temporaryApi.add, { ...draft, person_kind, begin_at: begin.toISOString(), end_at: end.toISOString() }, { quiet: true }), '操作成功'))) return
    onDone()
    onClose()
  }
  const fill = (minutes: number) => form.setFieldValue('span', [dayjs(), dayjs().add(minutes, 'minute')])
  const required = (message: string) => [{ required: true, message }]
  return (
    <AppModal open width={760} title="新增临时规则" okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="access-temporary" layout="vertical" initialValues={{ effect: 1, direction: 2, reason_code: '1', span: [dayjs(), dayjs().add(1, 'hour')] }}>
        <div className="access-form-row">
          <Form.Item name="effect" label="类型"><Radio.Group options={numbered(effect_names)} /></Form.Item>
          <Form.Item name="direction" label="方向"><Radio.Group options={numbered(direction_names)} /></Form.Item>
          <Form.Item name="user_ids" label="人员" extra="人员和部门至少选一项"><PeopleChoice scene={person_kind} /></Form.Item>
          <Form.Item name="dept_ids" label="部门"><DeptSelect scene={person_kind} /></Form.Item>
        </div>
        <Form.Item label="起止时间" required>
          <Form.Item name="span" noStyle rules={required('请选择起止时间')}><DatePicker.RangePicker className="kit-fill" showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm" /></Form.Item>
          {quick_minutes.map(minutes => <Button key={minutes} type="link" size="small" onClick={() => fill(minutes)}>{minutes}分钟</Button>)}
        </Form.Item>
        <div className="access-form-row">
          <Form.Item name="place_ids" label="门" extra="不选为所有门"><DoorSelect way={2} placeholder="所有门" /></Form.Item>
          <Form.Item name="max_times" label="次数" extra="不填为不限次数；设备离线期间可能被重复使用" rules={[wholeRule(1, 99)]}>
            <InputNumber className="kit-fill" precision={0} parser={readNumber} />
          </Form.Item>
          <Form.Item name="reason_code" label="事由"><Select options={reasons} /></Form.Item>
          <Form.Item name="reason" label="原因" rules={[{ required: true, min: 2, message: '原因为2到100个字' }]}><Input maxLength={100} autoComplete="off" /></Form.Item>
        </div>
      </Form>
    </AppModal>
  )
}
