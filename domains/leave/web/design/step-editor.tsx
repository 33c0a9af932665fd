import { day_minutes, LEAVE_STAFF, LEAVE_STUDENT, resolver_names, step_modes } from '@campus/leave/contract'
import type { FlowStep, FormDesign, LeaveForm } from '@campus/leave/contract'
import { roleApi } from '@campus/identity/contract'
import { PeoplePicker } from '@campus/people/web'
import { useCan } from '@kit/web'
import { useCall } from '@kit/web/part'
import { Form, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'

const [named, by_role] = [8, 9] as const
const pupil = 1
/** Who can be asked for pupils, and for staff. */
const for_pupils = ['1', '2', '3', '4', '5', '8', '9']
const for_staff = ['6', '7', '5', '8', '9']
const yes_no = [{ value: true, label: '是' }, { value: false, label: '否' }]

type Props = { step: FlowStep; at: number; form: Pick<LeaveForm, 'person_kind' | 'names'>; design: FormDesign; onChange: (step: FlowStep) => void }

/** One step: who decides, how, when it is needed, and how long it may lie. Every change is part of the draft on the screen at once. */
export function StepEditor({ step, at, form, design, onChange }: Props): ReactNode {
  const set = (patch: Partial<FlowStep>) => onChange({ ...step, ...patch })
  const when = (patch: Partial<FlowStep['when']>) => onChange({ ...step, when: withoutEmpty({ ...step.when, ...patch }) })
  const resolvers = Object.entries(resolver_names).filter(([code]) => (form.person_kind === pupil ? for_pupils : for_staff).includes(code))
  const names: Readonly<Record<string, string>> = form.person_kind === pupil ? LEAVE_STUDENT.names : LEAVE_STAFF.names
  const people = form.names.map(one => ({ user_id: one.id, user_name: one.name }))
  return (
    <Form layout="vertical" component="div" className="design-step" aria-label={`第${at + 1}步`}>
      <Form.Item label="审批人"><Select aria-label="审批人" value={String(step.resolver)} options={resolvers.map(([value, label]) => ({ value, label }))} onChange={value => set({ resolver: Number(value), resolver_ids: [] })} /></Form.Item>
      {step.resolver === named && <Form.Item label="指定人员"><PeoplePicker of={['teacher']} max={5} known={people} value={step.resolver_ids} onChange={resolver_ids => set({ resolver_ids })} /></Form.Item>}
      {step.resolver === by_role && <Form.Item label="指定角色"><RoleSelect value={step.resolver_ids} onChange={resolver_ids => set({ resolver_ids })} /></Form.Item>}
      <Form.Item label="方式"><Select aria-label="方式" value={String(step.mode)} options={Object.entries(step_modes).map(([value, label]) => ({ value, label }))} onChange={value => set({ mode: Number(value) })} /></Form.Item>
      <Form.Item label="时长满(天)" tooltip="满一个上课日按24小时计"><DaysInput value={step.when.minutes_from} onChange={minutes_from => when({ minutes_from })} /></Form.Item>
      <Form.Item label="时长不足(天)"><DaysInput value={step.when.minutes_to} onChange={minutes_to => when({ minutes_to })} /></Form.Item>
      <Form.Item label="假别"><Select aria-label="假别条件" mode="multiple" placeholder="全部" value={step.when.leave_types ?? []} options={design.leave_types.map(value => ({ value, label: names[value] ?? value }))} onChange={leave_types => when({ leave_types })} /></Form.Item>
      {form.person_kind === pupil && <Form.Item label="就读方式"><Select aria-label="就读方式" allowClear placeholder="不限" value={step.when.study_method} options={[{ value: '1', label: '走读' }, { value: '2', label: '住校' }]} onChange={study_method => when({ study_method })} /></Form.Item>}
      {form.person_kind === pupil && <Form.Item label="考试日"><Select aria-label="考试日" allowClear placeholder="不限" value={step.when.in_exam} options={yes_no} onChange={in_exam => when({ in_exam })} /></Form.Item>}
      <Form.Item label="本月第几次起"><InputNumber className="kit-fill" aria-label="本月第几次起" min={2} max={31} precision={0} value={step.when.month_times_ge ?? null} onChange={month_times_ge => when({ month_times_ge: month_times_ge ?? undefined })} /></Form.Item>
      <Form.Item label="超时升级(分钟)"><InputNumber className="kit-fill" aria-label="超时升级" min={10} max={20_160} precision={0} value={step.escalate_min} onChange={escalate_min => set({ escalate_min: escalate_min ?? 120 })} /></Form.Item>
    </Form>
  )
}

function withoutEmpty(when: Partial<Record<keyof FlowStep['when'], unknown>> & FlowStep['when']): FlowStep['when'] {
  return Object.fromEntries(Object.entries(when).filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)))
}

function DaysInput({ value, onChange }: { value: number | undefined; onChange: (minutes: number | undefined) => void }): ReactNode {
  return <InputNumber className="kit-fill" min={0.5} max={180} step={0.5} placeholder="不限" value={value === undefined ? null : value / day_minutes} onChange={days => onChange(days === null ? undefined : Math.round(days * day_minutes))} />
}

function RoleSelect({ value, onChange }: { value: string[]; onChange: (role_ids: string[]) => void }): ReactNode {
  const allowed = useCan(roleApi.list)
  const { data } = useCall(roleApi.list, {}, { enabled: allowed })
  return <Select mode="multiple" aria-label="指定角色" disabled={!allowed} placeholder={allowed ? '选择角色' : '没有查看角色的权限'} value={value} options={(data?.list ?? []).map(role => ({ value: role.role_id, label: role.name }))} onChange={onChange} />
}
