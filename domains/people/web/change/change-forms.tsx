import { leave_kinds, move_kinds } from '@campus/people/contract'
import type { ChangeDraft, ClassMove, LeaveKind, StudentRow } from '@campus/people/contract'
import { schoolToday } from '@kit/web'
import { DatePicker, Form, Input, Radio, Select } from 'antd'
import type { FormInstance } from 'antd'
import { dayjs } from '@kit/web/day'
import type { ReactNode } from 'react'
import { ClassSelect, useFullClass } from '../student-file/class-select.tsx'
import { kindName } from './change-words.ts'
import type { PupilChangeKind } from './pupil-change-kind.ts'

const FORMAT = 'YYYY-MM-DD'
const back_days = 30
const ahead_days = 180

export type ChangeValues = { to_dept_id?: string; move_kind?: ClassMove['kind']; until?: string; leave_kind?: LeaveKind; to_where?: string; effective_on: string; reason: string }
export type Of = { form: FormInstance<ChangeValues>; rows: readonly StudentRow[]; to_dept_id?: string | undefined }

const leaves = leave_kinds.map(value => ({ value, label: kindName(value) }))
const moves = move_kinds.map(value => ({ value, label: kindName(value) }))
/** Beside a field that must be filled. */
export const needed = (message: string) => [{ required: true, whitespace: true, message }]

/** 调班: the new class, from when, why. */
export function MoveForm({ form, rows, to_dept_id }: Of): ReactNode {
  return (
    <Form form={form} layout="vertical" initialValues={{ move_kind: 'CLASS', to_dept_id, effective_on: schoolToday(), reason: '' }}>
      <p className="change-who">{whom(rows)}</p>
      <Form.Item name="move_kind" label="办理类型" extra="留级调入低一年级的班级，跳级调入高一年级的班级">
        <Radio.Group options={moves} />
      </Form.Item>
      <Form.Item name="to_dept_id" label="调入班级" rules={[{ required: true, message: '请选择班级' }]}>
        <ClassSelect />
      </Form.Item>
      <DayItem />
      <ReasonItem form={form} coming={dept_id => rows.filter(row => row.dept_id !== dept_id).length} />
    </Form>
  )
}

/** 离校: how, where to, from when, why. */
export function LeaveForm({ form, rows }: Of): ReactNode {
  return (
    <Form form={form} layout="vertical" initialValues={{ leave_kind: 'OUT', effective_on: schoolToday(), reason: '' }}>
      <p className="change-who">{whom(rows)}</p>
      <Form.Item name="leave_kind" label="离校类型" rules={needed('请选择离校类型')}>
        <Select options={leaves} />
      </Form.Item>
      <Form.Item name="to_where" label="去向" rules={[{ max: 100, message: '超过100个字' }]}>
        <Input placeholder="如：市第二小学（选填）" />
      </Form.Item>
      <DayItem />
      <Form.Item name="reason" label="原因" rules={[...needed('请填写原因'), { max: 200, message: '超过200个字' }]}>
        <Input.TextArea rows={2} />
      </Form.Item>
    </Form>
  )
}

/** Why; once the chosen class is full it must be said. `coming`: how many would come into a class. */
export function ReasonItem({ form, coming }: { form: FormInstance<ChangeValues>; coming: (dept_id: string) => number }): ReactNode {
  const dept_id = Form.useWatch('to_dept_id', form)
  const full = useFullClass(dept_id, dept_id === undefined ? 0 : coming(dept_id))
  return (
    <Form.Item
      name="reason"
      label="原因"
      dependencies={['to_dept_id']}
      extra={full === null ? undefined : `班级已满（${full}），继续办理须填写原因`}
      rules={[...(full === null ? [] : needed('班级已满，请填写原因')), { max: 200, message: '超过200个字' }]}
    >
      <Input.TextArea rows={2} placeholder={full === null ? '选填' : '必填'} />
    </Form.Item>
  )
}

/** From which day on. */
export function DayItem(): ReactNode {
  const today = dayjs(schoolToday())
  return (
    <Form.Item
      name="effective_on"
      label="生效日期"
      extra="从这一天起按新情况计算；以后的日期到当天自动生效"
      rules={needed('请选择生效日期')}
      getValueProps={(day?: string) => ({ value: day ? dayjs(day) : null })}
      normalize={(day: dayjs.Dayjs | null) => day?.format(FORMAT)}
    >
      <DatePicker className="kit-fill" minDate={today.subtract(back_days, 'day')} maxDate={today.add(ahead_days, 'day')} />
    </Form.Item>
  )
}

/** `王小明、李小红等 12 人` */
export function whom(rows: readonly StudentRow[]): string {
  const names = rows.slice(0, 5).map(row => `${row.user_name}（${row.dept_name ?? '未分班'}）`).join('、')
  return rows.length > 5 ? `${names}等 ${rows.length} 人` : names
}

/** The command that the form describes. A pupil without a class cannot be moved from one. */
export function draftOf(kind: PupilChangeKind, rows: readonly StudentRow[], values: ChangeValues): ChangeDraft {
  const { effective_on, reason } = values
  if (kind === 'leave') {
    return { kind: values.leave_kind ?? 'OUT', subjects: rows.map(({ user_id }) => ({ user_id })), effective_on, reason, to_where: values.to_where }
  }
  if (kind === 'suspend') return { kind: 'SUSPEND', subjects: rows.map(({ user_id }) => ({ user_id })), effective_on, until: values.until ?? '', reason }
  if (kind === 'resume') return { kind: 'RESUME', subjects: rows.map(({ user_id }) => ({ user_id, to_dept_id: values.to_dept_id ?? null })), effective_on, reason }
  const to_dept_id = values.to_dept_id ?? ''
  const subjects = rows.flatMap(({ user_id, dept_id }) => (dept_id === null ? [] : [{ user_id, from_dept_id: dept_id, to_dept_id }]))
  return { kind: values.move_kind ?? 'CLASS', subjects, effective_on, reason }
}
