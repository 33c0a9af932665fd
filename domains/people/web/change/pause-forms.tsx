import { schoolToday } from '@kit/web'
import { dayjs } from '@kit/web/day'
import { DatePicker, Form, Input } from 'antd'
import type { ReactNode } from 'react'
import { ClassSelect } from '../student-file/class-select.tsx'
import { DayItem, needed, ReasonItem, whom } from './change-forms.tsx'
import type { Of } from './change-forms.tsx'

const format = 'YYYY-MM-DD'
const usual_days = 180

/** 休学, or another end of it: until when, from when, why. */
export function SuspendForm({ form, rows }: Of): ReactNode {
  const today = dayjs(schoolToday())
  return (
    <Form form={form} layout="vertical" initialValues={{ effective_on: schoolToday(), until: today.add(usual_days, 'day').format(format), reason: '' }}>
      <p className="change-who">{whom(rows)}</p>
      <Form.Item
        name="until" label="休学截止日期" extra="最长一年，期满可以延长；到期不会自动复学，名册中显示“休学超期”" rules={needed('请选择休学截止日期')}
        getValueProps={(day?: string) => ({ value: day ? dayjs(day) : null })} normalize={(day: dayjs.Dayjs | null) => day?.format(format)}
      >
        <DatePicker className="kit-fill" minDate={today.add(1, 'day')} maxDate={today.add(1, 'year')} />
      </Form.Item>
      <DayItem />
      <Form.Item name="reason" label="原因" rules={[...needed('请填写原因'), { max: 200, message: '超过200个字' }]}>
        <Input.TextArea rows={2} />
      </Form.Item>
    </Form>
  )
}

/** 复学: into which class, from when. */
export function ResumeForm({ form, rows }: Of): ReactNode {
  return (
    <Form form={form} layout="vertical" initialValues={{ effective_on: schoolToday(), reason: '' }}>
      <p className="change-who">{whom(rows)}</p>
      <Form.Item name="to_dept_id" label="复学班级" extra="不选则回到原班级">
        <ClassSelect />
      </Form.Item>
      <DayItem />
      <ReasonItem form={form} coming={dept_id => rows.filter(row => row.dept_id !== dept_id).length} />
    </Form>
  )
}
