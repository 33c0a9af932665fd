import { day_minutes, exit_modes, LEAVE_STAFF, LEAVE_STUDENT, quota_names, unit_names } from '@campus/leave/contract'
import type { FormDesign, LeaveForm } from '@campus/leave/contract'
import { PeoplePicker } from '@campus/people/web'
import { Form, InputNumber, Select, Switch } from 'antd'
import type { ReactNode } from 'react'

const pupil = 1
type Props = { design: FormDesign; form: Pick<LeaveForm, 'person_kind' | 'names'>; onChange: (patch: Partial<FormDesign>) => void }

/** Of the types of the form those that are counted. */
function quotaChoices({ leave_types }: FormDesign): { value: string; label: string }[] {
  return Object.entries(quota_names).filter(([value]) => leave_types.includes(value)).map(([value, label]) => ({ value, label }))
}

/** 规则 of a form: types, limits, and what a leave of it opens and stops. */
export function RulesForm({ design, form, onChange }: Props): ReactNode {
  const names = form.person_kind === pupil ? LEAVE_STUDENT.names : LEAVE_STAFF.names
  const people = form.names.map(one => ({ user_id: one.id, user_name: one.name }))
  const number = (label: string, value: number, set: (value: number) => void, [min, max]: readonly [number, number], step = 1) => (
    <Form.Item label={label}><InputNumber className="kit-fill" aria-label={label} min={min} max={max} step={step} value={value} onChange={next => next !== null && set(next)} /></Form.Item>
  )
  const choice = (label: string, value: number, of: Readonly<Record<string, string>>, set: (value: number) => void) => (
    <Form.Item label={label}><Select aria-label={label} value={String(value)} options={Object.entries(of).map(([code, text]) => ({ value: code, label: text }))} onChange={code => set(Number(code))} /></Form.Item>
  )
  const flag = (label: string, value: boolean, set: (value: boolean) => void, extra?: string) => <Form.Item label={label} extra={extra}><Switch aria-label={label} checked={value} onChange={set} /></Form.Item>
  return (
    <Form layout="vertical" component="div" className="design-rules">
      <Form.Item label="假别" className="design-wide"><Select aria-label="假别" mode="multiple" value={design.leave_types} options={Object.entries(names).map(([value, label]) => ({ value, label }))} onChange={leave_types => onChange({ leave_types })} /></Form.Item>
      {choice('请假单位', design.unit, unit_names, unit => onChange({ unit }))}
      {number('最短时长(分钟)', design.min_minutes, min_minutes => onChange({ min_minutes }), [1, 180 * day_minutes])}
      {number('最长时长(天)', design.max_minutes / day_minutes, days => onChange({ max_minutes: Math.round(days * day_minutes) }), [0.5, 180], 0.5)}
      {number('提前申请(分钟)', design.advance_min, advance_min => onChange({ advance_min }), [0, 43_200])}
      {number('补假期限(天)', design.backdate_days, backdate_days => onChange({ backdate_days }), [0, 30])}
      {choice('离校方式', design.exit_mode, exit_modes, exit_mode => onChange({ exit_mode }))}
      {number('超时宽限(分钟)', design.late_grace_min, late_grace_min => onChange({ late_grace_min }), [5, 240])}
      <Form.Item label="须证明(天起)"><InputNumber className="kit-fill" aria-label="须证明天数" min={1} max={180} placeholder="不要求" value={design.attach_from_days} onChange={attach_from_days => onChange({ attach_from_days })} /></Form.Item>
      {form.person_kind !== pupil && (
        <Form.Item label="计入假期额度">
          <Select aria-label="额度假别" allowClear placeholder="不计额度" value={design.quota_code} options={quotaChoices(design)} onChange={quota_code => onChange({ quota_code: quota_code ?? null })} />
        </Form.Item>
      )}
      {flag('停餐', design.meal, meal => onChange({ meal }))}
      {flag('停乘校车', design.bus, bus => onChange({ bus }))}
      {flag('到期自动销假', design.auto_return, auto_return => onChange({ auto_return }), '关闭时没有返校记录即为超时未返')}
      {flag('没有匹配步骤时无需审批', design.no_approval, no_approval => onChange({ no_approval }))}
      <Form.Item label="兜底审批人" className="design-wide" extra="找不到审批人或审批超时时由其处理"><PeoplePicker of={['teacher']} max={5} known={people} value={design.fallback_user_ids} onChange={fallback_user_ids => onChange({ fallback_user_ids })} /></Form.Item>
    </Form>
  )
}
